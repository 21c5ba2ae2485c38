"""Releases again and again: what pairs of releases promise, and what all of them together expose."""

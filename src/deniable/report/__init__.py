"""Findings for people (text) and for programs (JSON). Decides nothing, only shows."""

"""What is said of releases again and again: republish, attack, ledger."""

from __future__ import annotations

"""What is said of crowds."""

from __future__ import annotations

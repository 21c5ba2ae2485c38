"""What is said of a verdict."""

from __future__ import annotations

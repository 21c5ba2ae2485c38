"""What is said of tables that are published as views: breach, explain."""

from __future__ import annotations

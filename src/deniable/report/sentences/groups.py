"""What is said of published groups: linkage, bucketize, utility."""

from __future__ import annotations

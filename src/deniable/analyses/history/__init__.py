"""Publishing again and again: the next release, and what all of them give away together."""

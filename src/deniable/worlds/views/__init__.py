"""A table published as views: how many of the worlds that fit them hold an association."""

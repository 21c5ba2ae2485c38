"""Groups that can be published: which people share a group, and in which order the bytes are written."""

"""release.yaml and Release: text with its places, the checks, and where each value stands."""

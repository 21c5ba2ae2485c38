"""A history of releases: which values stay possible for each person, and how likely the true one is."""

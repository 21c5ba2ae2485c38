"""A table published as views: which people can swap their private values in every world that fits them."""

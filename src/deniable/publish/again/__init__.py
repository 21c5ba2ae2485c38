"""Publishing again and again: the next release's groups, from the table as it is and the releases before."""

"""One file per claim; each prints ratios that were measured in one run."""

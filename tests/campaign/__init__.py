"""The fault campaign: whatever is put in, whenever it is stopped, nothing is lost and no private cell is told."""

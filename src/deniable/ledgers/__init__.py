"""The private history of a table that is published again and again: one file, without which no next release is safe."""

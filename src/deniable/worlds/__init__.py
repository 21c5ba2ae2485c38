"""The mathematics of possible worlds: integers, floats and arrays; no SQL, no files."""

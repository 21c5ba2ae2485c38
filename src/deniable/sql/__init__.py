"""SQL, in trees: `parse` reads the user's statements, `build` writes our queries."""

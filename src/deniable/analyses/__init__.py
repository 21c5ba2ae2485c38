"""The analyses, one place each. They ask the engine for counts and `worlds` for answers."""

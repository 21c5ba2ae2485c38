"""A report as one page: `model` is what stands on it, made by a module for each command; `render` writes it."""

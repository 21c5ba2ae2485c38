"""A release meets its data: files are attached here, and here it is said what is wrong with their columns."""

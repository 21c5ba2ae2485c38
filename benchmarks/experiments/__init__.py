"""What the tool is for, measured on real tables; `make experiments` writes the pages in docs/experiments."""

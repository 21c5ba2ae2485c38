"""What the tool is for, measured on real tables; `make experiments` writes the pages in docs/experiments.

Each experiment is a folder: `measure` gives rows, `results` keeps them as csv and as tables, `plots` draws them.
"""

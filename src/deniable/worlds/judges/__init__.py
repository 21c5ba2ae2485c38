"""The judges: every world by brute force, definitions word for word. They import nothing of ours."""

"""Groups on real microdata: who is exposed to background knowledge, and what safety costs."""

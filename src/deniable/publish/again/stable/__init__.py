"""Stable groups: few equations for each person, so that all releases together tell little."""

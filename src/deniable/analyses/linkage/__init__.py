"""linkage: groups are published, and read by someone who knows the statistics; what do they learn?

Computed: p(t:x), the share of the weight of a group's worlds in which person t has value x, a world weighing the
product of the priors of its pairs (docs/theory/linkage.md, "The setting"). The *marginal* adversary knows of one
value at a time how likely it is (conditional Bernoulli); the *full* one knows the whole distribution (a ratio of
permanents). The *calibrated* one, where somebody asks for it, fits the statistics to what is published (`fitted`). All
assume that the grouping itself says nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable.analyses.linkage.analysis import AboveLimit, Linkage, WorstPublishedGroup, analyse, solve

__all__ = ["AboveLimit", "Linkage", "WorstPublishedGroup", "analyse", "solve"]


def __getattr__(name: str) -> Any:
    """Import the analysis when it is first used: what columns tell is asked without it."""
    if name in __all__:
        from deniable.analyses.linkage import analysis

        return getattr(analysis, name)
    raise AttributeError(name)

"""repair: what could be published instead of views that fail?"""

from deniable.analyses.repair.analysis import Repair, Repairs, repair

__all__ = ["Repair", "Repairs", "repair"]

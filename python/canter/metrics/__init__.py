"""Measures of motion: feet that slide, when they stand, how deep joints sink into the ground, bones that change their length.

Lengths are in metres; a clip in another unit needs ``scale=``.
"""

from canter.metrics.bones import BoneLengthError, bone_length_error
from canter.metrics.depth import Penetration, penetration
from canter.metrics.slide import FootSlide, foot_slide
from canter.metrics.standing import contacts

__all__ = ["BoneLengthError", "FootSlide", "Penetration", "bone_length_error", "contacts", "foot_slide", "penetration"]


def __dir__() -> list[str]:
    return __all__

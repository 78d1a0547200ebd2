"""How far the feet of a walk slide when it is kept at few keys a second, and by what lies between the keys."""

import pytest

import canter as ct


@pytest.fixture(scope="module")
def slide():
    walk = ct.examples.walk(speed=1.3, cycle=1.0)

    def measured(rate, interpolation):
        clip = ct.record(ct.ClipPlayer(walk.resample(rate), interpolation=interpolation), 5.0)
        return ct.metrics.foot_slide(clip)

    return measured


def test_few_keys_slide_more_while_feet_stand(slide):
    found = {rate: slide(rate, "nlerp") for rate in (4, 8, 30, 60)}
    assert 2.0 < found[8].slide < 3.0
    assert 0.3 < found[30].slide < 0.7
    assert found[60].slide < 0.02
    # At 4 keys a second a foot is hardly ever down, so the slide of a metre tells little; these stand beside it.
    assert found[4].contact < 0.25 < 0.4 < found[8].contact < found[30].contact


def test_held_keys_slide_as_far_as_the_body_goes(slide):
    """The body moves on between the keys, the pose does not: the feet are carried along, then jump back."""
    assert 95 < slide(30, "step").slide < 130
    assert slide(30, "nlerp").slide < slide(30, "cubic").slide < 0.8
    assert slide(8, "nlerp").slide < slide(8, "cubic").slide < 5

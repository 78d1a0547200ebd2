"""Pose sources that are made, nested, steered and let go in odd ways."""

import gc
import sys
import weakref

import pytest

import canter as ct

WALK = ct.examples.walk()
SKELETON = WALK.skeleton


class Shown(ct.PoseSource):
    """Shows what it is told to, or what a call gives."""

    def __init__(self, shown=WALK[0]):
        super().__init__(SKELETON)
        self.shown = shown

    def update(self, dt, params):
        return self.shown() if callable(self.shown) else self.shown


def test_a_source_that_shows_the_last_frame_again_does_not_pile_up_frames():
    source = Shown()
    stack = ct.LayerStack(SKELETON, [ct.Layer(source)])
    for _ in range(300_000):  # a chain of so many would end the process when it is let go
        source.shown = stack.update(0.01)
    assert source.shown.events == ()
    assert repr(source.shown) == "<Frame: 18 joints, 0 clips>"


def test_a_frame_passed_on_stands_for_what_was_played_in_it():
    walk = WALK.replace(markers={"step": [0.05]})
    frame = ct.ClipPlayer(walk).update(0.1)
    shown = ct.LayerStack(SKELETON, [ct.Layer(Shown(frame)), ct.Layer(WALK[0], weight=0.75)]).update(0.1)
    assert [(event.name, event.clip, event.weight) for event in shown.events] == [("step", walk, 0.25)]
    assert repr(shown) == "<Frame: 18 joints, 1 clip>"


def test_a_source_that_is_in_its_own_last_frame_is_let_go():
    source = Shown()
    source.event = ct.Event("step", 0.0, source, 1.0)
    source.shown = ct.Frame(WALK[0], events=[source.event])
    ct.LayerStack(SKELETON, [ct.Layer(source)]).update(0.1)
    seen = weakref.ref(source)
    del source
    gc.collect()
    assert seen() is None


def test_sources_nest_a_hundred_deep_and_no_deeper():
    source = ct.ClipPlayer(WALK)
    for _ in range(100):
        source = ct.LayerStack(SKELETON, [ct.Layer(source)])
    assert source.update(0.1).root.translation[2] > 0
    source.reset()
    with pytest.raises(ValueError, match="layer 0 holds 100 levels of sources in each other, which is the most"):
        ct.LayerStack(SKELETON, [ct.Layer(source)])


@pytest.mark.parametrize("wrong", [[0.5], "half", WALK.rotations])
def test_what_has_no_keys_is_no_params(wrong):
    player = ct.BlendPlayer(ct.BlendSpace1D([0, 1]), [WALK, WALK])
    for call in (lambda: player.update(0.1, wrong), lambda: player.cycle(wrong), lambda: ct.record(player, 0.1, wrong)):
        with pytest.raises(TypeError, match="params is .*, expected a mapping of names to numbers"):
            call()
    with pytest.raises(TypeError, match=r"ClipPlayer\.update: params is"):  # also of what asks for none
        ct.ClipPlayer(WALK).update(0.1, wrong)


def test_half_a_character_is_no_name_of_a_parameter():
    with pytest.raises(ValueError, match=r"param: name is '\\ud800', with half a character"):
        ct.param("\ud800")


def test_a_source_without_update_is_told_so_wherever_it_is_updated():
    class Nothing(ct.PoseSource):
        pass

    for call in (Nothing(SKELETON).update, ct.LayerStack(SKELETON, [ct.Layer(Nothing(SKELETON))]).update):
        with pytest.raises(NotImplementedError, match="Nothing has no update of its own"):
            call(0.1)
    with pytest.raises(NotImplementedError, match="Nothing has no update of its own"):
        ct.record(Nothing(SKELETON), 0.1)


def test_a_part_is_not_reset_while_its_stack_is_updated():
    player = ct.ClipPlayer(WALK)
    stack = ct.LayerStack(SKELETON, [ct.Layer(player), ct.Layer(Shown(lambda: player.reset() or WALK[0]))])
    with pytest.raises(RuntimeError, match="ClipPlayer: an update of this source, as part of another, is going on"):
        stack.update(0.1)
    player.reset()


class Odd:
    """A number, or one layer, that runs code when it is looked at."""

    def __init__(self, code):
        self.code = code

    def __float__(self):
        self.code()
        return 1.0

    def __iter__(self):
        self.code()
        yield ct.Layer(WALK)


def test_a_source_is_not_made_again_while_it_is_made():
    player, stack = ct.ClipPlayer.__new__(ct.ClipPlayer), ct.LayerStack.__new__(ct.LayerStack)
    for begin, again in (
        (lambda odd: player.__init__(WALK, rate=odd), lambda: player.__init__(WALK)),
        (lambda odd: stack.__init__(SKELETON, odd), lambda: stack.__init__(SKELETON, [])),
    ):
        with pytest.raises(RuntimeError, match="could not be made before; make a new one"):
            begin(Odd(again))


def test_a_source_that_could_not_be_made_keeps_one_clip_at_most():
    player, clip = ct.ClipPlayer.__new__(ct.ClipPlayer), WALK.replace(name="once")
    before = sys.getrefcount(clip)
    with pytest.raises(ValueError, match="start is -1"):
        player.__init__(clip, start=-1)
    with pytest.raises(RuntimeError, match="could not be made before; make a new one"):
        player.__init__(clip)
    del player
    assert sys.getrefcount(clip) == before

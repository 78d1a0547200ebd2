"""Layers: what is on top shows by its weight and mask, in the order of the list; in mesh space directions hold whatever is below."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import canter as ct

JOINTS = ("pelvis", "spine", "chest", "arm", "thigh", "shin")
RUN, AIM, LEAN = [5, 8, 4, -40, 35, -60], [0, 2, 6, 85, 0, -5], [0, 12, 3, 0, 0, 0]
UPPER_BODY = [0, 1, 1, 1, 0, 0]


@pytest.fixture
def body():
    """Six joints that bend about x."""
    return ct.Skeleton(JOINTS, [-1, 0, 1, 2, 0, 4], [(0, 1, 0), (0, 0.1, 0), (0, 0.2, 0), (0.2, 0, 0), (0.1, 0, 0), (0, -0.5, 0)])


def bent(degrees):
    half = np.radians(degrees) / 2
    return ct.Pose(np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=-1))


def bends(pose):
    return np.degrees(2 * np.arctan2(pose.rotations[:, 1].astype(float), pose.rotations[:, 0].astype(float)))


def shown(skeleton, *layers, dt=0.0, **params):
    return ct.LayerStack(skeleton, layers).update(dt, params).pose


def globals_of(skeleton, pose):
    return skeleton.forward_kinematics(pose)[1].astype(float)


def degrees_between(a, b):
    return np.degrees(ct.quat.angle(np.asarray(a, float), np.asarray(b, float)))


def bits(pose):
    return tuple(None if part is None else part.tobytes() for part in (pose.rotations, pose.translations, pose.scales))


def rows_of(pose, joints):
    return np.concatenate([part[joints].view(np.int32) for part in (pose.rotations, pose.translations)], axis=-1)


# ------------------------------------------------------------------------------------------------------------------- the worked example


@pytest.mark.parametrize("side", ["local", "parent"])
@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([("run", {})], RUN),
        ([("run", {}), ("aim", {"mask": UPPER_BODY})], [5, 2, 6, 85, 35, -60]),
        ([("run", {}), ("aim", {})], AIM),
        ([("run", {}), ("aim", {"mask": UPPER_BODY, "weight": 0.5})], [5, 5, 5, 22.5, 35, -60]),
        ([("run", {}), ("lean", {})], [5, 20, 7, -40, 35, -60]),
        ([("run", {}), ("aim", {"mask": UPPER_BODY}), ("lean", {})], [5, 14, 9, 85, 35, -60]),
        # Below the override the lean shows where the override does not.
        ([("run", {}), ("lean", {}), ("aim", {"mask": UPPER_BODY})], [5, 2, 6, 85, 35, -60]),
        ([("run", {}), ("lean", {}), ("aim", {"mask": UPPER_BODY, "weight": 0.5})], [5, 11, 6.5, 22.5, 35, -60]),
        ([("run", {}), ("lean", {"weight": -0.5})], [5, 2, 2.5, -40, 35, -60]),
        ([("lean", {})], LEAN),
        ([], [0] * 6),
    ],
)
def test_layers_show_the_bends_of_the_worked_example(body, side, layers, expected):
    lean = ct.additive(bent(LEAN), bent([0] * 6), side=side)
    sources = {"run": (bent(RUN), "override"), "aim": (bent(AIM), "override"), "lean": (lean, "additive")}
    stack = [ct.Layer(sources[name][0], mode=sources[name][1], **options) for name, options in layers]
    # Half a lean by nlerp is half the angle to 0.01 degrees.
    assert bends(shown(body, *stack)) == pytest.approx(expected, abs=0.02 if "weight" in str(layers) else 2e-5)


def test_a_branch_mask_of_depth_3_takes_a_third_two_thirds_and_all(body):
    mask = body.mask("spine", depth=3)
    assert mask == pytest.approx([0, 1 / 3, 2 / 3, 1, 0, 0])
    pose = shown(body, ct.Layer(bent(RUN)), ct.Layer(bent(AIM), mask=mask))
    assert bends(pose) == pytest.approx([5, 8 - 6 / 3, 4 + 2 * 2 / 3, 85, 35, -60], abs=0.01)


def test_masks_combine_by_arithmetic(body):
    without_arm = body.mask("spine") - body.mask("arm")
    assert bends(shown(body, ct.Layer(bent(RUN)), ct.Layer(bent(AIM), mask=without_arm))) == pytest.approx(
        [5, 2, 6, -40, 35, -60], abs=2e-5
    )
    legs = 1 - body.mask("spine")
    assert bends(shown(body, ct.Layer(bent(RUN)), ct.Layer(bent(AIM), mask=legs))) == pytest.approx([0, 8, 4, -40, 0, -5], abs=2e-5)
    # A third and two thirds may be more than 1 by rounding.
    thirds = body.mask("spine", weight=1 / 3) + body.mask("spine", weight=2 / 3)
    assert bends(shown(body, ct.Layer(bent(RUN)), ct.Layer(bent(AIM), mask=thirds * 1.0000005)))[3] == pytest.approx(85, abs=2e-5)


# ------------------------------------------------------------------------------------------------------------------ against float64


@pytest.fixture
def make_poses(rng, random_rotations):
    def make(count, joints, scales=False):
        for _ in range(count):
            yield ct.Pose(random_rotations(joints), rng.standard_normal((joints, 3)), rng.uniform(0.5, 2, (joints, 3)) if scales else None)

    return make


def nlerp(p, q, t):
    p, q = np.asarray(p, float), np.asarray(q, float)
    q = q * np.where(np.sum(p * q, axis=-1, keepdims=True) < 0, -1, 1)
    mix = (1 - t) * p + t * q
    return mix / np.linalg.norm(mix, axis=-1, keepdims=True)


@pytest.mark.parametrize("joints", [1, 16, 22, 65])
def test_an_override_lies_weight_times_mask_of_the_way_up(joints, make_skeleton, make_poses, rng):
    skeleton = make_skeleton(joints)
    (below,), (above,) = make_poses(1, joints), make_poses(1, joints, scales=True)
    mask = rng.uniform(0, 1, joints).astype(np.float32)
    pose = shown(skeleton, ct.Layer(below), ct.Layer(above, mask=mask, weight=0.7))
    t = 0.7 * mask[:, None].astype(float)
    wanted = nlerp(below.rotations, above.rotations, t)
    np.testing.assert_allclose(degrees_between(pose.rotations, wanted), 0, atol=1e-4)
    np.testing.assert_allclose(pose.translations, (1 - t) * below.translations + t * above.translations, atol=2e-6)
    np.testing.assert_allclose(pose.scales, 1 - t + t * above.scales, atol=2e-6)
    np.testing.assert_allclose(np.linalg.norm(pose.rotations, axis=-1), 1, atol=3e-7)


def test_a_joint_at_0_keeps_its_bits_and_at_1_takes_those_of_the_layer(make_skeleton, make_poses):
    skeleton = make_skeleton(22)
    below, above = make_poses(2, 22)
    below = ct.Pose(below.rotations, np.where(np.arange(66).reshape(22, 3) % 2, -0.0, below.translations))
    mask = (np.arange(22) % 2).astype(np.float32)
    delta = ct.additive(above, below, side="parent")
    ones, zeros = np.flatnonzero(mask), np.flatnonzero(mask == 0)
    for space in ("local", "mesh"):
        pose = shown(skeleton, ct.Layer(below), ct.Layer(above, mask=mask, space=space))
        assert np.array_equal(rows_of(pose, zeros), rows_of(below, zeros))
        assert np.array_equal(pose.translations[ones], above.translations[ones])
        assert space == "mesh" or np.array_equal(rows_of(pose, ones), rows_of(above, ones))
        added = shown(skeleton, ct.Layer(below), ct.Layer(delta, mode="additive", mask=mask, space=space))
        assert np.array_equal(rows_of(added, zeros), rows_of(below, zeros))
        nothing = [ct.Layer(above, weight=0, space=space), ct.Layer(delta, mode="additive", weight=0, space=space)]
        assert bits(shown(skeleton, ct.Layer(below), *nothing)) == bits(below)
        assert bits(shown(skeleton, ct.Layer(below), ct.Layer(above, space=space))) == bits(above)


@pytest.mark.parametrize("side", ["local", "parent"])
def test_an_additive_layer_adds_as_add_does(side, make_skeleton, make_poses, rng):
    skeleton = make_skeleton(22)
    base, pose, reference = make_poses(3, 22, scales=True)
    delta, mask = ct.additive(pose, reference, side=side), rng.uniform(0, 1.5, 22)
    got = shown(skeleton, ct.Layer(base), ct.Layer(delta, mode="additive", weight=ct.param("amount"), mask=mask), amount=-0.6)
    assert bits(got) == bits(ct.add(base, delta, -0.6, mask=mask))


def test_an_additive_before_an_override_is_covered_by_it(make_skeleton, make_poses):
    skeleton = make_skeleton(22)
    below, above, pose, reference = make_poses(4, 22)
    delta = ct.additive(pose, reference)
    add = ct.Layer(delta, mode="additive")
    before = shown(skeleton, ct.Layer(below), add, ct.Layer(above, weight=0.5))
    after = shown(skeleton, ct.Layer(below), ct.Layer(above, weight=0.5), add)
    half = ct.blend([ct.add(below, delta), above], [1, 1])
    np.testing.assert_allclose(degrees_between(before.rotations, half.rotations), 0, atol=1e-3)
    wanted = ct.add(ct.blend([below, above], [1, 1]), delta)
    np.testing.assert_allclose(degrees_between(after.rotations, wanted.rotations), 0, atol=1e-3)
    assert degrees_between(before.rotations, after.rotations).max() > 10


# ---------------------------------------------------------------------------------------------------------------------- mesh space


def in_double(skeleton, below, above, t):
    """Global rotations, each nlerped from where its parent carries it to where it is in `above`."""
    target = globals_of(skeleton, above)
    result = np.zeros((len(skeleton.names), 4))
    for j, parent in enumerate(skeleton.parents):
        local = np.asarray(below.rotations[j], float)
        result[j] = nlerp(local if parent < 0 else ct.quat.multiply(result[parent], local), target[j], t[j])
    return result


def test_an_override_in_mesh_space_turns_joints_relative_to_the_character(make_skeleton, make_poses, rng):
    skeleton = make_skeleton(65)
    below, above = make_poses(2, 65)
    mask = np.where(rng.uniform(size=65) < 0.5, 0, rng.uniform(0, 1, 65)).astype(np.float32)
    mask[::7] = 1
    pose = shown(skeleton, ct.Layer(below), ct.Layer(above, mask=mask, weight=0.8, space="mesh"))
    wanted = in_double(skeleton, below, above, (np.float32(0.8) * mask).astype(float))
    np.testing.assert_allclose(degrees_between(globals_of(skeleton, pose), wanted), 0, atol=5e-4)
    np.testing.assert_allclose(np.linalg.norm(pose.rotations, axis=-1), 1, atol=3e-7)
    at_once = shown(skeleton, ct.Layer(below), ct.Layer(above, mask=mask != 0, space="mesh"))
    off = degrees_between(globals_of(skeleton, at_once), globals_of(skeleton, above))[mask != 0]
    assert off.max() < 1e-4


def test_arms_that_aim_over_a_leaning_run_aim_on_in_mesh_space_and_not_in_local_space():
    run, aim, lean = ct.examples.run(), ct.examples.aim(), ct.examples.lean()
    skeleton = run.skeleton
    arms = skeleton.mask("LeftArm") + skeleton.mask("RightArm")
    worst = {}
    for space in ("local", "mesh"):
        base = [ct.Layer(run), ct.Layer(ct.additive(lean[-1], lean[0]), mode="additive")]
        stack = ct.LayerStack(skeleton, [*base, ct.Layer(aim, mask=arms, space=space)])
        alone = ct.ClipPlayer(aim)
        poses = [(stack.update(1 / 60).pose, alone.update(1 / 60).pose) for _ in range(60)]
        worst[space] = max(degrees_between(globals_of(skeleton, a), globals_of(skeleton, b))[arms > 0].max() for a, b in poses)
    assert 20 < worst["local"] < 90
    assert worst["mesh"] < 1e-4


def test_a_delta_in_mesh_space_turns_about_the_axes_of_the_character():
    skeleton = ct.examples.humanoid()
    chest = skeleton.index("Chest")
    bow = ct.quat.from_axis_angle((1.0, 0.0, 0.0), 0.4)
    turned = np.array(skeleton.rest.rotations)
    turned[0] = ct.quat.from_axis_angle((0.0, 1.0, 0.0), np.pi / 2)  # the hips look to the left, the character still faces +Z
    bowed = np.array(skeleton.rest.rotations)
    bowed[chest] = ct.quat.multiply(bow, bowed[chest])
    delta = ct.additive(ct.Pose(bowed), ct.Pose(skeleton.rest.rotations), side="parent")
    base = ct.Pose(turned)
    before = globals_of(skeleton, base)[chest]
    off = {}
    for space in ("local", "mesh"):
        after = globals_of(skeleton, shown(skeleton, ct.Layer(base), ct.Layer(delta, mode="additive", space=space)))[chest]
        off[space] = degrees_between(after, ct.quat.multiply(bow, before))
    assert off["local"] > 20
    assert off["mesh"] < 1e-4
    # Adding it again at -1 undoes it.
    layers = [ct.Layer(base)] + [ct.Layer(delta, mode="additive", space="mesh", weight=w) for w in (1, -1)]
    np.testing.assert_allclose(shown(skeleton, *layers).rotations, base.rotations, atol=3e-7)


# ------------------------------------------------------------------------------------------------------------- feet and root motion


def slide(*layers, **params):
    return ct.metrics.foot_slide(ct.record(ct.LayerStack(ct.examples.humanoid(), layers), 4, params))


def test_a_wave_slides_the_feet_of_a_walk_without_a_mask_and_not_with_one():
    walk, wave = ct.Layer(ct.examples.walk()), ct.examples.wave()
    alone = slide(walk)
    masked = slide(ct.Layer(ct.examples.walk()), ct.Layer(wave, mask=ct.examples.upper_body_mask(ct.examples.humanoid())))
    # Both feet stand still while the body moves: 100 cm a metre for each.
    assert slide(ct.Layer(ct.examples.walk()), ct.Layer(wave)).slide == pytest.approx(200, abs=0.5)
    assert masked.slide == pytest.approx(alone.slide, abs=1e-9)
    assert masked.slide < 0.25


def test_the_first_layer_moves_the_character_and_others_only_when_asked():
    walk, run = ct.examples.walk(speed=1.2), ct.examples.run(speed=3.6)
    lean = ct.additive(run, run[0])

    def metres(*layers):
        return ct.LayerStack(walk.skeleton, layers).update(0.5, {}).root.translation[2]

    assert metres(ct.Layer(walk)) == pytest.approx(0.6, abs=0.01)
    assert metres(ct.Layer(walk), ct.Layer(run), ct.Layer(lean, mode="additive")) == metres(ct.Layer(walk))
    half = metres(ct.Layer(walk), ct.Layer(run, weight=0.5, mask=walk.skeleton.mask("Spine"), root=True))
    assert half == pytest.approx((metres(ct.Layer(walk)) + metres(ct.Layer(run))) / 2, abs=1e-12)
    assert metres(ct.Layer(walk), ct.Layer(run, root=True)) == metres(ct.Layer(run))
    assert metres(ct.Layer(walk), ct.Layer(run, weight=0, root=True)) == metres(ct.Layer(walk))
    assert metres(ct.Layer(walk, weight=0.25)) == pytest.approx(metres(ct.Layer(walk)) / 4)  # over a rest pose that stands
    assert metres(ct.Layer(lean, mode="additive"), ct.Layer(run)) == 0
    assert metres() == 0


# ------------------------------------------------------------------------------------------------------------------------- sources


class Held(ct.PoseSource):
    """Counts its updates, and fails when it is told to."""

    def __init__(self, pose, skeleton):
        super().__init__(skeleton)
        self.pose, self.count, self.call = pose, 0, lambda: None

    def update(self, dt, params):
        self.call()
        self.count += 1
        return self.pose

    def reset(self):
        self.count = 0


def test_a_layer_shows_clips_poses_deltas_additive_clips_and_other_sources(walk):
    skeleton, wave = walk.skeleton, ct.examples.wave()
    gesture = ct.Clip(skeleton, wave.rotations, fps=60, looping=True)
    player = ct.ClipPlayer(walk, rate=0.5, root_motion=False)
    assert bits(shown(skeleton, ct.Layer(player), dt=0.3)) == bits(walk.sample(0.15))
    clip = ct.Layer(walk)
    assert bits(shown(skeleton, clip, dt=0.3)) == bits(ct.ClipPlayer(walk).update(0.3).pose)
    assert bits(shown(skeleton, clip, dt=0.2)) == bits(ct.ClipPlayer(walk).update(0.2).pose)  # a player for each stack
    held = shown(skeleton, ct.Layer(ct.Pose(walk.rotations[3])), dt=0.3)
    assert np.array_equal(held.rotations, walk.rotations[3])
    assert np.array_equal(held.translations, skeleton.rest.translations)
    assert bits(shown(skeleton, ct.Layer(Held(walk[4], skeleton)), dt=0.3)) == bits(walk[4])

    additive = ct.additive(gesture, gesture[0], side="parent")
    by = ct.add(skeleton.rest, additive.sample(0.95, wrap="loop"))  # it loops as its clip does
    np.testing.assert_allclose(shown(skeleton, ct.Layer(additive, mode="additive"), dt=0.95).rotations, by.rotations, atol=1e-6)
    inner = ct.LayerStack(skeleton, [ct.Layer(walk), ct.Layer(gesture, weight=ct.param("wave"))])
    nested = shown(skeleton, ct.Layer(inner), ct.Layer(additive, mode="additive", weight=ct.param("more")), dt=0.3, wave=0.3, more=0.7)
    flat = [ct.Layer(walk), ct.Layer(gesture, weight=0.3), ct.Layer(additive, mode="additive", weight=0.7)]
    assert bits(nested) == bits(shown(skeleton, *flat, dt=0.3))


def test_clocks_run_at_weight_0(walk):
    player = ct.ClipPlayer(walk)
    ct.LayerStack(walk.skeleton, [ct.Layer(walk), ct.Layer(player, weight=ct.param("w"))]).update(0.4, {"w": 0.0})
    assert player.time == pytest.approx(0.4)


def test_events_weigh_what_their_layers_weigh(walk):
    skeleton = walk.skeleton
    walk, clap = (ct.Clip(skeleton, walk.rotations, fps=60, markers={name: [0.05]}, name=name) for name in ("step", "clap"))
    half, nod = 0.5 * skeleton.mask("Spine"), ct.additive(clap, clap[0])

    def told(*layers):
        return {event.clip.name: event.weight for event in ct.LayerStack(skeleton, layers).update(0.1).events}

    assert told(ct.Layer(walk), ct.Layer(clap, weight=0.25)) == {"step": 0.75, "clap": 0.25}
    assert told(ct.Layer(walk), ct.Layer(clap)) == {"clap": 1}
    # With a mask the clip below still shows in full somewhere, and so it does below an additive.
    assert told(ct.Layer(walk), ct.Layer(clap, weight=0.25, mask=half)) == {"step": 1, "clap": 0.125}
    assert told(ct.Layer(walk), ct.Layer(nod, mode="additive", weight=-0.25)) == {"step": 1, "clap": 0.25}
    assert told(ct.Layer(walk), ct.Layer(clap, weight=0)) == {"step": 1}


def test_reset_goes_back_to_the_beginning_with_all_below(walk):
    held, player = Held(walk[0], walk.skeleton), ct.ClipPlayer(walk)
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(ct.LayerStack(walk.skeleton, [ct.Layer(player)])), ct.Layer(held, weight=0.5)])
    first = stack.update(0.2).pose
    stack.update(0.2)
    stack.reset()
    assert (player.time, held.count) == (0, 0)
    assert bits(stack.update(0.2).pose) == bits(first)


def test_an_exception_in_a_source_leaves_the_others_where_they_were(walk):
    held, player = Held(walk[0], walk.skeleton), ct.ClipPlayer(walk)
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(player), ct.Layer(held, weight=0.5), ct.Layer(walk, weight=0.5)])
    stack.update(0.25)

    def fail():
        raise ZeroDivisionError("on purpose")

    held.call = fail
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        stack.update(0.25)
    assert player.time == pytest.approx(0.25)
    held.call = lambda: None
    again = ct.LayerStack(walk.skeleton, [ct.Layer(walk), ct.Layer(walk[0], weight=0.5), ct.Layer(walk, weight=0.5)])
    again.update(0.25)
    assert bits(stack.update(0.25).pose) == bits(again.update(0.25).pose)


def test_a_parameter_out_of_bounds_is_refused_by_name_and_moves_nothing(walk):
    player = ct.ClipPlayer(walk)
    lean = ct.additive(walk, walk[0])
    layers = [ct.Layer(player), ct.Layer(walk, weight=ct.param("blend")), ct.Layer(lean, mode="additive", weight=ct.param("lean"))]
    stack = ct.LayerStack(walk.skeleton, layers)
    stack.update(0.1, {"blend": 1 + 5e-7, "lean": -3})
    with pytest.raises(ValueError, match=r"LayerStack: layer 1: weight \(parameter 'blend'\) is 1.00001; that of an override is"):
        stack.update(0.1, {"blend": 1.00001, "lean": 0})
    with pytest.raises(ValueError, match=r"layer 2: weight \(parameter 'lean'\) is -2000; .* at most 1000"):
        stack.update(0.1, {"blend": 1, "lean": -2000})
    with pytest.raises(ValueError, match="'lean'"):
        stack.update(0.1, {"blend": 1})
    assert player.time == pytest.approx(0.1)


def test_an_update_in_an_update_is_refused(walk):
    held = Held(walk[0], walk.skeleton)
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(held)])
    errors = []

    def update_again():
        with pytest.raises(RuntimeError, match="update of this source is going on") as error:
            stack.update(0.1)
        errors.append(error)

    held.call = update_again
    stack.update(0.1)
    held.call = lambda: errors.append(ct.LayerStack(walk.skeleton, [ct.Layer(stack)]))
    with pytest.raises(RuntimeError, match="LayerStack: layer 0: an update of this source is going on"):
        stack.update(0.1)
    held.call = lambda: None
    stack.update(0.1)
    assert len(errors) == 1


def test_a_second_thread_is_refused_while_one_updates(walk):
    held = Held(walk[0], walk.skeleton)
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(held)])
    inside, go_on = threading.Event(), threading.Event()

    def wait():
        inside.set()
        go_on.wait(10)

    held.call = wait
    thread = threading.Thread(target=stack.update, args=(0.1,))
    thread.start()
    inside.wait(10)
    with pytest.raises(RuntimeError, match="one thread at a time"):
        stack.update(0.1)
    with pytest.raises(RuntimeError, match="one thread at a time"):
        stack.reset()
    go_on.set()
    thread.join()
    assert held.count == 1


def test_a_source_is_part_of_one_stack_and_free_again_when_that_is_gone(walk):
    player = ct.ClipPlayer(walk)
    layer = ct.Layer(player)
    stack = ct.LayerStack(walk.skeleton, [layer])
    with pytest.raises(ValueError, match="part of another"):
        player.update(0.1)
    with pytest.raises(ValueError, match="layer 1 is part of another source already"):
        ct.LayerStack(walk.skeleton, [ct.Layer(walk), layer])
    del stack
    gc.collect()
    with pytest.raises(ValueError, match="layer 1 is part of another source already"):
        ct.LayerStack(walk.skeleton, [layer, layer])
    player.update(0.1)


def test_a_stack_can_not_hold_itself(walk):
    stack = ct.LayerStack(walk.skeleton, [ct.Layer(walk)])
    with pytest.raises(RuntimeError, match="made already"):
        stack.__init__(walk.skeleton, [ct.Layer(stack)])
    unmade = ct.LayerStack.__new__(ct.LayerStack)
    with pytest.raises(RuntimeError, match="never made"):
        ct.Layer(unmade)
    with pytest.raises(RuntimeError, match="never made"):
        unmade.layers  # noqa: B018
    assert repr(unmade) == "<LayerStack: not made>"


# ------------------------------------------------------------------------------------------------------------------------ bad input


def test_layers_say_what_they_are(walk):
    mask = np.array(walk.skeleton.mask("Spine"))
    layer = ct.Layer(walk, mask=mask, weight=ct.param("w"), space="mesh", root=True)
    mask[:] = 0
    assert np.array_equal(layer.mask, walk.skeleton.mask("Spine"))
    assert not layer.mask.flags.writeable
    assert (layer.source, layer.weight.name, layer.mode, layer.space, layer.root) == (walk, "w", "override", "mesh", True)
    assert repr(layer).startswith("<Layer: override in mesh space, weight param('w'), masked, <Clip 'walk'")
    plain = ct.Layer(walk)
    assert (plain.mask, plain.weight, plain.mode, plain.space, plain.root) == (None, 1.0, "override", "local", False)
    stack = ct.LayerStack(walk.skeleton, [layer, plain])
    assert stack.layers == (layer, plain)
    assert stack.skeleton is walk.skeleton
    assert repr(stack) == "<LayerStack: 2 layers, 18 joints>"


def bad_layers():
    walk = ct.examples.walk()
    delta, additive = ct.additive(walk[0], walk.skeleton), ct.additive(walk, walk.skeleton)
    yield "additive clip", lambda: ct.Layer(walk, mode="additive"), TypeError, r"additive\(clip, reference\) makes one"
    yield "additive source", lambda: ct.Layer(ct.ClipPlayer(walk), mode="additive"), TypeError, r"additive\(clip, reference\) makes one"
    yield "override delta", lambda: ct.Layer(delta), TypeError, "mode='additive' adds it"
    yield "override additive", lambda: ct.Layer(additive), TypeError, "mode='additive' adds it"
    yield "number", lambda: ct.Layer(3), TypeError, "source is int, expected a pose source, a Clip or a Pose"
    yield "batch", lambda: ct.Layer(walk.poses), ValueError, "expected a single pose"
    yield "batch of deltas", lambda: ct.Layer(additive.sample([0, 1]), mode="additive"), ValueError, "expected a single delta"
    yield "mode", lambda: ct.Layer(walk, mode="add"), ValueError, "'additive'"
    yield "space", lambda: ct.Layer(walk, space="world"), ValueError, "'mesh'"
    yield "weight", lambda: ct.Layer(walk, weight=-0.1), ValueError, r"weight is -0\.1; that of an override is from 0 to 1"
    yield "no weight", lambda: ct.Layer(walk, weight=np.nan), ValueError, "expected a finite number"
    yield "text", lambda: ct.Layer(walk, weight="w"), TypeError, "weight"
    yield "big", lambda: ct.Layer(delta, mode="additive", weight=1e4), ValueError, "at most 1000"
    yield "mask", lambda: ct.Layer(walk, mask=[0, 1.5]), ValueError, r"mask is 1\.5 at joint 1; that of an override is from 0 to 1"
    yield "no mask", lambda: ct.Layer(delta, mode="additive", mask=[0, np.nan]), ValueError, "mask is NaN at joint 1"
    yield "table", lambda: ct.Layer(walk, mask=np.ones((18, 1))), ValueError, "mask"
    yield "root", lambda: ct.Layer(delta, mode="additive", root=True), ValueError, "never moves the character"
    yield "side", lambda: ct.Layer(delta, mode="additive", space="mesh"), ValueError, "side='parent'"
    skeleton = walk.skeleton
    yield "short mask", lambda: ct.LayerStack(skeleton, [ct.Layer(walk, mask=[1, 1])]), ValueError, "layer 0: mask has 2 numbers, the skele"
    yield "clip", lambda: ct.LayerStack(skeleton, [walk]), TypeError, "layer 0 is canter.Clip, expected a canter.Layer"
    yield "layer", lambda: ct.LayerStack(skeleton, ct.Layer(walk)), TypeError, "expected a sequence of Layer"
    other = ct.examples.walk(joints=65)
    yield "joints", lambda: ct.LayerStack(skeleton, [ct.Layer(walk), ct.Layer(other)]), ValueError, "layer 1 has 65 joints"
    yield "pose", lambda: ct.LayerStack(skeleton, [ct.Layer(other[0])]), ValueError, "layer 0: 65 joints, but the skeleton has 18"
    yield "skeleton", lambda: ct.LayerStack(walk, []), TypeError, "skeleton"
    nothing = ct.additive(walk[:0], skeleton)
    yield "no frames", lambda: ct.LayerStack(skeleton, [ct.Layer(nothing, mode="additive")]), ValueError, "no frames"


@pytest.mark.parametrize(("call", "error", "message"), [pytest.param(*case, id=name) for name, *case in bad_layers()])
def test_what_can_not_be_a_layer_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()

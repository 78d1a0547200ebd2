"""The skin of the humanoid: a closed, oriented, symmetric surface the size of a person, that bends as a body does."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.spatial import cKDTree

import canter as ct

BOTH = pytest.mark.parametrize("mesh", [18, 65], indirect=True)


@pytest.fixture
def mesh(request):
    return ct.examples.skinned_humanoid(joints=request.param)


def corners(mesh, vertices=None):
    vertices = (mesh.vertices if vertices is None else vertices).astype(np.float64)
    return (vertices[mesh.faces[:, k]] for k in range(3))


def edges(mesh):
    return np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])


def volume(mesh, vertices=None):
    a, b, c = corners(mesh, vertices)
    return np.einsum("ti,ti->", a, np.cross(b, c)) / 6


def posed(mesh, **degrees):
    """The vertices of a pose: turns about X, Y, Z by joint."""
    skeleton = mesh.skeleton
    angles = np.zeros((len(skeleton), 3))
    for name, turn in degrees.items():
        angles[skeleton.index(name)] = np.radians(turn)
    pose = ct.Pose(ct.quat.from_euler(angles, "XYZ"), skeleton.offsets)
    return ct.skin(mesh.vertices, mesh.joints, mesh.weights, skeleton.palette(pose))


@BOTH
def test_surface_is_closed_and_turned_one_way(mesh):
    """Every edge is met once in either direction, and there is one piece without a handle."""
    directed = edges(mesh)
    assert len(np.unique(directed, axis=0)) == len(directed)
    np.testing.assert_array_equal(np.unique(directed, axis=0), np.unique(directed[:, ::-1], axis=0))
    assert len(mesh.vertices) - len(directed) // 2 + len(mesh.faces) == 2


@BOTH
def test_no_triangle_is_degenerate(mesh):
    a, b, c = corners(mesh)
    sides = [np.linalg.norm(p - q, axis=1) for p, q in ((a, b), (b, c), (c, a))]
    doubled_area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    assert (doubled_area / np.max(sides, axis=0) ** 2 > 0.02).all()
    assert np.min(sides) > 3e-4


@BOTH
def test_body_has_the_size_of_a_person(mesh):
    """60 to 80 litres, its soles on the floor, its crown and its fingers where the skeleton ends."""
    assert 0.060 < volume(mesh) < 0.080
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    np.testing.assert_allclose(low[1], 0, atol=0.006)
    np.testing.assert_allclose(high[1], 1.77, atol=0.02)
    np.testing.assert_allclose([-low[0], high[0]], 0.91, atol=0.005 if len(mesh.skeleton) == 65 else 0.03)


@BOTH
def test_normals_are_unit_and_outward(mesh):
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)
    grown = mesh.vertices + 0.001 * mesh.normals
    a, b, c = corners(mesh)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2
    np.testing.assert_allclose(volume(mesh, grown) - volume(mesh), 0.001 * area, rtol=0.03)
    face = np.cross(b - a, c - a)
    assert all((np.einsum("ti,ti->t", face, mesh.normals[mesh.faces[:, k]]) > 0).all() for k in range(3))


@BOTH
def test_weights_sum_to_one_with_the_heaviest_first(mesh):
    assert mesh.joints.shape == mesh.weights.shape == (len(mesh.vertices), 4)
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1, atol=1e-6)
    assert (mesh.weights >= 0).all()
    assert (np.diff(mesh.weights, axis=1) <= 1e-7).all()
    assert mesh.joints.min() >= 0
    assert mesh.joints.max() < len(mesh.skeleton)


@BOTH
def test_weights_are_smooth(mesh):
    """Neighbours on the surface differ little: no joint takes over from one vertex to the next."""
    full = np.zeros((len(mesh.vertices), len(mesh.skeleton)))
    np.add.at(full, (np.arange(len(full))[:, None], mesh.joints), mesh.weights)
    a, b = edges(mesh).T
    assert abs(full[a] - full[b]).max() < 0.4
    joints_that_move_something = np.flatnonzero(full.max(axis=0) > 0.4)
    ends = {name for name in mesh.skeleton.names if name.endswith(("4", "HeadTop", "ToeEnd", "Neck", "Shoulder"))}
    assert {mesh.skeleton.names[j] for j in joints_that_move_something} >= set(mesh.skeleton.names) - ends


@BOTH
def test_left_and_right_are_mirror_images(mesh):
    full = np.zeros((len(mesh.vertices), len(mesh.skeleton)))
    np.add.at(full, (np.arange(len(full))[:, None], mesh.joints), mesh.weights)
    other = mesh.vertices * np.float32([-1, 1, 1])
    _, pairs = cKDTree(mesh.vertices).query(other)
    np.testing.assert_allclose(mesh.vertices[pairs], other, atol=2e-6)
    np.testing.assert_allclose(mesh.normals[pairs], mesh.normals * (-1, 1, 1), atol=2e-4)
    np.testing.assert_allclose(full[pairs], full[:, mesh.skeleton.mirror_map()], atol=2e-5)


@BOTH
def test_rest_pose_leaves_it_where_it_is(mesh):
    moved = ct.skin(mesh.vertices, mesh.joints, mesh.weights, mesh.skeleton.palette(mesh.skeleton.rest))
    np.testing.assert_allclose(moved, mesh.vertices, atol=1e-6)


@BOTH
@pytest.mark.parametrize(
    "degrees",
    [
        {"LeftForeArm": (0, -90, 0)},
        {"RightLeg": (90, 0, 0)},
        {"LeftArm": (0, 0, -75), "RightArm": (0, 0, 75)},
        {"LeftArm": (0, 0, 80)},
        {"LeftUpLeg": (-90, 0, 0), "LeftLeg": (90, 0, 0)},
        {"Spine": (30, 0, 0), "Head": (0, 60, 0)},
    ],
    ids=str,
)
def test_a_bent_body_keeps_its_volume(mesh, degrees):
    np.testing.assert_allclose(volume(mesh, posed(mesh, **degrees)) / volume(mesh), 1, atol=0.03)


@BOTH
def test_an_elbow_bent_by_90_degrees_does_not_collapse(mesh):
    """Linear skinning thins the joint to cos 45 degrees at worst: the way through it stays most of what it was."""
    names, skeleton = mesh.skeleton.names, mesh.skeleton
    elbow = skeleton.forward_kinematics(skeleton.rest)[0][skeleton.index("LeftForeArm")]
    near = np.linalg.norm(mesh.vertices - elbow, axis=1) < 0.06
    assert {names[j] for j in np.unique(mesh.joints[near][mesh.weights[near] > 0.01])} == {"LeftArm", "LeftForeArm"}
    thickness = {}
    for name, vertices in (("straight", mesh.vertices), ("bent", posed(mesh, LeftForeArm=(0, -90, 0)))):
        at_elbow = vertices[near & (abs(mesh.vertices[:, 0] - elbow[0]) < 0.004)] - elbow
        thickness[name] = np.linalg.norm(at_elbow, axis=1)
    assert (thickness["bent"] / thickness["straight"]).min() > 0.65


def test_a_fist_moves_the_fingers_alone():
    mesh = ct.examples.skinned_humanoid(joints=65)
    fist = {f"LeftHand{finger}{k}": (0, 0, -70) for finger in ("Index", "Middle", "Ring", "Pinky") for k in (1, 2, 3)}
    moved = np.linalg.norm(posed(mesh, **fist) - mesh.vertices, axis=1)
    assert (moved[mesh.vertices[:, 0] < 0.75] < 1e-6).all()
    assert (moved[mesh.vertices[:, 0] > 0.86] > 0.02).all()


def test_the_surface_is_one_for_both_skeletons_but_for_fingers_that_cannot_move():
    small, large = ct.examples.skinned_humanoid(), ct.examples.skinned_humanoid(joints=65)
    hand = abs(large.vertices[:, 0]) > 0.70
    np.testing.assert_allclose(small.vertices[~hand], large.vertices[~hand], atol=1e-6)
    assert 0.01 < np.linalg.norm(small.vertices - large.vertices, axis=1).max() < 0.08, "relaxed"
    np.testing.assert_array_equal(small.faces, large.faces)
    assert small.skeleton is ct.examples.humanoid()
    assert large.skeleton is ct.examples.humanoid(joints=65)


def test_it_is_shared_and_cannot_be_changed():
    mesh = ct.examples.skinned_humanoid()
    assert mesh is ct.examples.skinned_humanoid(joints=18)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.vertices = None
    for field in ("vertices", "normals", "faces", "joints", "weights"):
        assert not getattr(mesh, field).flags.writeable
    assert repr(mesh) == f"SkinnedMesh({len(mesh.vertices)} vertices, {len(mesh.faces)} triangles, 18 joints)"


def test_other_counts_of_joints_are_refused():
    with pytest.raises(ValueError, match="joints is 22, expected 18 or 65"):
        ct.examples.skinned_humanoid(joints=22)

"""A skin for the humanoid: a coarse cage of rings around its bones, made round by subdivision, weights included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from canter._core import Pose, Skeleton, skin
from canter.examples.hands import fingers
from canter.examples.humanoid import FINGERS, humanoid
from canter.options import checked

_Doubles = NDArray[np.float64]
_Floats = NDArray[np.float32]
_Indices = NDArray[np.intp]
_Weights = dict[str, float]
_Point = tuple[float, float, float]

INFLUENCES = 4  # joints that move a vertex, at most


@dataclass(frozen=True, eq=False, repr=False)
class SkinnedMesh:
    """A closed surface that follows a skeleton: ``ct.skin(mesh.vertices, mesh.joints, mesh.weights, skeleton.palette(pose))``.

    Attributes
    ----------
    skeleton : Skeleton
        What it was made for.
    vertices : ndarray, shape (V, 3)
        float32, in the rest pose of the skeleton, metres.
    normals : ndarray, shape (V, 3)
        float32, unit, outward.
    faces : ndarray, shape (T, 3)
        int32: the corners of triangles, counter-clockwise as seen from outside.
    joints : ndarray, shape (V, K)
        int32: the joints that move each vertex.
    weights : ndarray, shape (V, K)
        float32: how much; they sum to 1, the heaviest first.
    """

    skeleton: Skeleton
    vertices: _Floats
    normals: _Floats
    faces: NDArray[np.int32]
    joints: NDArray[np.int32]
    weights: _Floats

    def __repr__(self) -> str:
        return f"SkinnedMesh({len(self.vertices)} vertices, {len(self.faces)} triangles, {len(self.skeleton)} joints)"


@checked("examples.skinned_humanoid")
def skinned_humanoid(*, joints: int = 18) -> SkinnedMesh:
    """A body for `humanoid`: a closed mesh with hands and fingers, smooth weights, left and right alike.

    Parameters
    ----------
    joints : {18, 65}
        Of the skeleton. The surface is the same, but that with 18 joints the fingers are stiff, and so they are made relaxed.

    Returns
    -------
    SkinnedMesh
        Its arrays are read-only; the same object at every call.

    Raises
    ------
    ValueError
        `joints` is neither 18 nor 65.

    Notes
    -----
    The cage is subdivided by E. Catmull and J. Clark, *Recursively generated B-spline surfaces on arbitrary topological meshes*
    (1978). Weights are subdivided as positions are, so they are as smooth as the surface.

    Examples
    --------
    >>> mesh = ct.examples.skinned_humanoid(joints=65)
    >>> posed = ct.skin(mesh.vertices, mesh.joints, mesh.weights, mesh.skeleton.palette(mesh.skeleton.rest))
    >>> bool(np.allclose(posed, mesh.vertices, atol=1e-6))
    True
    """
    return _made.get(joints) or _made.setdefault(joints, _mesh(humanoid(joints=joints)))  # of several threads at once, the first's


_made: dict[int, SkinnedMesh] = {}


def _mesh(skeleton: Skeleton) -> SkinnedMesh:
    cage = _Cage()
    _build(cage)
    points, polygons = cage.mirrored()
    points, faces = _subdivide(points, polygons)
    points, faces = _subdivide(points, faces)
    vertices, weights = points[:, :3].copy(), points[:, 3:].copy()
    # Both diagonals of a quad would do; this one, from a vertex to the middle of its old face, is the same on both sides of the body.
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]]).astype(np.int32)

    if "LeftHandIndex1" not in skeleton.names:
        vertices = _with_relaxed_fingers(vertices, weights)
    joints, kept = _heaviest(weights @ _carried_by(skeleton))
    arrays = (vertices, _normals(vertices, triangles), triangles, joints, kept)
    for array in arrays:
        array.flags.writeable = False
    return SkinnedMesh(skeleton, *arrays)


def _with_relaxed_fingers(vertices: _Floats, weights: _Floats) -> _Floats:
    """The surface with the fingers as they are in most clips."""
    skeleton = humanoid(joints=65)
    rotations = np.array(skeleton.rest.rotations)
    for name, rotation in fingers(skeleton).items():
        rotations[skeleton.index(name)] = rotation
    joints, kept = _heaviest(weights.copy())
    return skin(vertices, joints, kept, skeleton.palette(Pose(rotations, skeleton.offsets)))


def _heaviest(weights: _Floats) -> tuple[NDArray[np.int32], _Floats]:
    """The joints and weights that each vertex keeps, the heaviest first, summing to 1; `weights` is used up.

    All weights shrink by the heaviest that is left out. So a weight comes and goes from 0, and of a left and a right one that are
    equal none is preferred.
    """
    rows = np.arange(len(weights))
    joints = np.empty((len(weights), INFLUENCES + 1), dtype=np.int32)
    kept = np.empty((len(weights), INFLUENCES + 1), dtype=np.float32)
    for k in range(INFLUENCES + 1):
        joints[:, k] = weights.argmax(axis=1)
        kept[:, k] = weights[rows, joints[:, k]]
        weights[rows, joints[:, k]] = 0.0
    kept -= kept[:, -1:]
    kept /= kept.sum(axis=1, keepdims=True)
    return joints[:, :-1].copy(), kept[:, :-1].copy()


def _carried_by(skeleton: Skeleton) -> _Floats:
    """(65, J): which joint of `skeleton` moves what each joint of the large humanoid moves: itself or its nearest parent that is there."""
    large = humanoid(joints=65)
    carried = np.zeros((len(large), len(skeleton)), dtype=np.float32)
    for j in range(len(large)):
        k = j
        while large.names[k] not in skeleton.names:
            k = int(large.parents[k])
        carried[j, skeleton.index(large.names[k])] = 1.0
    return carried


def _normals(vertices: _Floats, triangles: NDArray[np.int32]) -> _Floats:
    """Of each vertex: the mean of its triangles' normals, by their area."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    total = _sum_by(triangles.T.reshape(-1), np.concatenate([face] * 3))
    return np.asarray(total / np.linalg.norm(total, axis=1, keepdims=True))


# ---- subdivision


def _sum_by(index: NDArray[np.integer], rows: _Floats) -> _Floats:
    """Sums of the rows with equal index; every index from 0 up occurs."""
    order = np.argsort(index, kind="stable")
    counts = np.bincount(index)
    starts = np.cumsum(counts) - counts
    sums = np.empty((len(counts), rows.shape[1]), dtype=rows.dtype)
    for count in np.unique(counts):  # few: nearly all are equal
        group = np.flatnonzero(counts == count)
        sums[group] = rows[order[starts[group][:, None] + np.arange(count)]].sum(axis=1)
    return sums


def _subdivide(points: _Floats, faces: _Indices | list[list[int]]) -> tuple[_Floats, _Indices]:
    """One step of Catmull-Clark on a closed surface: a quad for each corner of each face. Columns after the third ride along."""
    sizes = np.array([len(face) for face in faces])
    vertex = np.concatenate([np.asarray(face) for face in faces])
    first = np.cumsum(sizes) - sizes
    face = np.repeat(np.arange(len(sizes)), sizes)
    following = np.arange(len(vertex)) + 1
    following[first + sizes - 1] = first
    end = vertex[following]
    _, edge = np.unique(np.minimum(vertex, end) * len(points) + np.maximum(vertex, end), return_inverse=True)

    own = points[vertex]
    face_points = _sum_by(face, own) / sizes[:, None].astype(points.dtype)
    around = face_points[face]
    edge_points = _sum_by(edge, own + around) / 4  # each edge is met twice, once from either end
    valence = np.bincount(vertex)[:, None].astype(points.dtype)
    vertex_points = (_sum_by(vertex, around + points[end]) / valence + (valence - 2) * points) / valence

    edge += len(points)
    face += len(points) + len(edge_points)
    previous = np.empty_like(edge)
    previous[following] = edge
    return np.concatenate([vertex_points, edge_points, face_points]), np.stack([vertex, edge, face, previous], axis=1)


# ---- the cage


class _Cage:
    """Vertices with their weights, and faces, of the left half of the body; what lies at x = 0 is shared with the right."""

    def __init__(self) -> None:
        self.points: list[_Point] = []
        self.weights: list[_Weights] = []
        self.faces: list[list[int]] = []

    def ring(self, points: list[_Point] | _Doubles, weights: _Weights) -> list[int]:
        """New vertices, all with the same weights."""
        first = len(self.points)
        self.points += [(float(x), float(y), float(z)) for x, y, z in points]
        self.weights += [weights] * len(points)
        return list(range(first, len(self.points)))

    def strip(self, a: list[int], b: list[int]) -> None:
        """Quads from each pair of neighbours in `a` to the pair in `b`; outside is where `a` runs to the right of the way to `b`."""
        self.faces += [[a[i], a[i + 1], b[i + 1], b[i]] for i in range(len(a) - 1)]

    def tube(self, a: list[int], b: list[int]) -> None:
        """A strip that closes."""
        self.strip([*a, a[0]], [*b, b[0]])

    def mirrored(self) -> tuple[_Floats, list[list[int]]]:
        """Both halves: vertices with their weights on the 65 joints behind (V, 68), and faces."""
        skeleton = humanoid(joints=65)
        half = np.zeros((len(self.points), 3 + len(skeleton)), dtype=np.float32)
        half[:, :3] = self.points
        for row, weights in zip(half, self.weights, strict=True):
            for name, weight in weights.items():
                row[3 + skeleton.index(name)] = weight

        other = half[:, np.concatenate([np.arange(3), 3 + skeleton.mirror_map()])]
        other[:, 0] *= -1
        middle = half[:, 0] == 0.0
        twin = np.where(middle, np.arange(len(half)), len(half) + np.cumsum(~middle) - 1)
        right = [[int(twin[v]) for v in reversed(face)] for face in self.faces]
        return np.concatenate([half, other[~middle]]), self.faces + right


# Half rings of the trunk from the crotch to the crown: front, front left, back left, back. A ring of four or six corners becomes an
# ellipse that is a few per cent thinner.
_TRUNK: list[tuple[list[_Point], list[_Weights]]] = [
    (
        [(0, 0.845, 0.040), (0.178, 0.900, 0.090), (0.178, 0.885, -0.095), (0, 0.830, -0.050)],
        [{"Hips": 1.0}, {"Hips": 0.5, "LeftUpLeg": 0.5}, {"Hips": 0.5, "LeftUpLeg": 0.5}, {"Hips": 1.0}],
    ),
    (
        [(0, 0.905, 0.100), (0.184, 0.950, 0.092), (0.184, 0.945, -0.118), (0, 0.900, -0.115)],
        [{"Hips": 1.0}, {"Hips": 0.85, "LeftUpLeg": 0.15}, {"Hips": 0.8, "LeftUpLeg": 0.2}, {"Hips": 1.0}],
    ),
    ([(0, 1.000, 0.105), (0.172, 1.015, 0.100), (0.172, 1.015, -0.100), (0, 1.000, -0.105)], [{"Hips": 0.8, "Spine": 0.2}] * 4),
    ([(0, 1.100, 0.096), (0.146, 1.100, 0.090), (0.146, 1.100, -0.082), (0, 1.100, -0.076)], [{"Hips": 0.15, "Spine": 0.85}] * 4),
    ([(0, 1.190, 0.100), (0.155, 1.190, 0.096), (0.158, 1.190, -0.090), (0, 1.190, -0.082)], [{"Spine": 0.7, "Chest": 0.3}] * 4),
    ([(0, 1.280, 0.116), (0.178, 1.290, 0.108), (0.186, 1.290, -0.108), (0, 1.280, -0.100)], [{"Spine": 0.1, "Chest": 0.9}] * 4),
    (
        [(0, 1.375, 0.122), (0.170, 1.370, 0.085), (0.178, 1.370, -0.088), (0, 1.375, -0.110)],
        [{"Chest": 0.4, "UpperChest": 0.6}, *[{"Chest": 0.25, "UpperChest": 0.45, "LeftArm": 0.3}] * 2, {"Chest": 0.4, "UpperChest": 0.6}],
    ),
    (
        [(0, 1.460, 0.078), (0.140, 1.500, 0.045), (0.140, 1.505, -0.062), (0, 1.490, -0.092)],
        [{"UpperChest": 1.0}, *[{"UpperChest": 0.2, "LeftShoulder": 0.5, "LeftArm": 0.3}] * 2, {"UpperChest": 1.0}],
    ),
    (
        [(0, 1.497, 0.058), (0.066, 1.527, 0.048), (0.068, 1.537, -0.060), (0, 1.535, -0.078)],
        [{"UpperChest": 0.5, "Neck": 0.5}, *[{"UpperChest": 0.4, "Neck": 0.4, "LeftShoulder": 0.2}] * 2, {"UpperChest": 0.5, "Neck": 0.5}],
    ),
    ([(0, 1.540, 0.046), (0.055, 1.555, 0.040), (0.056, 1.575, -0.055), (0, 1.580, -0.068)], [{"Neck": 0.8, "Head": 0.2}] * 4),
    ([(0, 1.548, 0.092), (0.046, 1.562, 0.070), (0.060, 1.605, -0.055), (0, 1.610, -0.076)], [{"Neck": 0.15, "Head": 0.85}] * 4),
    ([(0, 1.575, 0.118), (0.060, 1.592, 0.078), (0.076, 1.640, -0.075), (0, 1.645, -0.100)], [{"Head": 1.0}] * 4),
    ([(0, 1.622, 0.135), (0.078, 1.640, 0.072), (0.084, 1.672, -0.085), (0, 1.680, -0.112)], [{"Head": 1.0}] * 4),
    ([(0, 1.668, 0.108), (0.082, 1.685, 0.074), (0.088, 1.705, -0.085), (0, 1.715, -0.112)], [{"Head": 1.0}] * 4),
    ([(0, 1.722, 0.108), (0.075, 1.732, 0.068), (0.080, 1.740, -0.076), (0, 1.745, -0.095)], [{"Head": 1.0}] * 4),
    ([(0, 1.756, 0.070), (0.048, 1.760, 0.046), (0.051, 1.764, -0.054), (0, 1.765, -0.066)], [{"Head": 1.0}] * 4),
    ([(0, 1.774, 0.022), (0.016, 1.774, 0.014), (0.016, 1.775, -0.022), (0, 1.775, -0.026)], [{"Head": 1.0}] * 4),
]
_ARMPIT, _SHOULDER = 6, 7  # the arm comes out of the trunk between these two half rings

# Rings along the left arm: x, y, half the height, half the depth, weights.
_ARM: list[tuple[float, float, float, float, _Weights]] = [
    (0.205, 1.436, 0.066, 0.064, {"LeftShoulder": 0.2, "LeftArm": 0.8}),
    (0.270, 1.438, 0.056, 0.054, {"LeftArm": 1.0}),
    (0.370, 1.438, 0.047, 0.048, {"LeftArm": 1.0}),
    (0.435, 1.440, 0.042, 0.042, {"LeftArm": 0.95, "LeftForeArm": 0.05}),
    (0.470, 1.440, 0.041, 0.041, {"LeftArm": 0.5, "LeftForeArm": 0.5}),
    (0.505, 1.440, 0.042, 0.043, {"LeftArm": 0.05, "LeftForeArm": 0.95}),
    (0.560, 1.440, 0.042, 0.046, {"LeftForeArm": 1.0}),
    (0.650, 1.440, 0.031, 0.035, {"LeftForeArm": 1.0}),
    (0.705, 1.440, 0.023, 0.030, {"LeftForeArm": 0.85, "LeftHand": 0.15}),
    (0.735, 1.440, 0.021, 0.030, {"LeftForeArm": 0.35, "LeftHand": 0.65}),
]

# Rings down the left leg: inner and outer x, y, back and front z, weights.
_LEG: list[tuple[float, float, float, float, float, _Weights]] = [
    (0.006, 0.182, 0.790, -0.098, 0.092, {"Hips": 0.12, "LeftUpLeg": 0.88}),
    (0.014, 0.170, 0.680, -0.086, 0.084, {"LeftUpLeg": 1.0}),
    (0.030, 0.152, 0.560, -0.064, 0.066, {"LeftUpLeg": 0.95, "LeftLeg": 0.05}),
    (0.036, 0.144, 0.490, -0.056, 0.060, {"LeftUpLeg": 0.5, "LeftLeg": 0.5}),
    (0.036, 0.143, 0.425, -0.064, 0.050, {"LeftUpLeg": 0.05, "LeftLeg": 0.95}),
    (0.036, 0.146, 0.340, -0.076, 0.044, {"LeftLeg": 1.0}),
    (0.052, 0.128, 0.200, -0.050, 0.036, {"LeftLeg": 1.0}),
    (0.055, 0.125, 0.115, -0.042, 0.036, {"LeftLeg": 0.8, "LeftFoot": 0.2}),
    (0.050, 0.128, 0.070, -0.062, 0.052, {"LeftLeg": 0.1, "LeftFoot": 0.9}),
    (0.048, 0.130, -0.006, -0.075, 0.056, {"LeftFoot": 1.0}),
]
# Rings along the left foot: inner and outer x, bottom and top y, z, weights.
_FOOT: list[tuple[float, float, float, float, float, _Weights]] = [
    (0.044, 0.138, -0.004, 0.056, 0.095, {"LeftFoot": 1.0}),
    (0.040, 0.146, -0.006, 0.042, 0.135, {"LeftFoot": 0.5, "LeftToe": 0.5}),
    (0.042, 0.144, -0.006, 0.034, 0.180, {"LeftToe": 1.0}),
    (0.050, 0.126, -0.004, 0.022, 0.216, {"LeftToe": 1.0}),
]

_THICKNESS = {"Thumb": 0.0105, "Index": 0.0092, "Middle": 0.0096, "Ring": 0.0092, "Pinky": 0.0082}  # half, at the first joint
_KNUCKLES = [(0.810, 0.0375), (0.826, 0.0135), (0.826, -0.0085), (0.820, -0.0290), (0.804, -0.0480)]  # x, z beside and between the fingers


def _build(cage: _Cage) -> None:
    """The left half, from the trunk outward."""
    trunk = [[v for point, weight in zip(points, weights, strict=True) for v in cage.ring([point], weight)] for points, weights in _TRUNK]
    for k, (low, high) in enumerate(zip(trunk[:-1], trunk[1:], strict=True)):
        cage.strip(low, high)
        if k == _ARMPIT:
            del cage.faces[-2]  # the side, where the arm begins
    cage.faces.append(trunk[-1])
    armpit, shoulder = trunk[_ARMPIT], trunk[_SHOULDER]
    _arm(cage, [armpit[1], armpit[2], shoulder[2], shoulder[1]])
    front, front_left, back_left, back = trunk[0]
    _leg(cage, [front, back, back_left, front_left])


def _arm(cage: _Cage, ring: list[int]) -> None:
    """From a ring at the shoulder outward. Its corners: front bottom, back bottom, back top, front top."""
    for x, y, height, depth, weights in _ARM:
        after = cage.ring(_around((x, y, 0.0), (1.0, 0.0, 0.0), depth, height), weights)
        cage.tube(ring, after)
        ring = after
    _hand(cage, ring)


def _around(center: _Point | _Doubles, direction: _Point | _Doubles, side: float, height: float) -> _Doubles:
    """Four corners around a line that is not upright: front bottom, back bottom, back top, front top, if it points to the left."""
    x, y, z = np.asarray(direction) / np.linalg.norm(direction)
    front = np.array((-z, 0.0, x)) / np.hypot(x, z)
    up = np.array((-x * y, 1.0 - y * y, -z * y)) / np.hypot(x, z)
    return np.asarray(center + side * np.outer((1, -1, -1, 1), front) + height * np.outer((-1, -1, 1, 1), up))


def _hand(cage: _Cage, wrist: list[int]) -> None:
    """A palm that widens from four corners to six to ten, so that each finger has a quad to come out of."""
    x, y = 0.772, 1.440
    palm = cage.ring([(x, y - 0.018, 0.027), (x, y - 0.017, 0.0), (x, y - 0.017, -0.040)], {"LeftHand": 1.0})  # below, from the front
    back = cage.ring([(x, y + 0.012, 0.027), (x, y + 0.017, 0.0), (x, y + 0.013, -0.040)], {"LeftHand": 1.0})
    a, b, c, d = wrist
    cage.faces += [[a, b, palm[2], palm[1], palm[0]], [b, c, back[2], palm[2]], [c, d, back[0], back[1], back[2]]]
    _finger(cage, "Thumb", [a, palm[0], back[0], d])

    low, high = [], []
    beside = [{"Index"}, {"Index", "Middle"}, {"Middle", "Ring"}, {"Ring", "Pinky"}, {"Pinky"}]
    for (x, z), neighbours in zip(_KNUCKLES, beside, strict=True):
        weights = {"LeftHand": 0.5} | {f"LeftHand{finger}1": 0.5 / len(neighbours) for finger in neighbours}
        low += cage.ring([(x, y - 0.012, z)], weights)
        high += cage.ring([(x - 0.008, y + 0.012, z)], weights)
    cage.faces += [
        [palm[0], palm[1], low[2], low[1], low[0]],
        [palm[1], palm[2], low[4], low[3], low[2]],
        [palm[2], back[2], high[4], low[4]],
        [back[2], back[1], high[2], high[3], high[4]],
        [back[1], back[0], high[0], high[1], high[2]],
        [back[0], palm[0], low[0], high[0]],
    ]
    for k, finger in enumerate(FINGERS[1:]):
        _finger(cage, finger, [low[k], low[k + 1], high[k + 1], high[k]])


def _finger(cage: _Cage, finger: str, ring: list[int]) -> None:
    """Rings at its second and third joint, between them, and at its tip."""
    skeleton = humanoid(joints=65)
    names = [f"LeftHand{finger}{k}" for k in (1, 2, 3, 4)]
    positions = skeleton.forward_kinematics(skeleton.rest)[0]
    joint = [positions[skeleton.index(name)].astype(np.float64) for name in names]
    radius = _THICKNESS[finger]
    base = 0.8 if finger == "Thumb" else 0.62  # where it leaves the web of the hand
    for center, size, weights in (
        (joint[0] + base * (joint[1] - joint[0]), 1.0, {names[0]: 1.0}),
        (joint[1], 0.98, {names[0]: 0.5, names[1]: 0.5}),
        ((joint[1] + joint[2]) / 2, 0.95, {names[1]: 1.0}),
        (joint[2], 0.93, {names[1]: 0.5, names[2]: 0.5}),
        (joint[2] + 0.6 * (joint[3] - joint[2]), 0.9, {names[2]: 1.0}),
        (joint[3] + 0.1 * (joint[3] - joint[2]), 0.62, {names[2]: 1.0}),
    ):
        after = cage.ring(_around(center, joint[3] - joint[0], size * radius, size * radius), weights)
        cage.tube(ring, after)
        ring = after
    cage.faces.append(ring)


def _leg(cage: _Cage, ring: list[int]) -> None:
    """From a ring at the hip down. Its corners: inner front, inner back, outer back, outer front."""
    for inner, outer, y, back, front, weights in _LEG:
        above = ring
        ring = cage.ring([(inner, y, front), (inner, y, back), (outer, y, back), (outer, y, front)], weights)
        cage.tube(above, ring)
    del cage.faces[-1]  # the front of the heel, where the foot goes on
    cage.faces.append(ring)
    # Corners of the foot: inner bottom, outer bottom, outer top, inner top.
    foot = [ring[0], ring[3], above[3], above[0]]
    for inner, outer, bottom, top, z, weights in _FOOT:
        after = cage.ring([(inner, bottom, z), (outer, bottom, z), (outer, top, z), (inner, top, z)], weights)
        cage.tube(foot, after)
        foot = after
    cage.faces.append(foot)

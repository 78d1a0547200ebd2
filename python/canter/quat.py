"""Quaternions: rotations as four numbers (w, x, y, z).

Unit quaternions, Hamilton product, active: ``rotate(multiply(a, b), v)`` turns ``v`` by ``b`` first, then by ``a``. ``q`` and ``-q`` are
one rotation. Angles are in radians.

Every function takes any leading batch dimensions and broadcasts them. float32 stays float32 when all arrays are; Python numbers
follow the arrays, and everything else (lists, integers, half precision) becomes float64. Results have the same bits at every SIMD
level. No finite input gives NaN or a warning: what a degenerate input gives stands with each function.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from canter._core import quaternion_ufuncs as _ufuncs

__all__ = [
    "angle",
    "angular_velocity",
    "between",
    "conjugate",
    "exp",
    "from_6d",
    "from_axis_angle",
    "from_euler",
    "from_matrix",
    "from_scipy",
    "log",
    "multiply",
    "nlerp",
    "normalize",
    "rotate",
    "slerp",
    "swing_twist",
    "to_6d",
    "to_axis_angle",
    "to_euler",
    "to_matrix",
    "to_scipy",
    "unroll",
]

_Array = npt.NDArray[Any]
_Operand = tuple[npt.ArrayLike, tuple[int, ...]]  # a value, and the shape of one of its elements

_ORDERS = [name.removeprefix("from_euler_") for name in _ufuncs if name.startswith("from_euler_")]


def __dir__() -> list[str]:
    return __all__


def _arrays(function: str, operands: dict[str, _Operand]) -> list[_Array]:
    """The operands in one precision, their kinds and last dimensions checked."""
    arrays = []
    single = double = False
    for name, (value, core) in operands.items():
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"{function}: {name} has dtype {array.dtype}, expected real numbers")
        if array.shape[max(array.ndim - len(core), 0) :] != core:
            raise ValueError(f"{function}: {name} has shape {array.shape}, expected ({', '.join(['...', *map(str, core)])})")
        if type(value) not in (float, int):
            single |= array.dtype.type is np.float32
            double |= array.dtype.type is not np.float32
        arrays.append(array)
    dtype = np.float32 if single and not double else np.float64
    if all(array.dtype == dtype for array in arrays):
        return arrays
    with np.errstate(all="ignore"):
        return [array.astype(dtype, copy=False) for array in arrays]


def _apply(function: str, ufunc: str, out: Any, /, **operands: _Operand) -> _Array:
    """The ufunc of arrays, checked first so that errors speak of the function and its arguments."""
    arrays = _arrays(function, operands)
    try:
        result: _Array = _ufuncs[ufunc](*arrays, **({} if out is None else {"out": out}))
    except ValueError:
        outs = [array for array in (out if isinstance(out, tuple) else (out,)) if array is not None]
        if any(not array.flags.writeable for array in outs):
            raise
        given = [f"{name} {array.shape}" for name, array in zip(operands, arrays, strict=True)] + [f"out {array.shape}" for array in outs]
        raise ValueError(f"{function}: shapes do not fit each other: {', '.join(given)}") from None
    return result


def _check_order(function: str, order: str) -> str:
    if order in _ORDERS:
        return order
    if isinstance(order, str) and order.upper() in _ORDERS:
        raise ValueError(f"{function}: order {order!r} is not upper case; orders here are intrinsic and written {order.upper()!r}")
    raise ValueError(f"{function}: order is {order!r}, expected one of {', '.join(_ORDERS)}")


def _track_axis(function: str, shape: tuple[int, ...], axis: int) -> int:
    """The index of a batch axis of `shape`, whose last axis holds components."""
    index = operator.index(axis)
    count = len(shape)
    if not -count <= index < count or index % count == count - 1:
        raise ValueError(f"{function}: axis is {axis}, expected an axis of shape {shape} other than the last, which holds the components")
    return index % count


def multiply(a: npt.ArrayLike, b: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """Hamilton product: the rotation ``b``, then the rotation ``a``.

    Parameters
    ----------
    a, b : array_like, shape (..., 4)
        Of any length; lengths multiply.
    out : ndarray, shape (..., 4), optional
        Where to write; may be ``a`` or ``b``.

    Returns
    -------
    ndarray, shape (..., 4)

    Raises
    ------
    ValueError
        The last axis is not 4 long, or the shapes do not broadcast.
    TypeError
        The input is not made of real numbers.

    Examples
    --------
    >>> i, j = (0, 1, 0, 0), (0, 0, 1, 0)
    >>> ct.quat.multiply(i, j)
    array([0., 0., 0., 1.])
    """
    return _apply("multiply", "multiply", out, a=(a, (4,)), b=(b, (4,)))


def conjugate(q: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The inverse rotation of a unit quaternion: the vector part negated.

    Parameters
    ----------
    q : array_like, shape (..., 4)
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)

    Examples
    --------
    >>> ct.quat.conjugate((0.5, 0.5, 0.5, 0.5))
    array([ 0.5, -0.5, -0.5, -0.5])
    """
    return _apply("conjugate", "conjugate", out, q=(q, (4,)))


def rotate(q: npt.ArrayLike, v: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """Vectors turned by quaternions.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit.
    v : array_like, shape (..., 3)
        In any unit of length.
    out : ndarray, shape (..., 3), optional

    Returns
    -------
    ndarray, shape (..., 3)

    Raises
    ------
    ValueError
        A last axis is not 4 or 3 long, or the shapes do not broadcast.

    Examples
    --------
    A quarter turn about +Y takes +Z to +X.

    >>> quarter = ct.quat.from_axis_angle((0, 1, 0), np.pi / 2)
    >>> ct.quat.rotate(quarter, (0, 0, 1)).round(12)
    array([1., 0., 0.])
    """
    return _apply("rotate", "rotate", out, q=(q, (4,)), v=(v, (3,)))


def normalize(q: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """Quaternions of unit length.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Of any length, however small or large; zero gives the identity.
    out : ndarray, shape (..., 4), optional
        May be ``q``.

    Returns
    -------
    ndarray, shape (..., 4)

    Examples
    --------
    >>> ct.quat.normalize([(0, 0, 5, 0), (0, 0, 0, 0)])
    array([[0., 0., 1., 0.],
           [1., 0., 0., 0.]])
    """
    return _apply("normalize", "normalize", out, q=(q, (4,)))


def nlerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike, *, shortest: bool = True, out: _Array | None = None) -> _Array:
    """Normalised linear interpolation from ``a`` to ``b``.

    The same path as `slerp`, at a pace that is slower near the ends; cheaper.

    Parameters
    ----------
    a, b : array_like, shape (..., 4)
        Unit.
    t : array_like, shape (...)
        0 gives ``a``, 1 gives ``b``, both bit for bit.
    shortest : bool, default True
        Go the short way, as if ``b`` were ``-b`` where that is nearer (then ``t = 1`` gives ``-b``). False takes the signs as they are.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit. Halfway from ``q`` to ``-q`` with ``shortest=False`` there is nothing to normalise: the identity.

    Examples
    --------
    >>> ct.quat.nlerp((1, 0, 0, 0), (0, 1, 0, 0), 0.5).round(4)
    array([0.7071, 0.7071, 0.    , 0.    ])
    """
    return _apply("nlerp", "nlerp" if shortest else "nlerp_long", out, a=(a, (4,)), b=(b, (4,)), t=(t, ()))


def slerp(a: npt.ArrayLike, b: npt.ArrayLike, t: npt.ArrayLike, *, shortest: bool = True, out: _Array | None = None) -> _Array:
    """Spherical linear interpolation from ``a`` to ``b``: the turn at an even pace.

    Parameters
    ----------
    a, b : array_like, shape (..., 4)
        Unit.
    t : array_like, shape (...)
        0 gives ``a``, 1 gives ``b``, both bit for bit; outside 0 to 1 the turn goes on.
    shortest : bool, default True
        Go the short way, as if ``b`` were ``-b`` where that is nearer (then ``t = 1`` gives ``-b``). False takes the signs as they
        are, so a turn of 270 degrees stays one.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit. From ``q`` to ``-q`` with ``shortest=False`` every way is as long: it turns about the local x axis.

    Notes
    -----
    K. Shoemake, *Animating rotation with quaternion curves* (1985), with the angle from atan2 and the direction from the difference,
    so that neither tiny angles nor those near a full turn lose digits.

    Examples
    --------
    >>> quarter = ct.quat.from_euler((90 * np.pi / 180, 0, 0), "ZXY")
    >>> third = ct.quat.slerp((1, 0, 0, 0), quarter, 1 / 3)
    >>> np.degrees(ct.quat.to_euler(third, "ZXY")).round(6)
    array([30.,  0.,  0.])
    """
    return _apply("slerp", "slerp" if shortest else "slerp_long", out, a=(a, (4,)), b=(b, (4,)), t=(t, ()))


def exp(v: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The rotation of a rotation vector: by ``|v|`` radians about ``v``.

    Parameters
    ----------
    v : array_like, shape (..., 3)
        Radians. A velocity in rad/s times a time is one. Zero gives the identity.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit: ``(cos(|v| / 2), sin(|v| / 2) v / |v|)``.

    See Also
    --------
    log : the inverse

    Examples
    --------
    >>> ct.quat.exp((0, np.pi, 0)).round(12)
    array([0., 0., 1., 0.])
    """
    return _apply("exp", "exp", out, v=(v, (3,)))


def log(q: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The rotation vector of a quaternion: its axis, as long as its angle.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Of any length but zero, which gives a zero vector.
    out : ndarray, shape (..., 3), optional

    Returns
    -------
    ndarray, shape (..., 3)
        Radians, at most pi long: ``q`` and ``-q`` give the same.

    Examples
    --------
    >>> ct.quat.log((1, 0, 0, 0))
    array([0., 0., 0.])
    >>> ct.quat.log(ct.quat.exp((0.1, 0.2, -0.3))).round(12)
    array([ 0.1,  0.2, -0.3])
    """
    return _apply("log", "log", out, q=(q, (4,)))


def from_euler(angles: npt.ArrayLike, order: str, *, out: _Array | None = None) -> _Array:
    """Quaternions from Euler angles.

    Parameters
    ----------
    angles : array_like, shape (..., 3)
        Radians, in the order of the letters.
    order : str
        Three axes, intrinsic and left to right, as channels in a BVH file: ``"ZXY"`` is ``qz(a) * qx(b) * qy(c)``. XYZ, XZY, YXZ, YZX, ZXY,
        ZYX, or with the first axis again XYX, XZX, YXY, YZY, ZXZ, ZYZ.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit.

    Raises
    ------
    ValueError
        The order is none of the twelve; lower case, which elsewhere means extrinsic rotations, is refused.

    Examples
    --------
    >>> q = ct.quat.from_euler(np.radians((10, 20, 30)), "ZXY")
    >>> np.degrees(ct.quat.to_euler(q, "ZXY")).round(9)
    array([10., 20., 30.])
    """
    return _apply("from_euler", f"from_euler_{_check_order('from_euler', order)}", out, angles=(angles, (3,)))


def to_euler(q: npt.ArrayLike, order: str, *, continuous: bool | int = False, out: _Array | None = None) -> _Array:
    """Euler angles of quaternions.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit.
    order : str
        As in `from_euler`.
    continuous : bool or int, default False
        An axis of ``q`` (True is axis 0) along which each triple of angles is the one nearest to that before it: whole turns are
        added, the other branch is taken, and at gimbal lock the first and third angle share the change. The first triple is as
        without.
    out : ndarray, shape (..., 3), optional

    Returns
    -------
    ndarray, shape (..., 3)
        Radians. The first and third are in (-pi, pi]. The second is in -pi/2 to pi/2, or in 0 to pi where the first axis comes again.

    Raises
    ------
    ValueError
        The order is none of the twelve, or ``continuous`` is no batch axis of ``q``.

    Notes
    -----
    At gimbal lock (within 16 epsilon radians) only the sum or the difference of the first and third angle is known: the third is 0.
    After E. Bernardes and S. Viollet, *Quaternion to Euler angles conversion* (2022).

    Examples
    --------
    >>> turning = ct.quat.from_euler([(np.radians(a), 0, 0) for a in (170, 180, 190)], "YXZ")
    >>> np.degrees(ct.quat.to_euler(turning, "YXZ")[:, 0]).round(9)
    array([ 170.,  180., -170.])
    >>> np.degrees(ct.quat.to_euler(turning, "YXZ", continuous=True)[:, 0]).round(9)
    array([170., 180., 190.])
    """
    order = _check_order("to_euler", order)
    angles = _apply("to_euler", f"to_euler_{order}", out, q=(q, (4,)))
    if not isinstance(continuous, (bool, np.bool_)) or continuous:
        axis = _track_axis("to_euler", angles.shape, 0 if isinstance(continuous, (bool, np.bool_)) else continuous)
        tracks = np.moveaxis(angles, axis, -2)
        _ufuncs[f"continuous_euler_{order}"](tracks, out=tracks)
    return angles


def from_matrix(matrix: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """Quaternions of rotation matrices.

    Parameters
    ----------
    matrix : array_like, shape (..., 3, 3)
        Columns are the turned axes. The first two columns are made orthonormal first (Gram-Schmidt, as in `from_6d`), so scaled,
        sheared and mirrored matrices give a rotation too: the one that keeps the first axis and the plane of the first two.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit, with ``w >= 0``.

    Notes
    -----
    S. W. Shepperd, *Quaternion from rotation matrix* (1978). A zero matrix gives the identity.

    Examples
    --------
    >>> ct.quat.from_matrix(3 * np.eye(3))
    array([1., 0., 0., 0.])
    """
    return _apply("from_matrix", "from_matrix", out, matrix=(matrix, (3, 3)))


def to_matrix(q: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """Rotation matrices of quaternions; their columns are the turned axes.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Of any length; zero gives the identity.
    out : ndarray, shape (..., 3, 3), optional

    Returns
    -------
    ndarray, shape (..., 3, 3)

    Examples
    --------
    >>> ct.quat.to_matrix((0, 0, 1, 0))
    array([[-1.,  0.,  0.],
           [ 0.,  1.,  0.],
           [ 0.,  0., -1.]])
    """
    return _apply("to_matrix", "to_matrix", out, q=(q, (4,)))


def from_axis_angle(axis: npt.ArrayLike, angle: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The rotation by an angle about an axis.

    Parameters
    ----------
    axis : array_like, shape (..., 3)
        Of any length; zero gives the identity.
    angle : array_like, shape (...)
        Radians.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit.

    Examples
    --------
    >>> ct.quat.from_axis_angle((0, 2, 0), np.pi).round(12)
    array([0., 0., 1., 0.])
    """
    return _apply("from_axis_angle", "from_axis_angle", out, axis=(axis, (3,)), angle=(angle, ()))


def to_axis_angle(q: npt.ArrayLike, *, out: tuple[_Array, _Array] | None = None) -> tuple[_Array, _Array]:
    """Axis and angle of rotations.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Of any length.
    out : (ndarray, ndarray), optional

    Returns
    -------
    axis : ndarray, shape (..., 3)
        Unit. The identity turns about x.
    angle : ndarray, shape (...)
        Radians, 0 to pi: ``q`` and ``-q`` give the same.

    Examples
    --------
    >>> axis, angle = ct.quat.to_axis_angle((0, 0, 1, 0))
    >>> axis, float(angle)
    (array([0., 1., 0.]), 3.141592653589793)
    """
    axis, angle = _apply("to_axis_angle", "to_axis_angle", out, q=(q, (4,)))
    return axis, angle


def from_6d(columns: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """Quaternions from the first two columns of a matrix, as networks give them.

    Parameters
    ----------
    columns : array_like, shape (..., 6)
        ``c0x c0y c0z c1x c1y c1z``, made orthonormal by Gram-Schmidt: the first keeps its direction, the second loses its part
        along the first.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit, with ``w >= 0``.

    Notes
    -----
    Y. Zhou et al., *On the continuity of rotation representations in neural networks* (2019). A zero first column stands for x; a
    second that is zero or along the first is replaced by ``e x c0``, where e is the coordinate axis along which c0 is shortest (the
    last of equal ones).

    Examples
    --------
    >>> ct.quat.from_6d((2, 0, 0, 1, 3, 0))
    array([1., 0., 0., 0.])
    """
    return _apply("from_6d", "from_6d", out, columns=(columns, (6,)))


def to_6d(q: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The first two columns of the rotation matrices of quaternions.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Of any length; zero gives the identity.
    out : ndarray, shape (..., 6), optional

    Returns
    -------
    ndarray, shape (..., 6)
        ``c0x c0y c0z c1x c1y c1z``.

    Examples
    --------
    >>> ct.quat.to_6d((1, 0, 0, 0))
    array([1., 0., 0., 0., 1., 0.])
    """
    return _apply("to_6d", "to_6d", out, q=(q, (4,)))


def between(u: npt.ArrayLike, v: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The smallest rotation that takes one direction to another.

    Parameters
    ----------
    u, v : array_like, shape (..., 3)
        Of any length.
    out : ndarray, shape (..., 4), optional

    Returns
    -------
    ndarray, shape (..., 4)
        Unit. A zero vector gives the identity; opposite ones half a turn about ``e x u``, where e is the coordinate axis along which u is
        shortest (the last of equal ones).

    Examples
    --------
    >>> ct.quat.between((0, 0, 1), (1, 0, 0)).round(4)
    array([0.7071, 0.    , 0.7071, 0.    ])
    >>> ct.quat.between((1, 0, 0), (-1, 0, 0))
    array([0., 0., 1., 0.])
    """
    return _apply("between", "between", out, u=(u, (3,)), v=(v, (3,)))


def swing_twist(q: npt.ArrayLike, axis: npt.ArrayLike, *, out: tuple[_Array, _Array] | None = None) -> tuple[_Array, _Array]:
    """Rotations split into a twist about an axis, and a swing of that axis after it.

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit.
    axis : array_like, shape (..., 3)
        Of any length; zero has no twist.
    out : (ndarray, ndarray), optional

    Returns
    -------
    swing, twist : ndarray, shape (..., 4)
        ``q = swing * twist``. The twist turns about the axis, the swing about one across it. Where the swing is half a turn, any twist
        would do: it is the identity.

    Examples
    --------
    >>> q = ct.quat.from_euler((0.3, 0.4, 0.0), "XYZ")
    >>> swing, twist = ct.quat.swing_twist(q, (0, 1, 0))
    >>> ct.quat.log(twist).round(12)
    array([0. , 0.4, 0. ])
    """
    swing, twist = _apply("swing_twist", "swing_twist", out, q=(q, (4,)), axis=(axis, (3,)))
    return swing, twist


def angle(a: npt.ArrayLike, b: npt.ArrayLike, *, out: _Array | None = None) -> _Array:
    """The angle of the rotation from one quaternion to another.

    Parameters
    ----------
    a, b : array_like, shape (..., 4)
        Unit.
    out : ndarray, shape (...), optional

    Returns
    -------
    ndarray, shape (...)
        Radians, 0 to pi, accurate at both ends; the signs of ``a`` and ``b`` do not matter.

    Examples
    --------
    >>> float(ct.quat.angle((1, 0, 0, 0), (0, 0, 0, -1)))
    3.141592653589793
    """
    return _apply("angle", "angle", out, a=(a, (4,)), b=(b, (4,)))


def unroll(q: npt.ArrayLike, *, axis: int = 0) -> _Array:
    """Quaternions with signs that make neighbours along an axis near.

    Parameters
    ----------
    q : array_like, shape (..., 4)
    axis : int, default 0
        Time; any axis but the last.

    Returns
    -------
    ndarray, shape (..., 4)
        The same rotations. The first keeps its sign.

    Raises
    ------
    ValueError
        There is no such axis.

    Examples
    --------
    >>> ct.quat.unroll([(1, 0, 0, 0), (-1, 0, 0, 0), (0.6, 0.8, 0, 0)])
    array([[ 1. ,  0. ,  0. ,  0. ],
           [ 1. , -0. , -0. , -0. ],
           [ 0.6,  0.8,  0. ,  0. ]])
    """
    (array,) = _arrays("unroll", {"q": (q, (4,))})
    index = _track_axis("unroll", array.shape, axis)
    out = np.empty_like(array, order="C", subok=False)
    _ufuncs["unroll"](np.moveaxis(array, index, -2), out=np.moveaxis(out, index, -2))
    return out


def angular_velocity(q: npt.ArrayLike, dt: npt.ArrayLike, *, axis: int = 0) -> _Array:
    """Angular velocity between neighbours along an axis, in the axes that the rotations turn into (the parent's).

    Parameters
    ----------
    q : array_like, shape (..., 4)
        Unit; signs do not matter.
    dt : float or array_like, shape (N - 1,)
        Seconds from each of the N samples to the next, positive.
    axis : int, default 0
        Time; any axis but the last.

    Returns
    -------
    ndarray, shape (..., 3)
        rad/s, one sample fewer along the axis: ``q[i + 1] = exp(w[i] * dt) * q[i]``, up to sign.

    Raises
    ------
    ValueError
        A time is not positive and finite, there are not N - 1 of them, or there is no such axis.

    Examples
    --------
    >>> turning = ct.quat.from_axis_angle((0, 1, 0), [0.0, 0.1, 0.3])
    >>> ct.quat.angular_velocity(turning, 0.5).round(12)
    array([[0. , 0.2, 0. ],
           [0. , 0.4, 0. ]])
    """
    array, step = _arrays("angular_velocity", {"q": (q, (4,)), "dt": (dt, ())})
    index = _track_axis("angular_velocity", array.shape, axis)
    count = max(array.shape[index] - 1, 0)
    if step.ndim and step.shape != (count,):
        raise ValueError(f"angular_velocity: dt has shape {step.shape}, expected a number or ({count},)")
    if not np.all((step > 0) & np.isfinite(step)):
        raise ValueError("angular_velocity: dt must be positive and finite")
    tracks = np.moveaxis(array, index, -2)
    velocity: _Array = _ufuncs["angular_velocity"](tracks[..., :count, :], tracks[..., 1:, :], step)
    return np.moveaxis(velocity, -2, index)


def from_scipy(q: Any) -> _Array:
    """Quaternions from SciPy's order (x, y, z, w).

    Parameters
    ----------
    q : array_like, shape (..., 4), or scipy.spatial.transform.Rotation

    Returns
    -------
    ndarray, shape (..., 4)
        (w, x, y, z).

    Examples
    --------
    >>> ct.quat.from_scipy((0.1, 0.2, 0.3, 0.9))
    array([0.9, 0.1, 0.2, 0.3])
    """
    (array,) = _arrays("from_scipy", {"q": (q.as_quat() if hasattr(q, "as_quat") else q, (4,))})
    return array[..., [3, 0, 1, 2]]


def to_scipy(q: npt.ArrayLike) -> _Array:
    """Quaternions in SciPy's order (x, y, z, w).

    Parameters
    ----------
    q : array_like, shape (..., 4)
        (w, x, y, z).

    Returns
    -------
    ndarray, shape (..., 4)
        As `scipy.spatial.transform.Rotation.from_quat` takes them.

    Examples
    --------
    >>> ct.quat.to_scipy((0.9, 0.1, 0.2, 0.3))
    array([0.1, 0.2, 0.3, 0.9])
    """
    (array,) = _arrays("to_scipy", {"q": (q, (4,))})
    return array[..., [1, 2, 3, 0]]

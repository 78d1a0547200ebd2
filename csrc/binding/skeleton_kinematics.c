#include "skeleton_methods.h"

#include <string.h>

#include "arguments.h"
#include "clip_type.h"
#include "convert.h"
#include "core_call.h"
#include "forward_kinematics.h"
#include "pose_type.h"
#include "skeleton_type.h"
#include "tips.h"

// Poses of one call and the batch dimensions that the results have too.
typedef struct batch {
    ct_poses poses;
    int rank;
    npy_intp shape[NPY_MAXDIMS];
} batch;

// A clip is the batch of its frames.
static int to_batch(skeleton_object *self, PyObject *value, const char *function, batch *out)
{
    module_state *state = state_of(Py_TYPE(self));
    if (PyObject_TypeCheck(value, state->pose_type)) {
        pose_object *pose = (pose_object *)value;
        out->poses = poses_of(pose);
        out->rank = batch_rank(pose);
        memcpy(out->shape, batch_shape(pose), (size_t)out->rank * sizeof *out->shape);
    } else if (PyObject_TypeCheck(value, state->clip_type)) {
        out->poses = poses_of_clip((clip_object *)value);
        out->rank = 1;
        out->shape[0] = (npy_intp)out->poses.count;
    } else {
        PyErr_Format(PyExc_TypeError, "%s: pose is %.100s, expected a canter.Pose or a canter.Clip", function, Py_TYPE(value)->tp_name);
        return -1;
    }
    if (out->poses.layout.joint_count == self->core->joint_count) return 0;
    PyErr_Format(PyExc_ValueError, "%s: pose has %zu joints, the skeleton has %zu", function, out->poses.layout.joint_count,
                 self->core->joint_count);
    return -1;
}

// The result of a batch: (*batch, rows, columns), or (*batch, rows, columns, columns) for `square`. Poses are read-only, so no caller's
// array overlaps them.
static PyArrayObject *result(const batch *b, size_t rows, int columns, bool square, PyObject *out, const char *where)
{
    npy_intp shape[NPY_MAXDIMS];
    int rank = b->rank;
    memcpy(shape, b->shape, (size_t)rank * sizeof *shape);
    shape[rank++] = (npy_intp)rows;
    shape[rank++] = columns;
    if (square) shape[rank++] = columns;
    return to_out(out, NPY_FLOAT, where, rank, shape);
}

static int to_pair(PyObject *out, PyObject *parts[2])
{
    parts[0] = parts[1] = NULL;
    if (!out || out == Py_None) return 0;
    if (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != 2) {
        PyErr_SetString(PyExc_TypeError,
                        "Skeleton.forward_kinematics: out is not a pair, expected (positions, rotations); each may be None");
        return -1;
    }
    parts[0] = PyTuple_GET_ITEM(out, 0);
    parts[1] = PyTuple_GET_ITEM(out, 1);
    return 0;
}

const char skeleton_forward_kinematics_doc[] =
    "forward_kinematics($self, pose, *, workers=1, out=None)\n--\n\n"
    "Where every joint is, and how it is turned, in the world.\n\n"
    "Parameters\n----------\n"
    "pose : Pose or Clip\n"
    "    Local poses, one, a batch of any shape, or the frames of a clip. Without translations joints stand at the skeleton's offsets.\n"
    "workers : int, default 1\n"
    "    Threads to use, -1 for all cores. The result has the same bits for any number.\n"
    "out : (ndarray or None, ndarray or None), optional\n"
    "    C-contiguous float32 arrays for the two results; None makes a new one.\n\n"
    "Returns\n-------\n"
    "positions : ndarray of float32, shape (..., J, 3)\n"
    "rotations : ndarray of float32, shape (..., J, 4)\n"
    "    Unit quaternions w, x, y, z.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The pose has another number of joints, or an array of `out` does not fit.\n\n"
    "Notes\n-----\n"
    "A joint's global is its parent's, then its own: ``q = q_parent * q_local`` and ``p = p_parent + rotate(q_parent, t_local)``. With\n"
    "scales, positions go through the matrices of translation, rotation and scale; rotations stay products of rotations. Positions alone\n"
    "don't tell rotations: a straight arm may be rolled about its own axis without moving any joint.\n\n"
    "Examples\n--------\n"
    "An arm along +X, the elbow bent by a quarter turn about +Z:\n\n"
    ">>> import canter as ct\n"
    ">>> arm = ct.Skeleton([\"Arm\", \"Elbow\", \"Hand\"], [-1, 0, 1], [(0, 0, 0), (0.3, 0, 0), (0.25, 0, 0)])\n"
    ">>> half = 0.5 ** 0.5\n"
    ">>> pose = ct.Pose([(1, 0, 0, 0), (half, 0, 0, half), (1, 0, 0, 0)])\n"
    ">>> positions, rotations = arm.forward_kinematics(pose)\n"
    ">>> positions[2].round(3)\n"
    "array([0.3 , 0.25, 0.  ], dtype=float32)";

PyObject *skeleton_forward_kinematics(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.forward_kinematics", 1, 1, {"pose", "workers", "out", NULL}};
    skeleton_object *self = (skeleton_object *)op;
    PyObject *values[3], *outs[2];
    batch b;
    int workers;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_batch(self, values[0], s.function, &b) < 0) return NULL;
    if (to_workers(values[1], s.function, &workers) < 0 || to_pair(values[2], outs) < 0) return NULL;

    size_t joints = self->core->joint_count;
    PyObject *pair = NULL;
    PyArrayObject *rotations = NULL;
    PyArrayObject *positions = result(&b, joints, 3, false, outs[0], "Skeleton.forward_kinematics: out positions");
    if (positions) rotations = result(&b, joints, 4, false, outs[1], "Skeleton.forward_kinematics: out rotations");
    if (!rotations || check_apart(positions, rotations, "Skeleton.forward_kinematics: out") < 0) goto done;

    core_call call;
    ct_error error;
    const ct_interrupt *interrupt = enter_core(&call, b.poses.count * joints);
    ct_status status = ct_forward_kinematics(self->core, active_kernels(), b.poses, workers, interrupt, PyArray_DATA(positions),
                                             PyArray_DATA(rotations), &error);
    leave_core(&call);
    pair = status == CT_OK ? PyTuple_Pack(2, positions, rotations) : raise_error(&error, s.function);
done:
    Py_XDECREF(positions);
    Py_XDECREF(rotations);
    return pair;
}

// matrices and palette differ in what stands on the right of the globals.
static PyObject *global_matrices(skeleton_object *self, const char *function, PyObject *const *values, const PyArrayObject *inverse_bind)
{
    batch b;
    int workers;
    if (to_batch(self, values[0], function, &b) < 0) return NULL;
    if (to_workers(values[1], function, &workers) < 0) return NULL;

    char out_name[64];
    PyOS_snprintf(out_name, sizeof out_name, "%s: out", function);
    size_t joints = self->core->joint_count;
    PyArrayObject *matrices = result(&b, joints, 4, true, values[2], out_name);
    if (!matrices) return NULL;

    core_call call;
    ct_error error;
    const ct_interrupt *interrupt = enter_core(&call, b.poses.count * joints);
    ct_status status = inverse_bind
                           ? ct_palette(self->core, active_kernels(), b.poses, PyArray_DATA((PyArrayObject *)inverse_bind), workers,
                                        interrupt, PyArray_DATA(matrices), &error)
                           : ct_global_matrices(self->core, active_kernels(), b.poses, workers, interrupt, PyArray_DATA(matrices), &error);
    leave_core(&call);
    if (status == CT_OK) return (PyObject *)matrices;
    Py_DECREF(matrices);
    return raise_error(&error, function);
}

const char skeleton_matrices_doc[] = "matrices($self, pose, *, workers=1, out=None)\n--\n\n"
                                     "The global matrix of every joint: from its own axes to the world.\n\n"
                                     "Parameters\n----------\n"
                                     "pose : Pose or Clip\n"
                                     "    Local poses, one, a batch of any shape, or the frames of a clip.\n"
                                     "workers : int, default 1\n"
                                     "    Threads to use, -1 for all cores. The result has the same bits for any number.\n"
                                     "out : ndarray of float32, shape (..., J, 4, 4), optional\n"
                                     "    C-contiguous.\n\n"
                                     "Returns\n-------\n"
                                     "ndarray of float32, shape (..., J, 4, 4)\n"
                                     "    They act on column vectors: the translation is the last column, the last row is 0 0 0 1.\n\n"
                                     "Raises\n------\n"
                                     "ValueError\n"
                                     "    The pose has another number of joints, or `out` does not fit.\n\n"
                                     "Notes\n-----\n"
                                     "A joint's local matrix is translation, rotation, scale in this order, so a scale also stretches\n"
                                     "what hangs below the joint.";

PyObject *skeleton_matrices(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.matrices", 1, 1, {"pose", "workers", "out", NULL}};
    PyObject *values[3];
    if (parse(&s, args, count, names, values) < 0) return NULL;
    return global_matrices((skeleton_object *)op, s.function, values, NULL);
}

const char skeleton_palette_doc[] = "palette($self, pose, *, workers=1, out=None)\n--\n\n"
                                    "What moves a mesh from the rest pose to a pose: `matrices` times `inverse_bind`.\n\n"
                                    "Parameters\n----------\n"
                                    "pose : Pose or Clip\n"
                                    "    Local poses, one, a batch of any shape, or the frames of a clip.\n"
                                    "workers : int, default 1\n"
                                    "    Threads to use, -1 for all cores. The result has the same bits for any number.\n"
                                    "out : ndarray of float32, shape (..., J, 4, 4), optional\n"
                                    "    C-contiguous.\n\n"
                                    "Returns\n-------\n"
                                    "ndarray of float32, shape (..., J, 4, 4)\n"
                                    "    Identities for the rest pose. See `canter.skin`.\n\n"
                                    "Raises\n------\n"
                                    "ValueError\n"
                                    "    The pose has another number of joints, or `out` does not fit.\n\n"
                                    "Examples\n--------\n"
                                    ">>> import numpy as np, canter as ct\n"
                                    ">>> leg = ct.Skeleton([\"Hips\", \"Knee\"], [-1, 0], [(0, 0.9, 0), (0, -0.4, 0)])\n"
                                    ">>> bool(np.allclose(leg.palette(leg.rest), np.eye(4)))\n"
                                    "True";

PyObject *skeleton_palette(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.palette", 1, 1, {"pose", "workers", "out", NULL}};
    PyObject *values[3];
    if (parse(&s, args, count, names, values) < 0) return NULL;
    skeleton_object *self = (skeleton_object *)op;
    return global_matrices(self, s.function, values, self->inverse_bind);
}

const char skeleton_tip_positions_doc[] = "tip_positions($self, pose, *, out=None)\n--\n\n"
                                          "Where the tips (end sites) are in the world.\n\n"
                                          "Parameters\n----------\n"
                                          "pose : Pose or Clip\n"
                                          "    Local poses, one, a batch of any shape, or the frames of a clip.\n"
                                          "out : ndarray of float32, shape (..., T, 3), optional\n"
                                          "    C-contiguous.\n\n"
                                          "Returns\n-------\n"
                                          "ndarray of float32, shape (..., T, 3)\n"
                                          "    In the order of `tips`.\n\n"
                                          "Raises\n------\n"
                                          "ValueError\n"
                                          "    The pose has another number of joints, or `out` does not fit.";

PyObject *skeleton_tip_positions(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.tip_positions", 1, 1, {"pose", "out", NULL}};
    skeleton_object *self = (skeleton_object *)op;
    PyObject *values[2];
    batch b;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_batch(self, values[0], s.function, &b) < 0) return NULL;
    PyArrayObject *tips = result(&b, self->core->tip_count, 3, false, values[1], "Skeleton.tip_positions: out");
    if (!tips) return NULL;

    core_call call;
    ct_error error;
    const ct_interrupt *interrupt = enter_core(&call, b.poses.count * self->core->joint_count);
    ct_status status = ct_tip_positions(self->core, active_kernels(), b.poses, interrupt, PyArray_DATA(tips), &error);
    leave_core(&call);
    if (status == CT_OK) return (PyObject *)tips;
    Py_DECREF(tips);
    return raise_error(&error, s.function);
}

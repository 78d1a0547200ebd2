#include "pose_type.h"

#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "html.h"
#include "pose.h"

// A named part of a row: its first component and how many it has.
typedef struct part {
    const char *name;
    int first, width;
} part;

static part rotations = {"rotations", CT_ROTATION, 4};
static part translations = {"translations", CT_TRANSLATION, 3};
static part scales = {"scales", CT_SCALE, 3};
static part angular = {"angular", 0, 3};
static part linear = {"linear", 3, 3};
static part scaling = {"scaling", 6, 3};

int batch_rank(const pose_object *pose) { return PyArray_NDIM(pose->rows) - 2; }
const npy_intp *batch_shape(const pose_object *pose) { return PyArray_DIMS(pose->rows); }

const char *parts_text(ct_layout layout)
{
    return ct_has_scales(layout) ? "translations and scales" : ct_has_translations(layout) ? "translations" : "rotations alone";
}

static size_t component_count(const pose_object *pose) { return (size_t)PyArray_DIM(pose->rows, batch_rank(pose)); }
static size_t stride_of(const pose_object *pose) { return (size_t)PyArray_DIM(pose->rows, batch_rank(pose) + 1); }
static size_t pose_count(const pose_object *pose) { return (size_t)PyArray_MultiplyList(batch_shape(pose), batch_rank(pose)); }

ct_poses poses_of(const pose_object *pose)
{
    ct_layout layout = {pose->joint_count, stride_of(pose), component_count(pose)};
    return (ct_poses){layout, pose_count(pose), PyArray_DATA(pose->rows)};
}

ct_pose_velocities velocities_of(const pose_object *velocity)
{
    return (ct_pose_velocities){velocity->joint_count, stride_of(velocity), component_count(velocity), pose_count(velocity),
                                PyArray_DATA(velocity->rows)};
}

ct_pose_deltas deltas_of(const pose_object *delta)
{
    ct_poses rows = poses_of(delta);
    return (ct_pose_deltas){delta->side, rows.layout, rows.count, rows.rows};
}

const char *const delta_sides[] = {"local", "parent", NULL};

pose_object *to_pose_delta(module_state *state, PyObject *value, const char *where)
{
    if (PyObject_TypeCheck(value, state->pose_delta_type)) return (pose_object *)value;
    const char *advice = PyObject_TypeCheck(value, state->additive_clip_type) ? "; sample it at a time"
                         : PyObject_TypeCheck(value, state->pose_type)        ? "; additive(pose, reference) makes one"
                         : PyObject_TypeCheck(value, state->clip_type)        ? "; additive(clip, reference).sample(t) gives one"
                                                                              : "";
    PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.PoseDelta%s", where, Py_TYPE(value)->tp_name, advice);
    return NULL;
}

// What NumPy has room for when each joint is a matrix.
enum { MAX_BATCH_RANK = NPY_MAXDIMS - 3 };

static int check_batch_rank(int rank)
{
    if (rank <= MAX_BATCH_RANK) return 0;
    PyErr_Format(PyExc_ValueError, "a pose has %d batch dimensions, at most %d are possible", rank, MAX_BATCH_RANK);
    return -1;
}

pose_object *wrap_rows(PyTypeObject *type, PyObject *rows, size_t joint_count)
{
    if (!rows) return NULL;
    bool fits = check_batch_rank(PyArray_NDIM((PyArrayObject *)rows) - 2) == 0;
    pose_object *pose = fits ? (pose_object *)type->tp_alloc(type, 0) : NULL;
    if (!pose) {
        Py_DECREF(rows);
        return NULL;
    }
    PyArray_CLEARFLAGS((PyArrayObject *)rows, NPY_ARRAY_WRITEABLE);
    pose->rows = (PyArrayObject *)rows;
    pose->joint_count = joint_count;
    return pose;
}

pose_object *new_pose(PyTypeObject *type, size_t joint_count, size_t components, int rank, const npy_intp *batch)
{
    npy_intp shape[NPY_MAXDIMS];
    if (check_batch_rank(rank) < 0) return NULL;
    for (int i = 0; i < rank; ++i) shape[i] = batch[i];
    shape[rank] = (npy_intp)components;
    shape[rank + 1] = (npy_intp)ct_stride(joint_count);
    return wrap_rows(type, PyArray_SimpleNew(rank + 2, shape, NPY_FLOAT), joint_count);
}

// One argument of Pose(...): (*batch, J, width). The first one decides batch and J.
static PyArrayObject *to_part(PyObject *value, const part *p, PyArrayObject *first)
{
    char name[32];
    npy_intp shape[2] = {ANY, p->width};
    PyOS_snprintf(name, sizeof name, "Pose: %s", p->name);
    PyArrayObject *array = to_array(value, NPY_FLOAT, name, 2, shape, true);
    if (!array) return NULL;
    int rank = PyArray_NDIM(array);
    bool same = !first || (rank == PyArray_NDIM(first) &&
                           memcmp(PyArray_DIMS(array), PyArray_DIMS(first), (size_t)(rank - 1) * sizeof(npy_intp)) == 0);
    if (!same) {
        char given[SHAPE_TEXT], expected[SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError, "%s has shape %s, which does not fit rotations of shape %s", name, shape_text(array, given),
                     shape_text(first, expected));
    }
    if (!same || check_finite(array, name) < 0) {
        Py_DECREF(array);
        return NULL;
    }
    return array;
}

static int check_unit(PyArrayObject *array)
{
    npy_intp joints = PyArray_DIM(array, PyArray_NDIM(array) - 2);
    const float *q = PyArray_DATA(array);
    for (npy_intp i = 0; i < PyArray_SIZE(array) / 4; ++i, q += 4) {
        if (q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0) continue;
        PyErr_Format(PyExc_ValueError, "Pose: the rotation of joint %zd is zero (pose %zd of the batch), expected a quaternion",
                     (Py_ssize_t)(i % joints), (Py_ssize_t)(i / joints));
        return -1;
    }
    return 0;
}

static PyObject *pose_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"Pose", 3, 1, {"rotations", "translations", "scales", NULL}};
    PyObject *values[3];
    if (parse_new(&s, args, keywords, values) < 0) return NULL;

    const part *parts[3] = {&rotations, &translations, &scales};
    PyArrayObject *arrays[3] = {NULL};
    pose_object *pose = NULL;
    for (int i = 0; i < 3; ++i) {
        if (!values[i] || values[i] == Py_None) continue;
        if (!(arrays[i] = to_part(values[i], parts[i], arrays[0]))) goto done;
    }
    if (!arrays[0]) {
        PyErr_SetString(PyExc_TypeError, "Pose: rotations is None, expected an array of shape (..., J, 4)");
        goto done;
    }
    if (arrays[2] && !arrays[1]) {
        PyErr_SetString(PyExc_ValueError, "Pose: scales were given without translations; give both");
        goto done;
    }
    int rank = PyArray_NDIM(arrays[0]);
    size_t joints = (size_t)PyArray_DIM(arrays[0], rank - 2);
    if (joints == 0) {
        PyErr_SetString(PyExc_ValueError, "Pose: rotations has no joints, expected at least one");
        goto done;
    }
    if (check_unit(arrays[0]) < 0) goto done;

    pose = new_pose(type, joints, ct_layout_of(joints, arrays[1] != NULL, arrays[2] != NULL).component_count, rank - 2,
                    PyArray_DIMS(arrays[0]));
    if (!pose) goto done;
    ct_poses poses = poses_of(pose);
    for (int i = 0; i < 3; ++i) {
        if (arrays[i]) ct_layout_write(poses.layout, (size_t)parts[i]->first, poses.count, PyArray_DATA(arrays[i]), poses.rows);
    }
    ct_pose_normalize(poses, active_kernels());
done:
    for (int i = 0; i < 3; ++i) Py_XDECREF(arrays[i]);
    return (PyObject *)pose;
}

static PyObject *get_part(PyObject *op, void *closure)
{
    const part *p = closure;
    pose_object *self = (pose_object *)op;
    if ((size_t)(p->first + p->width) > component_count(self)) Py_RETURN_NONE;

    int rank = batch_rank(self);
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS];
    memcpy(shape, PyArray_DIMS(self->rows), (size_t)rank * sizeof *shape);
    memcpy(strides, PyArray_STRIDES(self->rows), (size_t)rank * sizeof *strides);
    shape[rank] = (npy_intp)self->joint_count;
    strides[rank] = sizeof(float);
    shape[rank + 1] = p->width;
    strides[rank + 1] = (npy_intp)(stride_of(self) * sizeof(float));
    const float *data = (const float *)PyArray_DATA(self->rows) + (size_t)p->first * stride_of(self);
    return view_of(op, NPY_FLOAT, rank + 2, shape, strides, data);
}

static PyObject *get_shape(PyObject *op, void *closure)
{
    (void)closure;
    const pose_object *self = (pose_object *)op;
    PyObject *shape = PyTuple_New(batch_rank(self));
    for (int i = 0; shape && i < batch_rank(self); ++i) {
        PyObject *size = PyLong_FromSsize_t(batch_shape(self)[i]);
        if (!size)
            Py_CLEAR(shape);
        else
            PyTuple_SET_ITEM(shape, i, size);
    }
    return shape;
}

static PyObject *get_joint_count(PyObject *op, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(((pose_object *)op)->joint_count);
}

static Py_ssize_t pose_length(PyObject *op)
{
    const pose_object *self = (pose_object *)op;
    if (batch_rank(self) > 0) return batch_shape(self)[0];
    PyErr_Format(PyExc_TypeError, "a single %.100s has no length", Py_TYPE(op)->tp_name);
    return -1;
}

// An index reaches the batch dimensions only: an Ellipsis is followed by the two whole dimensions of a row.
static PyObject *index_of_rows(PyObject *key)
{
    PyObject *index = PyTuple_Check(key) ? Py_NewRef(key) : PyTuple_Pack(1, key);
    if (!index) return NULL;
    bool ellipsis = false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i) ellipsis |= PyTuple_GET_ITEM(index, i) == Py_Ellipsis;
    if (!ellipsis) return index;

    PyObject *whole = PySlice_New(NULL, NULL, NULL);
    PyObject *tail = whole ? PyTuple_Pack(2, whole, whole) : NULL;
    PyObject *both = tail ? PySequence_Concat(index, tail) : NULL;
    Py_XDECREF(whole);
    Py_XDECREF(tail);
    Py_DECREF(index);
    return both;
}

static PyObject *pose_subscript(PyObject *op, PyObject *key)
{
    pose_object *self = (pose_object *)op;
    PyObject *index = index_of_rows(key);
    if (!index) return NULL;
    PyObject *found = PyObject_GetItem((PyObject *)self->rows, index);
    Py_DECREF(index);
    if (!found) return NULL;

    // An index with too many parts would have cut into the rows. (NumPy gives arrays of no elements any strides.)
    PyArrayObject *rows = (PyArrayObject *)found;
    int rank = PyArray_Check(found) ? PyArray_NDIM(rows) : 0;
    if (rank < 2 || (size_t)PyArray_DIM(rows, rank - 1) != stride_of(self) ||
        (size_t)PyArray_DIM(rows, rank - 2) != component_count(self) ||
        (PyArray_SIZE(rows) > 0 && PyArray_STRIDE(rows, rank - 1) != sizeof(float))) {
        Py_DECREF(found);
        PyErr_Format(PyExc_IndexError, "too many indices: a %.100s of %d batch dimensions; index .rotations for joints and components",
                     Py_TYPE(op)->tp_name, batch_rank(self));
        return NULL;
    }
    PyObject *copy = PyArray_NewCopy(rows, NPY_CORDER);
    Py_DECREF(found);
    pose_object *taken = wrap_rows(Py_TYPE(op), copy, self->joint_count);
    if (taken) taken->side = self->side;
    return (PyObject *)taken;
}

// For iterators.
static PyObject *pose_item(PyObject *op, Py_ssize_t i)
{
    PyObject *index = PyLong_FromSsize_t(i);
    PyObject *item = index ? pose_subscript(op, index) : NULL;
    Py_XDECREF(index);
    return item;
}

// A single pose would look like an empty batch.
static PyObject *pose_iterator(PyObject *op) { return pose_length(op) < 0 ? NULL : PySeqIter_New(op); }

static bool is_delta(const pose_object *pose) { return Py_TYPE(pose) == state_of(Py_TYPE(pose))->pose_delta_type; }

static PyObject *pose_repr(PyObject *op)
{
    const pose_object *self = (pose_object *)op;
    PyObject *shape = get_shape(op, NULL);
    if (!shape) return NULL;
    const char *name = strrchr(Py_TYPE(op)->tp_name, '.') + 1;
    char extra[32] = "";
    if (is_delta(self)) PyOS_snprintf(extra, sizeof extra, ", side '%s'", delta_sides[self->side]);
    if (component_count(self) == CT_COMPONENTS_SCALE) strcat(extra, ", scales");
    PyObject *text = batch_rank(self) ? PyUnicode_FromFormat("<%s: batch %R, %zu joints%s>", name, shape, self->joint_count, extra)
                                      : PyUnicode_FromFormat("<%s: %zu joints%s>", name, self->joint_count, extra);
    Py_DECREF(shape);
    return text;
}

// The array pickles out of band by itself.
static PyObject *pose_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    pose_object *self = (pose_object *)op;
    PyObject *restore = PyObject_GetAttrString((PyObject *)Py_TYPE(op), "_from_rows");
    if (!restore) return NULL;
    PyArrayObject *rows = self->rows; // whose owner could make it writeable
    PyObject *view = view_of(op, NPY_FLOAT, PyArray_NDIM(rows), PyArray_DIMS(rows), PyArray_STRIDES(rows), PyArray_DATA(rows));
    if (is_delta(self)) return Py_BuildValue("N(Nni)", restore, view, (Py_ssize_t)self->joint_count, (int)self->side);
    return Py_BuildValue("N(Nn)", restore, view, (Py_ssize_t)self->joint_count);
}

static PyObject *pose_from_rows(PyObject *type, PyObject *args)
{
    PyObject *value;
    int joints, side = CT_SIDE_LOCAL;
    if (!PyArg_ParseTuple(args, "Oi|i", &value, &joints, &side)) return NULL;
    bool velocity = (PyTypeObject *)type == state_of((PyTypeObject *)type)->pose_velocity_type;
    npy_intp shape[2] = {ANY, ANY};
    PyArrayObject *rows = to_array(value, NPY_FLOAT, "rows", 2, shape, true);
    if (!rows) return NULL;

    int rank = PyArray_NDIM(rows);
    npy_intp components = PyArray_DIM(rows, rank - 2);
    bool legal = velocity ? components == 6 || components == 9 : components == 4 || components == 7 || components == 10;
    legal &= side == CT_SIDE_LOCAL || side == CT_SIDE_PARENT;
    if (joints <= 0 || !legal || (size_t)PyArray_DIM(rows, rank - 1) != ct_stride((size_t)joints)) {
        Py_DECREF(rows);
        return PyErr_Format(PyExc_ValueError, "these are not the rows of a pose of %d joints", joints);
    }
    PyObject *copy = PyArray_NewCopy(rows, NPY_CORDER);
    Py_DECREF(rows);
    pose_object *pose = wrap_rows((PyTypeObject *)type, copy, (size_t)joints);
    if (pose && !velocity) ct_layout_pad(poses_of(pose).layout, pose_count(pose), poses_of(pose).rows);
    if (pose) pose->side = (ct_delta_side)side;
    return (PyObject *)pose;
}

// Immutable: a copy is the thing itself.
static PyObject *pose_copy(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(op);
}

#define POSE_OWNED(DO) DO(self->rows);
OWNER_TYPE(pose_object, POSE_OWNED, (void)0)

static PyMethodDef pose_methods[] = {
    {"__reduce_ex__", pose_reduce, METH_O, NULL},
    {"__copy__", pose_copy, METH_NOARGS, NULL},
    {"__deepcopy__", pose_copy, METH_O, NULL},
    HTML_METHOD,
    {"_from_rows", pose_from_rows, METH_VARARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(pose_doc, "Pose(rotations, translations=None, scales=None)\n--\n\n"
                       "Local poses of a skeleton: one, or a batch of any shape. Immutable.\n\n"
                       "Parameters\n----------\n"
                       "rotations : array_like, shape (..., J, 4)\n"
                       "    Quaternions w, x, y, z, each joint relative to its parent; normalised.\n"
                       "translations : array_like, shape (..., J, 3), optional\n"
                       "    Where each joint is in its parent's axes. None: the skeleton's offsets.\n"
                       "scales : array_like, shape (..., J, 3), optional\n"
                       "    Needs translations.\n\n"
                       "Raises\n------\n"
                       "ValueError\n"
                       "    A shape does not fit, a number is not finite, or a quaternion is zero.\n\n"
                       "Notes\n-----\n"
                       "Numbers are kept as float32. Indexing reaches the batch dimensions and gives a new pose.\n\n"
                       "Examples\n--------\n"
                       ">>> import numpy as np, canter as ct\n"
                       ">>> poses = ct.Pose(np.tile([1.0, 0, 0, 0], (10, 22, 1)))\n"
                       ">>> poses\n"
                       "<Pose: batch (10,), 22 joints>\n"
                       ">>> poses[3].rotations.shape\n"
                       "(22, 4)");

static PyGetSetDef pose_attributes[] = {
    {"rotations", get_part, NULL, "Quaternions w, x, y, z, shape (..., J, 4): a read-only view.", &rotations},
    {"translations", get_part, NULL, "Shape (..., J, 3): a read-only view, or None for the skeleton's offsets.", &translations},
    {"scales", get_part, NULL, "Shape (..., J, 3): a read-only view, or None.", &scales},
    {"shape", get_shape, NULL, "The batch dimensions, () for a single pose.", NULL},
    {"joint_count", get_joint_count, NULL, "How many joints a pose has.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef velocity_attributes[] = {
    {"angular", get_part, NULL, "Angular velocity, rad/s about the parent's axes, shape (..., J, 3): a read-only view.", &angular},
    {"linear", get_part, NULL, "Units per second in the parent's axes, shape (..., J, 3): a read-only view.", &linear},
    {"scaling", get_part, NULL, "Change of the scales per second, shape (..., J, 3): a read-only view, or None.", &scaling},
    {"shape", get_shape, NULL, "The batch dimensions, () for a single pose.", NULL},
    {"joint_count", get_joint_count, NULL, "How many joints a pose has.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(delta_doc, "What poses have beside a reference, to be added to other poses: one, or a batch of any shape. Immutable.\n\n"
                        "Made by `additive` and `AdditiveClip.sample`, taken by `add`. Indexing reaches the batch dimensions and gives a\n"
                        "new delta.");

static PyObject *get_side(PyObject *op, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(delta_sides[((pose_object *)op)->side]);
}

static PyGetSetDef delta_attributes[] = {
    {"rotations", get_part, NULL, "The turns, quaternions w, x, y, z, shape (..., J, 4): a read-only view. q and -q are one.", &rotations},
    {"translations", get_part, NULL, "Differences, shape (..., J, 3): a read-only view, or None.", &translations},
    {"scales", get_part, NULL, "Ratios above 0, shape (..., J, 3): a read-only view, or None.", &scales},
    {"side", get_side, NULL, "'local': turns about the joint's own axes; 'parent': about the axes of its parent.", NULL},
    {"shape", get_shape, NULL, "The batch dimensions, () for a single delta.", NULL},
    {"joint_count", get_joint_count, NULL, "How many joints a delta has.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot pose_slots[] = {
    {Py_tp_new, pose_new},
    {Py_tp_doc, (void *)pose_doc},
    {Py_tp_dealloc, pose_object_dealloc},
    {Py_tp_traverse, pose_object_traverse},
    {Py_tp_repr, pose_repr},
    {Py_tp_methods, pose_methods},
    {Py_tp_getset, pose_attributes},
    {Py_mp_length, pose_length},
    {Py_mp_subscript, pose_subscript},
    {Py_sq_item, pose_item},
    {Py_tp_iter, pose_iterator},
    {0, NULL},
};

static PyType_Slot velocity_slots[] = {
    {Py_tp_doc, "How fast poses change: angular and linear velocity of every joint. Made by Clip.sample and Clip.velocities."},
    {Py_tp_dealloc, pose_object_dealloc},
    {Py_tp_traverse, pose_object_traverse},
    {Py_tp_repr, pose_repr},
    {Py_tp_methods, pose_methods},
    {Py_tp_getset, velocity_attributes},
    {Py_mp_length, pose_length},
    {Py_mp_subscript, pose_subscript},
    {Py_sq_item, pose_item},
    {Py_tp_iter, pose_iterator},
    {0, NULL},
};

static PyType_Slot delta_slots[] = {
    {Py_tp_doc, (void *)delta_doc},
    {Py_tp_dealloc, pose_object_dealloc},
    {Py_tp_traverse, pose_object_traverse},
    {Py_tp_repr, pose_repr},
    {Py_tp_methods, pose_methods},
    {Py_tp_getset, delta_attributes},
    {Py_mp_length, pose_length},
    {Py_mp_subscript, pose_subscript},
    {Py_sq_item, pose_item},
    {Py_tp_iter, pose_iterator},
    {0, NULL},
};

static PyType_Spec pose_spec = {
    .name = "canter.Pose",
    .basicsize = sizeof(pose_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = pose_slots,
};

static PyType_Spec velocity_spec = {
    .name = "canter.PoseVelocity",
    .basicsize = sizeof(pose_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = velocity_slots,
};

static PyType_Spec delta_spec = {
    .name = "canter.PoseDelta",
    .basicsize = sizeof(pose_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = delta_slots,
};

int add_pose_types(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    if (add_type(module, &pose_spec, &state->pose_type) < 0) return -1;
    if (add_type(module, &velocity_spec, &state->pose_velocity_type) < 0) return -1;
    return add_type(module, &delta_spec, &state->pose_delta_type);
}

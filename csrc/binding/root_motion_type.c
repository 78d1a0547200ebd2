#include "root_motion_type.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "frame_type.h"
#include "html.h"

root_motion_object *wrap_root_motion(module_state *state, ct_root_motion *core)
{
    root_motion_object *motion = (root_motion_object *)state->root_motion_type->tp_alloc(state->root_motion_type, 0);
    if (motion)
        motion->core = core;
    else
        ct_root_motion_destroy(core);
    return motion;
}

root_motion_object *to_root_motion(module_state *state, PyObject *value, const char *where)
{
    if (PyObject_TypeCheck(value, state->root_motion_type)) return (root_motion_object *)value;
    PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.RootMotion", where, Py_TYPE(value)->tp_name);
    return NULL;
}

// ------------------------------------------------------------------------------------------------------------------ attributes

static PyObject *get_positions(PyObject *op, void *closure)
{
    (void)closure;
    const ct_root_motion *core = ((root_motion_object *)op)->core;
    npy_intp shape[2] = {(npy_intp)core->frame_count, 3}, strides[2] = {sizeof(ct_root_place), sizeof(double)};
    return view_of(op, NPY_DOUBLE, 2, shape, strides, &core->places->position);
}

static PyObject *get_headings(PyObject *op, void *closure)
{
    (void)closure;
    const ct_root_motion *core = ((root_motion_object *)op)->core;
    npy_intp shape = (npy_intp)core->frame_count, stride = sizeof(ct_root_place);
    return view_of(op, NPY_DOUBLE, 1, &shape, &stride, &core->places->heading);
}

static PyObject *get_frame_time(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(((root_motion_object *)op)->core->frame_time);
}

static PyObject *get_looping(PyObject *op, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((root_motion_object *)op)->core->looping);
}

static PyObject *get_up(PyObject *op, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(axis_name(((root_motion_object *)op)->core->up));
}

static PyObject *get_joint(PyObject *op, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(((root_motion_object *)op)->core->joint);
}

static Py_ssize_t motion_length(PyObject *op) { return (Py_ssize_t)((root_motion_object *)op)->core->frame_count; }

static PyObject *motion_repr(PyObject *op)
{
    const ct_root_motion *core = ((root_motion_object *)op)->core;
    return PyUnicode_FromFormat("<RootMotion: %zu frame%s of joint %zu%s>", core->frame_count, core->frame_count == 1 ? "" : "s",
                                core->joint, core->looping ? ", looping" : "");
}

// --------------------------------------------------------------------------------------------------------------------- methods

// Two new arrays, (*shape, 3) and (*shape); false with an exception.
static bool make_results(int rank, const npy_intp *shape, PyArrayObject *results[2])
{
    npy_intp longer[NPY_MAXDIMS];
    if (rank >= NPY_MAXDIMS) return PyErr_SetString(PyExc_ValueError, "RootMotion: too many dimensions"), false;
    for (int i = 0; i < rank; ++i) longer[i] = shape[i]; // a number has no dimensions to copy from
    longer[rank] = 3;
    results[0] = (PyArrayObject *)PyArray_SimpleNew(rank + 1, longer, NPY_DOUBLE);
    results[1] = results[0] ? (PyArrayObject *)PyArray_SimpleNew(rank, longer, NPY_DOUBLE) : NULL;
    if (results[1]) return true;
    Py_XDECREF(results[0]);
    return false;
}

static PyObject *give_results(PyArrayObject *results[2])
{
    PyObject *second = PyArray_Return(results[1]); // a number when it has no dimensions
    if (second) return Py_BuildValue("(NN)", results[0], second);
    Py_DECREF(results[0]);
    return NULL;
}

static void store(PyArrayObject *results[2], npy_intp i, ct_vector vector, double number)
{
    double *v = (double *)PyArray_DATA(results[0]) + 3 * i;
    v[0] = vector.x;
    v[1] = vector.y;
    v[2] = vector.z;
    ((double *)PyArray_DATA(results[1]))[i] = number;
}

static PyArrayObject *to_times(PyObject *value, const char *name) { return to_numbers(value, NPY_DOUBLE, name, 0, NULL, true); }

static PyObject *motion_at(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"RootMotion.at", 1, 1, {"t", NULL}};
    PyObject *v[1];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    PyArrayObject *times = to_times(v[0], "RootMotion.at: t"), *results[2];
    if (!times) return NULL;
    bool made = make_results(PyArray_NDIM(times), PyArray_DIMS(times), results);
    const double *t = PyArray_DATA(times);
    for (npy_intp i = 0; made && i < PyArray_SIZE(times); ++i) {
        ct_root_place place = ct_root_motion_at(((root_motion_object *)op)->core, t[i]);
        store(results, i, place.position, place.heading);
    }
    Py_DECREF(times);
    return made ? give_results(results) : NULL;
}

static const char motion_at_doc[] = "at($self, t)\n--\n\n"
                                    "Where the character stands and which way it faces at any time.\n\n"
                                    "Parameters\n----------\n"
                                    "t : array_like of any shape\n"
                                    "    Seconds. A looping motion goes on for ever in both directions; others hold their ends.\n\n"
                                    "Returns\n-------\n"
                                    "position : ndarray of float64, shape (..., 3)\n"
                                    "    On the ground: 0 along `up`.\n"
                                    "heading : float or ndarray of float64, shape (...)\n"
                                    "    Radians about `up`, positive to the left, whole turns counted.";

static PyObject *motion_delta(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"RootMotion.delta", 2, 2, {"t0", "t1", NULL}};
    PyObject *v[2];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    PyArrayObject *from = to_times(v[0], "RootMotion.delta: t0"), *to = from ? to_times(v[1], "RootMotion.delta: t1") : NULL;
    PyArrayMultiIterObject *both = to ? (PyArrayMultiIterObject *)PyArray_MultiIterNew(2, from, to) : NULL;
    PyArrayObject *results[2];
    bool made = both && make_results(PyArray_MultiIter_NDIM(both), PyArray_MultiIter_DIMS(both), results);
    for (npy_intp i = 0; made && PyArray_MultiIter_NOTDONE(both); ++i) {
        double t0 = *(double *)PyArray_MultiIter_DATA(both, 0), t1 = *(double *)PyArray_MultiIter_DATA(both, 1);
        ct_root_delta delta = ct_root_motion_delta(((root_motion_object *)op)->core, t0, t1);
        store(results, i, delta.translation, delta.turn);
        PyArray_MultiIter_NEXT(both);
    }
    Py_XDECREF(both);
    Py_XDECREF(from);
    Py_XDECREF(to);
    return made ? root_delta_of(state_of(Py_TYPE(op)), (PyObject *)results[0], PyArray_Return(results[1])) : NULL;
}

static const char motion_delta_doc[] =
    "delta($self, t0, t1)\n--\n\n"
    "What happens from one time to another, as the character sees it.\n\n"
    "Parameters\n----------\n"
    "t0, t1 : array_like, shapes that broadcast\n"
    "    Seconds; t1 may lie before t0.\n\n"
    "Returns\n-------\n"
    "RootDelta\n"
    "    Of all steps at once, as Frame.root is of one:\n\n"
    "translation : ndarray of float64, shape (..., 3)\n"
    "    In the character's axes at t0; for +Y up x is to its left and z ahead.\n"
    "turn : float or ndarray of float64, shape (...)\n"
    "    Radians, positive to the left.\n\n"
    "Notes\n-----\n"
    "Deltas compose: those of the parts of a time span, one after the other, are the delta of the whole.";

// Everything is in doubles, so a pickle gives the same bits.
static PyObject *motion_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    const ct_root_motion *core = ((root_motion_object *)op)->core;
    npy_intp shape[2] = {(npy_intp)core->frame_count, 4}, strides[2] = {sizeof(ct_root_place), sizeof(double)};
    PyObject *places = view_of(op, NPY_DOUBLE, 2, shape, strides, core->places);
    PyObject *restore = places ? PyObject_GetAttrString((PyObject *)Py_TYPE(op), "_restore") : NULL;
    if (!restore) {
        Py_XDECREF(places);
        return NULL;
    }
    const ct_root_place *loop = &core->loop;
    return Py_BuildValue("N(Ndinni(dddd))", restore, places, core->frame_time, (int)core->looping, (Py_ssize_t)core->step_count,
                         (Py_ssize_t)core->joint, (int)core->up, loop->position.x, loop->position.y, loop->position.z, loop->heading);
}

static PyObject *motion_restore(PyObject *type, PyObject *args)
{
    PyObject *value;
    ct_root_motion parts = {.kernels = active_kernels()};
    ct_root_place *loop = &parts.loop;
    int looping, up;
    Py_ssize_t step_count, joint;
    if (!PyArg_ParseTuple(args, "Odinni(dddd)", &value, &parts.frame_time, &looping, &step_count, &joint, &up, &loop->position.x,
                          &loop->position.y, &loop->position.z, &loop->heading))
        return NULL;
    const npy_intp shape[2] = {ANY, 4};
    PyArrayObject *places = to_array(value, NPY_DOUBLE, "RootMotion: places", 2, shape, false);
    if (!places) return NULL;
    npy_intp frames = PyArray_DIM(places, 0);
    bool steps_fit = step_count == frames - 1 || (looping && step_count == frames);
    bool finite = isfinite(loop->position.x) && isfinite(loop->position.y) && isfinite(loop->position.z) && isfinite(loop->heading);
    bool times_fit = ct_clip_check_time((size_t)frames, parts.frame_time, NULL) == CT_OK;
    if (check_finite(places, "RootMotion: places") < 0) {
        Py_DECREF(places);
        return NULL;
    }
    if (frames < 1 || !steps_fit || !finite || !times_fit || joint < 0 || joint >= CT_MAX_JOINTS || up < 0 || up >= CT_AXIS_COUNT) {
        Py_DECREF(places);
        return PyErr_Format(PyExc_ValueError, "these are not the parts of a RootMotion");
    }
    ct_allocator allocator = python_allocator();
    ct_root_motion *core = ct_allocate(&allocator, 1, sizeof *core);
    ct_root_place *copies = ct_allocate(&allocator, (size_t)frames, sizeof *copies);
    if (!core || !copies) {
        ct_release(&allocator, core);
        ct_release(&allocator, copies);
        Py_DECREF(places);
        return PyErr_NoMemory();
    }
    memcpy(copies, PyArray_DATA(places), (size_t)PyArray_NBYTES(places));
    Py_DECREF(places);
    *core = parts;
    core->allocator = allocator;
    core->looping = looping != 0;
    core->step_count = (size_t)step_count;
    core->joint = (size_t)joint;
    core->up = (ct_axis)up;
    core->frame_count = (size_t)frames;
    core->places = copies;
    return (PyObject *)wrap_root_motion(state_of((PyTypeObject *)type), core);
}

// Immutable: a copy is the thing itself.
static PyObject *motion_copy(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(op);
}

#define OWNED(DO)
OWNER_TYPE(root_motion_object, OWNED, ct_root_motion_destroy(self->core))

static PyGetSetDef motion_attributes[] = {
    {"positions", get_positions, NULL, "Where the character stands, float64 (F, 3), 0 along `up`: a read-only view.", NULL},
    {"headings", get_headings, NULL, "Which way it faces, radians, float64 (F,): a read-only view. Whole turns count.", NULL},
    {"frame_time", get_frame_time, NULL, "Seconds from frame to frame.", NULL},
    {"looping", get_looping, NULL, "Does the motion go on for ever?", NULL},
    {"up", get_up, NULL, "The axis across the ground, such as \"+y\".", NULL},
    {"joint", get_joint, NULL, "The index of the joint that was measured.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef motion_methods[] = {
    KEYWORD_METHOD("at", motion_at),
    KEYWORD_METHOD("delta", motion_delta),
    {"__reduce_ex__", motion_reduce, METH_O, NULL},
    {"__copy__", motion_copy, METH_NOARGS, NULL},
    {"__deepcopy__", motion_copy, METH_O, NULL},
    HTML_METHOD,
    {"_restore", motion_restore, METH_VARARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(motion_doc,
             "The path of a character on the ground, made by Clip.root_motion. Immutable.\n\n"
             "A place is a position on the ground and a heading: the angle about `up`, in radians, from the reference direction to\n"
             "where the character faces, positive to the left. The reference is +Z for +Y up, +X for +Z up, +Y for +X up.");

static PyType_Slot motion_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)motion_doc},
    {Py_tp_dealloc, root_motion_object_dealloc},
    {Py_tp_traverse, root_motion_object_traverse},
    {Py_tp_repr, motion_repr},
    {Py_tp_methods, motion_methods},
    {Py_tp_getset, motion_attributes},
    {Py_mp_length, motion_length},
    {0, NULL},
};

static PyType_Spec motion_spec = {
    .name = "canter.RootMotion",
    .basicsize = sizeof(root_motion_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = motion_slots,
};

int add_root_motion_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &motion_spec, &state->root_motion_type);
}

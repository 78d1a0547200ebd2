// Left and right: Skeleton.mirror_map, Skeleton.sides and Clip.mirror.
#include "mirror.h"

#include <string.h>

#include "arguments.h"
#include "clip_labels.h"
#include "clip_methods.h"
#include "clip_type.h"
#include "convert.h"
#include "core_call.h"
#include "skeleton_methods.h"

enum { NAMES_SHOWN = 5 };

// One warning for all joints that name a side and have no partner. `roles` is of ct_mirror_map.
static int warn_of_lonely(module_state *state, const char *where, const skeleton_object *skeleton, const uint8_t *roles)
{
    size_t count = 0;
    PyObject *shown = PyList_New(0);
    for (size_t j = 0; shown && j < skeleton->core->joint_count; ++j) {
        if (roles[j] != CT_MIRROR_ALONE && roles[j] != CT_MIRROR_UPROOTED) continue;
        if (count++ < NAMES_SHOWN && PyList_Append(shown, PyTuple_GET_ITEM(skeleton->names, (Py_ssize_t)j)) < 0) Py_CLEAR(shown);
    }
    if (!shown) return -1;
    const char *said = count == 1 ? "joint names a side but has no partner on the other and keeps its own"
                                  : "joints name a side but have no partner on the other and keep their own";
    int result = count ? warn(state, "%s: %zu %s: %R%s", where, count, said, shown, count > NAMES_SHOWN ? " ..." : "") : 0;
    Py_DECREF(shown);
    return result;
}

// Partners by name, (J,) int32.
static PyArrayObject *map_by_name(module_state *state, const char *where, const skeleton_object *skeleton)
{
    const npy_intp joints = (npy_intp)skeleton->core->joint_count;
    PyArrayObject *map = (PyArrayObject *)PyArray_SimpleNew(1, &joints, NPY_INT32);
    uint8_t *roles = map ? PyMem_Calloc((size_t)joints, 1) : NULL;
    if (map && !roles) PyErr_NoMemory();
    bool done = false;
    if (roles) {
        ct_error error;
        done = ct_mirror_map(skeleton->core, PyArray_DATA(map), roles, &error) == CT_OK;
        if (!done) raise_error(&error, where);
    }
    if (done) done = warn_of_lonely(state, where, skeleton, roles) == 0;
    PyMem_Free(roles);
    if (!done) Py_CLEAR(map);
    return map;
}

// Makes the two joints of a pair partners; it's item i of what messages call `list`.
static int take_pair(const char *list, const skeleton_object *skeleton, PyObject *pair, Py_ssize_t i, int32_t *map)
{
    char where[80];
    PyOS_snprintf(where, sizeof where, "%s[%zd]", list, i);
    PyObject *two = to_tuple(pair, where, "two joints");
    if (!two) return -1;
    if (PyTuple_GET_SIZE(two) != 2) {
        PyErr_Format(PyExc_ValueError, "%s has %zd parts, expected two joints", where, PyTuple_GET_SIZE(two));
        Py_DECREF(two);
        return -1;
    }
    size_t joints[2];
    int result = 0;
    for (int k = 0; k < 2 && result == 0; ++k) {
        result = to_joint(skeleton, PyTuple_GET_ITEM(two, k), where, "joint", &joints[k]);
        if (result == 0 && map[joints[k]] != (int32_t)joints[k]) {
            PyErr_Format(PyExc_ValueError, "%s has joint %zu %R twice", where, joints[k],
                         PyTuple_GET_ITEM(skeleton->names, (Py_ssize_t)joints[k]));
            result = -1;
        }
    }
    Py_DECREF(two);
    if (result < 0) return -1;
    map[joints[0]] = (int32_t)joints[1];
    map[joints[1]] = (int32_t)joints[0];
    return 0;
}

static PyArrayObject *map_of_pairs(const char *where, const skeleton_object *skeleton, PyObject *value)
{
    const npy_intp joints = (npy_intp)skeleton->core->joint_count;
    if (PyArray_Check(value) && PyArray_NDIM((PyArrayObject *)value) == 1) // a whole map
        return to_array(value, NPY_INT32, where, 1, &joints, false);

    PyObject *pairs = to_tuple(value, where, "a sequence of pairs of joints");
    PyArrayObject *map = pairs ? (PyArrayObject *)PyArray_SimpleNew(1, &joints, NPY_INT32) : NULL;
    if (map) {
        int32_t *partner = PyArray_DATA(map);
        for (npy_intp j = 0; j < joints; ++j) partner[j] = (int32_t)j;
        for (Py_ssize_t i = 0; map && i < PyTuple_GET_SIZE(pairs); ++i) {
            if (take_pair(where, skeleton, PyTuple_GET_ITEM(pairs, i), i, partner) < 0) Py_CLEAR(map);
        }
    }
    Py_XDECREF(pairs);
    return map;
}

// Who takes the place of whom, (J,) int32: by name when `pairs` is NULL or None, else as told, checked.
static PyArrayObject *mirror_map_of(module_state *state, const char *function, const skeleton_object *skeleton, PyObject *pairs)
{
    if (!pairs || pairs == Py_None) return map_by_name(state, function, skeleton);
    char where[64];
    PyOS_snprintf(where, sizeof where, "%s: pairs", function);
    PyArrayObject *map = map_of_pairs(where, skeleton, pairs);
    ct_error error;
    if (!map || ct_mirror_check(skeleton->core, PyArray_DATA(map), &error) == CT_OK) return map;
    Py_DECREF(map);
    raise_error(&error, where);
    return NULL;
}

PyObject *skeleton_mirror_map(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.mirror_map", 0, 0, {"pairs", NULL}};
    PyObject *values[1];
    if (parse(&s, args, count, names, values) < 0) return NULL;
    return (PyObject *)mirror_map_of(state_of(Py_TYPE(op)), s.function, (skeleton_object *)op, values[0]);
}

const char skeleton_mirror_map_doc[] =
    "mirror_map($self, /, *, pairs=None)\n--\n\n"
    "Which joint takes the place of which when left and right change sides.\n\n"
    "Partners are found by name: LeftArm and RightArm, L_Hand and R_Hand, thigh.l and thigh.r, lCollar and rCollar, and the like.\n\n"
    "Parameters\n----------\n"
    "pairs : sequence of (joint, joint), or int array of shape (J,), optional\n"
    "    Instead of names: joints that change places, by name or index, all others being their own; or a whole map.\n\n"
    "Returns\n-------\n"
    "ndarray of int32, shape (J,)\n"
    "    The partner of every joint; joints of the middle are their own.\n\n"
    "Warns\n-----\n"
    "CanterWarning\n"
    "    Joints name a side and have no partner on the other; they are their own.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    `pairs` has a joint twice, or partners whose parents are not partners.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> arms = ct.Skeleton([\"Hips\", \"LeftArm\", \"RightArm\"], [-1, 0, 0], [(0, 0, 0), (1, 0, 0), (-1, 0, 0)])\n"
    ">>> arms.mirror_map()\n"
    "array([0, 2, 1], dtype=int32)";

PyObject *skeleton_sides(PyObject *op, void *closure)
{
    static const char *const words[] = {[CT_SIDE_MIDDLE] = "middle", [CT_SIDE_LEFT] = "left", [CT_SIDE_RIGHT] = "right"};
    (void)closure;
    const ct_skeleton *core = ((skeleton_object *)op)->core;
    uint8_t *sides = PyMem_Malloc(core->joint_count);
    if (!sides) return PyErr_NoMemory();
    ct_error error;
    PyObject *result =
        ct_mirror_sides(core, sides, &error) == CT_OK ? PyTuple_New((Py_ssize_t)core->joint_count) : raise_error(&error, "Skeleton.sides");
    for (size_t j = 0; result && j < core->joint_count; ++j) {
        PyObject *word = PyUnicode_InternFromString(words[sides[j]]);
        if (!word)
            Py_CLEAR(result);
        else
            PyTuple_SET_ITEM(result, (Py_ssize_t)j, word);
    }
    PyMem_Free(sides);
    return result;
}

PyObject *clip_mirror(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.mirror", 0, 0, {"pairs", "axis", NULL}};
    PyObject *v[2];
    ct_axis axis = CT_PLUS_X;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    if (v[1] && to_axis(v[1], "Clip.mirror: axis", &axis) < 0) return NULL;

    clip_object *self = (clip_object *)op;
    module_state *state = state_of(Py_TYPE(op));
    PyArrayObject *map = mirror_map_of(state, s.function, self->skeleton, v[0]);
    if (!map) return NULL;

    ct_clip *core = NULL;
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_mirror(self->core, PyArray_DATA(map), (int)axis / 2, &core, &error);
    leave_core(&call);
    Py_DECREF(map);
    if (status != CT_OK) return raise_error(&error, s.function);

    clip_labels labels = self->labels;
    labels.markers = mirror_names(labels.markers);
    labels.curves = mirror_names(labels.curves);
    clip_object *clip = NULL;
    if (labels.markers && labels.curves)
        clip = wrap_clip(state, core, self->skeleton, &labels);
    else
        ct_clip_destroy(core);
    Py_XDECREF(labels.markers);
    Py_XDECREF(labels.curves);
    return (PyObject *)clip;
}

const char clip_mirror_doc[] =
    "mirror($self, /, *, pairs=None, axis='x')\n--\n\n"
    "The mirror image: what the left did the right does.\n\n"
    "Parameters\n----------\n"
    "pairs : sequence of (joint, joint), or int array of shape (J,), optional\n"
    "    Joints that change places, by name or index, all others being their own; or a whole map, as Skeleton.mirror_map gives it. The\n"
    "    default is that map.\n"
    "axis : {'x', 'y', 'z'}, default 'x'\n"
    "    What the mirror stands across: x for a character that faces along z. A sign makes no difference.\n\n"
    "Returns\n-------\n"
    "Clip\n"
    "    On the same skeleton. Markers and curves change their names with their sides: left_down is right_down now.\n"
    "    The numbers of curves, vectors and rotations too, and other labels stay as they are.\n\n"
    "Warns\n-----\n"
    "CanterWarning\n"
    "    As Skeleton.mirror_map.\n\n"
    "Notes\n-----\n"
    "The motion of the world is reflected, not the numbers of the channels, so axes of left and right joints may point anywhere at rest.";

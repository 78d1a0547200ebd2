// metric_functions.c: measures of where joints are, for canter.metrics, which knows clips, feet and units.
#include "arguments.h"
#include "binding.h"
#include "bone_length.h"
#include "convert.h"
#include "core_call.h"
#include "ground_contact.h"
#include "skeleton_type.h"

// `value` as the tracks of joints; a new reference that keeps their points alive.
static PyArrayObject *to_tracks(PyObject *value, const char *function, ct_tracks *tracks)
{
    static const npy_intp shape[3] = {ANY, ANY, 3};
    char name[64];
    PyOS_snprintf(name, sizeof name, "%s: points", function);
    PyArrayObject *points = to_numbers(value, NPY_DOUBLE, name, 3, shape, false);
    if (points) *tracks = (ct_tracks){(size_t)PyArray_DIM(points, 0), (size_t)PyArray_DIM(points, 1), PyArray_DATA(points)};
    return points;
}

// One height a joint.
static PyArrayObject *to_planted(PyObject *value, const char *function, ct_tracks tracks)
{
    npy_intp shape[1] = {(npy_intp)tracks.joint_count};
    char name[64];
    PyOS_snprintf(name, sizeof name, "%s: planted", function);
    return to_array(value, NPY_DOUBLE, name, 1, shape, false);
}

static PyArrayObject *one_a_joint(ct_tracks tracks, int type)
{
    npy_intp shape[1] = {(npy_intp)tracks.joint_count};
    return (PyArrayObject *)PyArray_SimpleNew(1, shape, type);
}

PyDoc_STRVAR(planted_heights_doc,
             "planted_heights($module, points)\n--\n\n"
             "The height at which each joint of points (N, K, 3) stands planted, (K,). Their last component is the height.");

static PyObject *planted_heights(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    static const signature s = {"planted_heights", 1, 1, {"points", NULL}};
    PyObject *values[1];
    ct_tracks tracks;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    PyArrayObject *points = to_tracks(values[0], s.function, &tracks), *heights = NULL;
    if (points && tracks.sample_count == 0) {
        PyErr_Format(PyExc_ValueError, "%s: points has no samples", s.function);
    } else if (points && (heights = one_a_joint(tracks, NPY_DOUBLE))) {
        ct_allocator allocator = python_allocator();
        core_call call;
        ct_error error;
        enter_core(&call, tracks.sample_count * tracks.joint_count);
        ct_status status = ct_planted_heights(&allocator, tracks, PyArray_DATA(heights), &error);
        leave_core(&call);
        if (status != CT_OK) {
            raise_error(&error, s.function);
            Py_CLEAR(heights);
        }
    }
    Py_XDECREF(points);
    return (PyObject *)heights;
}

PyDoc_STRVAR(ground_slide_doc, "ground_slide($module, points, planted, height)\n--\n\n"
                               "How far each joint of points (N, K, 3) slides along the ground, (K,), and over how many steps, (K,).");

static PyObject *ground_slide(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    static const signature s = {"ground_slide", 3, 3, {"points", "planted", "height", NULL}};
    PyObject *values[3], *pair = NULL;
    PyArrayObject *planted = NULL, *distances = NULL, *counts = NULL;
    ct_tracks tracks;
    double height;
    if (parse(&s, args, count, names, values) < 0 || to_double(values[2], "ground_slide: height", &height) < 0) return NULL;
    PyArrayObject *points = to_tracks(values[0], s.function, &tracks);
    if (points && (planted = to_planted(values[1], s.function, tracks)) && (distances = one_a_joint(tracks, NPY_DOUBLE)) &&
        (counts = one_a_joint(tracks, NPY_UINTP))) {
        core_call call;
        enter_core(&call, tracks.sample_count * tracks.joint_count);
        ct_ground_slide(tracks, PyArray_DATA(planted), height, PyArray_DATA(distances), PyArray_DATA(counts));
        leave_core(&call);
        pair = PyTuple_Pack(2, distances, counts);
    }
    Py_XDECREF(points);
    Py_XDECREF(planted);
    Py_XDECREF(distances);
    Py_XDECREF(counts);
    return pair;
}

PyDoc_STRVAR(ground_contacts_doc,
             "ground_contacts($module, points, planted, window, speed, stay_speed, height, stay_height)\n--\n\n"
             "Whether each joint of points (N, K, 3) is in contact at each sample, (K, N) of bool. Speeds are in lengths a step.");

static PyObject *ground_contacts(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    static const signature s = {
        "ground_contacts", 7, 7, {"points", "planted", "window", "speed", "stay_speed", "height", "stay_height", NULL}};
    PyObject *values[7];
    ct_contact_limits limits;
    ct_tracks tracks;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_size(values[2], "ground_contacts: window", &limits.window) < 0 ||
        to_double(values[3], "ground_contacts: speed", &limits.speed) < 0 ||
        to_double(values[4], "ground_contacts: stay_speed", &limits.stay_speed) < 0 ||
        to_double(values[5], "ground_contacts: height", &limits.height) < 0 ||
        to_double(values[6], "ground_contacts: stay_height", &limits.stay_height) < 0)
        return NULL;
    if (limits.window == 0) return PyErr_Format(PyExc_ValueError, "%s: window is 0, expected 1 step or more", s.function);

    PyArrayObject *points = to_tracks(values[0], s.function, &tracks), *planted = NULL, *contacts = NULL;
    if (points && (planted = to_planted(values[1], s.function, tracks))) {
        npy_intp shape[2] = {(npy_intp)tracks.joint_count, (npy_intp)tracks.sample_count};
        contacts = (PyArrayObject *)PyArray_SimpleNew(2, shape, NPY_BOOL);
    }
    if (contacts) {
        core_call call;
        enter_core(&call, tracks.sample_count * tracks.joint_count);
        ct_ground_contacts(tracks, PyArray_DATA(planted), &limits, PyArray_DATA(contacts));
        leave_core(&call);
    }
    Py_XDECREF(points);
    Py_XDECREF(planted);
    return (PyObject *)contacts;
}

PyDoc_STRVAR(
    ground_penetration_doc,
    "ground_penetration($module, points, ground, least)\n--\n\n"
    "How deep each joint of points (N, K, 3) is below the ground: at most, on average while below, and in which part of the time.");

static PyObject *ground_penetration(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    static const signature s = {"ground_penetration", 3, 3, {"points", "ground", "least", NULL}};
    PyObject *values[3], *triple = NULL;
    PyArrayObject *deepest = NULL, *mean = NULL, *part = NULL;
    ct_tracks tracks;
    double ground, least;
    if (parse(&s, args, count, names, values) < 0 || to_double(values[1], "ground_penetration: ground", &ground) < 0 ||
        to_double(values[2], "ground_penetration: least", &least) < 0)
        return NULL;
    PyArrayObject *points = to_tracks(values[0], s.function, &tracks);
    if (points && (deepest = one_a_joint(tracks, NPY_DOUBLE)) && (mean = one_a_joint(tracks, NPY_DOUBLE)) &&
        (part = one_a_joint(tracks, NPY_DOUBLE))) {
        core_call call;
        enter_core(&call, tracks.sample_count * tracks.joint_count);
        ct_ground_penetration(tracks, ground, least, PyArray_DATA(deepest), PyArray_DATA(mean), PyArray_DATA(part));
        leave_core(&call);
        triple = PyTuple_Pack(3, deepest, mean, part);
    }
    Py_XDECREF(points);
    Py_XDECREF(deepest);
    Py_XDECREF(mean);
    Py_XDECREF(part);
    return triple;
}

PyDoc_STRVAR(bone_length_errors_doc, "bone_length_errors($module, positions, skeleton)\n--\n\n"
                                     "How much longer than at rest each bone of positions (..., J, 3) is, (..., J); 0 for roots.");

static PyObject *bone_length_errors(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"bone_length_errors", 2, 2, {"positions", "skeleton", NULL}};
    static const char name[] = "bone_length_errors: positions";
    module_state *state = PyModule_GetState(module);
    PyObject *values[2];
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (!PyObject_TypeCheck(values[1], state->skeleton_type)) {
        return PyErr_Format(PyExc_TypeError, "%s: skeleton is %.100s, expected a canter.Skeleton", s.function, Py_TYPE(values[1])->tp_name);
    }
    const ct_skeleton *skeleton = ((skeleton_object *)values[1])->core;
    npy_intp shape[2] = {(npy_intp)skeleton->joint_count, 3};
    PyArrayObject *positions = to_numbers(values[0], NPY_DOUBLE, name, 2, shape, true), *errors = NULL;
    if (positions) {
        errors = (PyArrayObject *)PyArray_SimpleNew(PyArray_NDIM(positions) - 1, PyArray_DIMS(positions), NPY_DOUBLE);
    }
    if (errors) {
        size_t pose_count = (size_t)PyArray_SIZE(errors) / skeleton->joint_count;
        core_call call;
        enter_core(&call, (size_t)PyArray_SIZE(errors));
        ct_bone_length_errors(skeleton, pose_count, PyArray_DATA(positions), PyArray_DATA(errors));
        leave_core(&call);
    }
    Py_XDECREF(positions);
    return (PyObject *)errors;
}

static PyMethodDef metric_functions[] = {
    KEYWORD_METHOD("planted_heights", planted_heights),       KEYWORD_METHOD("ground_slide", ground_slide),
    KEYWORD_METHOD("ground_contacts", ground_contacts),       KEYWORD_METHOD("ground_penetration", ground_penetration),
    KEYWORD_METHOD("bone_length_errors", bone_length_errors), {NULL, NULL, 0, NULL},
};

int add_metric_functions(PyObject *module) { return PyModule_AddFunctions(module, metric_functions); }

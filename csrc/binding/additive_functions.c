#include "binding.h"

#include <math.h>
#include <string.h>

#include "additive_clip_type.h"
#include "arguments.h"
#include "batch.h"
#include "convert.h"
#include "core_call.h"

static int check_joints(const char *name, size_t joints, const char *other_name, size_t expected)
{
    if (joints == expected) return 0;
    PyErr_Format(PyExc_ValueError, "%s has %zu joints, %s has %zu", name, joints, other_name, expected);
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------------- additive

static pose_object *rest_in(module_state *state, const skeleton_object *skeleton, ct_layout layout)
{
    if (check_joints("additive: reference", skeleton->core->joint_count, "pose", layout.joint_count) < 0) return NULL;
    pose_object *rest = new_pose(state->pose_type, layout.joint_count, layout.component_count, 0, NULL);
    const ct_poses from = ct_skeleton_rest(skeleton->core);
    if (rest) ct_layout_fit(from.layout, from.rows, layout, poses_of(rest).rows);
    return rest;
}

// A reference for poses of this layout; new reference.
static pose_object *to_reference(module_state *state, PyObject *value, ct_layout layout)
{
    if (PyObject_TypeCheck(value, state->skeleton_type)) return rest_in(state, (skeleton_object *)value, layout);
    if (!PyObject_TypeCheck(value, state->pose_type)) {
        PyErr_Format(PyExc_TypeError,
                     "additive: reference is %.100s, expected a Pose (of a clip: clip[0]), or a Skeleton for its rest pose",
                     Py_TYPE(value)->tp_name);
        return NULL;
    }
    ct_layout own = poses_of((pose_object *)value).layout;
    if (check_joints("additive: reference", own.joint_count, "pose", layout.joint_count) < 0) return NULL;
    if (ct_same_layout(own, layout)) return (pose_object *)Py_NewRef(value);
    PyErr_Format(PyExc_ValueError, "additive: reference has %s, pose has %s; give both the same", parts_text(own), parts_text(layout));
    return NULL;
}

static PyObject *delta_of_pose(module_state *state, const pose_object *pose, const pose_object *reference, ct_delta_side side)
{
    batch b = {0};
    if (!join_batch(&b, pose) || !join_batch(&b, reference)) {
        PyErr_SetString(PyExc_ValueError, "additive: pose and reference are batches of different shapes; a single pose fits any");
        return NULL;
    }
    const ct_layout layout = poses_of(pose).layout;
    pose_object *delta = new_pose(state->pose_delta_type, layout.joint_count, layout.component_count, b.rank, b.shape);
    if (!delta) return NULL;
    delta->side = side;
    ct_error error;
    core_call call;
    enter_core(&call, deltas_of(delta).count * layout.joint_count);
    ct_status status = ct_pose_difference(active_kernels(), poses_of(pose), poses_of(reference), deltas_of(delta), &error);
    leave_core(&call);
    if (status == CT_OK) return (PyObject *)delta;
    Py_DECREF(delta);
    return raise_error(&error, "additive");
}

static PyObject *additive_of_clip(module_state *state, const clip_object *clip, const pose_object *reference, ct_delta_side side)
{
    if (batch_rank(reference) != 0) {
        PyErr_SetString(PyExc_ValueError, "additive: reference is a batch of poses, a clip needs a single one");
        return NULL;
    }
    ct_additive_clip core;
    ct_error error;
    core_call call;
    enter_core(&call, work_of(clip));
    ct_status status = ct_additive_clip_create(clip->core, active_kernels(), poses_of(reference), side, &core, &error);
    leave_core(&call);
    if (status != CT_OK) return raise_error(&error, "additive");
    return (PyObject *)wrap_additive_clip(state, core, clip->skeleton, clip->labels.name, clip->labels.markers);
}

PyDoc_STRVAR(
    additive_doc,
    "additive($module, pose, reference, *, side='local')\n--\n\n"
    "What a pose, or a whole clip, has beside a reference pose, to be added to others.\n\n"
    "Parameters\n----------\n"
    "pose : Pose or Clip\n"
    "reference : Pose or Skeleton\n"
    "    What `pose` is when there is nothing to add: often the first frame of a clip. A Skeleton means its rest pose. Batches of\n"
    "    one shape are taken element by element; a single pose fits any batch.\n"
    "side : {'local', 'parent'}, default 'local'\n"
    "    The side of a base on which the turns are applied: 'local' is inverse(reference) * pose, on the right, turns about the\n"
    "    joint's own axes; 'parent' is pose * inverse(reference), on the left, turns about the axes of the joint's parent. The\n"
    "    delta knows its side.\n\n"
    "Returns\n-------\n"
    "PoseDelta, or AdditiveClip for a Clip\n"
    "    Translations are differences and scales ratios, whatever the side.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    Joints, parts or batches differ; scales have no ratio above 0, since one of them is 0 or they differ in sign.\n"
    "TypeError\n"
    "    An argument is of another type.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> lean, run = ct.examples.lean(), ct.examples.run()\n"
    ">>> ct.additive(lean[-1], lean[0])\n"
    "<PoseDelta: 18 joints, side 'local'>\n"
    ">>> leaning = ct.additive(lean, lean[0])\n"
    ">>> ct.add(run.sample(0.2), leaning.sample(0.5), 0.7)\n"
    "<Pose: 18 joints>");

static PyObject *additive(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"additive", 2, 2, {"pose", "reference", "side", NULL}};
    PyObject *v[3];
    int side = CT_SIDE_LOCAL;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    if (v[2] && to_choice(v[2], "additive: side", delta_sides, &side) < 0) return NULL;

    module_state *state = PyModule_GetState(module);
    const bool is_clip = PyObject_TypeCheck(v[0], state->clip_type);
    if (!is_clip && !PyObject_TypeCheck(v[0], state->pose_type))
        return PyErr_Format(PyExc_TypeError, "additive: pose is %.100s, expected a Pose or a Clip", Py_TYPE(v[0])->tp_name);
    pose_object *reference =
        to_reference(state, v[1], is_clip ? ((clip_object *)v[0])->core->layout : poses_of((pose_object *)v[0]).layout);
    if (!reference) return NULL;
    PyObject *result = is_clip ? additive_of_clip(state, (clip_object *)v[0], reference, (ct_delta_side)side)
                               : delta_of_pose(state, (pose_object *)v[0], reference, (ct_delta_side)side);
    Py_DECREF(reference);
    return result;
}

// --------------------------------------------------------------------------------------------------------------------------- add

// Everything a call reads.
typedef struct sum {
    const pose_object *base, *delta;
    batch batch;            // of the result
    PyArrayObject *weights; // one, or the shape of the batch
    PyArrayObject *mask;    // (stride,) or NULL
} sum;

static int take_poses(sum *s, module_state *state, PyObject *base, PyObject *delta)
{
    if (!PyObject_TypeCheck(base, state->pose_type)) {
        PyErr_Format(PyExc_TypeError, "add: base is %.100s, expected a Pose%s", Py_TYPE(base)->tp_name,
                     PyObject_TypeCheck(base, state->clip_type) ? "; clip.poses are all of its frames" : "");
        return -1;
    }
    s->base = (pose_object *)base;
    if (!(s->delta = to_pose_delta(state, delta, "add: delta"))) return -1;
    ct_layout own = deltas_of(s->delta).layout, layout = poses_of(s->base).layout;
    if (check_joints("add: delta", own.joint_count, "base", layout.joint_count) < 0) return -1;
    if (own.component_count > layout.component_count) {
        PyErr_Format(PyExc_ValueError, "add: delta has %s, base has %s; give the base what the delta adds to", parts_text(own),
                     parts_text(layout));
        return -1;
    }
    if (join_batch(&s->batch, s->base) && join_batch(&s->batch, s->delta)) return 0;
    PyErr_SetString(PyExc_ValueError, "add: base and delta are batches of different shapes; a single one fits any");
    return -1;
}

static int take_weights(sum *s, PyObject *value)
{
    PyArrayObject *given = to_numbers(value, NPY_DOUBLE, "add: weight", 0, NULL, true);
    if (given) s->weights = spread(given, 0, "add: weight", &s->batch);
    Py_XDECREF(given);
    return s->weights ? 0 : -1;
}

// As long as the kernels read.
static int take_mask(sum *s, PyObject *value)
{
    if (!value || value == Py_None) return 0;
    const ct_layout layout = poses_of(s->base).layout;
    const npy_intp joints = (npy_intp)layout.joint_count, stride = (npy_intp)layout.stride;
    PyArrayObject *given = to_numbers(value, NPY_FLOAT, "add: mask", 1, &joints, false);
    if (!given) return -1;
    const float *mask = PyArray_DATA(given);
    npy_intp at = 0;
    while (at < joints && mask[at] >= 0) ++at;
    if (at < joints)
        PyErr_Format(PyExc_ValueError, "add: mask is negative at joint %zd, expected 0 or more", (Py_ssize_t)at);
    else if ((s->mask = (PyArrayObject *)PyArray_ZEROS(1, &stride, NPY_FLOAT, 0)))
        memcpy(PyArray_DATA(s->mask), mask, (size_t)joints * sizeof *mask);
    Py_DECREF(given);
    return s->mask ? 0 : -1;
}

// The largest number of an array, signs aside, and at least 0.
static double largest(PyArrayObject *array)
{
    double most = 0;
    for (npy_intp i = 0; i < PyArray_SIZE(array); ++i) {
        double number =
            PyArray_TYPE(array) == NPY_DOUBLE ? ((const double *)PyArray_DATA(array))[i] : (double)((const float *)PyArray_DATA(array))[i];
        most = fmax(most, fabs(number));
    }
    return most;
}

static int check_weight(double most)
{
    if (most <= CT_MAX_DELTA_WEIGHT) return 0;
    PyObject *number = PyFloat_FromDouble(most);
    if (number)
        PyErr_Format(PyExc_ValueError, "add: weight times mask reaches %R, expected at most %d either way", number, CT_MAX_DELTA_WEIGHT);
    Py_XDECREF(number);
    return -1;
}

// Large weights take ratios to large powers.
static int check_sum(const pose_object *out)
{
    const float *numbers = PyArray_DATA(out->rows);
    npy_intp count = PyArray_SIZE(out->rows), at = 0;
    while (at < count && isfinite(numbers[at])) ++at;
    if (at == count) return 0;
    const ct_layout layout = poses_of(out).layout;
    size_t joint = (size_t)at % layout.stride, pose = (size_t)at / ct_row_length(layout);
    PyErr_Format(PyExc_ValueError, "add: the weight takes joint %zu (pose %zu of the batch) beyond the range of float32", joint, pose);
    return -1;
}

static pose_object *add_up(const sum *s, module_state *state, int workers)
{
    double most = largest(s->weights) * (s->mask ? largest(s->mask) : 1);
    if (check_weight(most) < 0) return NULL;
    const ct_poses base = poses_of(s->base);
    pose_object *out = new_pose(state->pose_type, base.layout.joint_count, base.layout.component_count, s->batch.rank, s->batch.shape);
    if (!out) return NULL;
    core_call call;
    const ct_interrupt *interrupt = enter_core(&call, poses_of(out).count * base.layout.joint_count);
    ct_status status = ct_poses_add(active_kernels(), base, deltas_of(s->delta), (size_t)PyArray_SIZE(s->weights), PyArray_DATA(s->weights),
                                    s->mask ? PyArray_DATA(s->mask) : NULL, workers, interrupt, poses_of(out));
    leave_core(&call);
    // When interrupted, Python has set the exception.
    if (status != CT_OK || (most > 1 && check_sum(out) < 0)) Py_CLEAR(out);
    return out;
}

PyDoc_STRVAR(
    add_doc,
    "add($module, base, delta, weight=1.0, *, mask=None, workers=1)\n--\n\n"
    "Add to poses what `additive` has measured, on the side on which it did.\n\n"
    "Parameters\n----------\n"
    "base : Pose\n"
    "delta : PoseDelta\n"
    "    Batches of one shape are taken element by element; a single one fits any batch. Where it has no translations or no\n"
    "    scales, those of the base stay.\n"
    "weight : array_like, default 1\n"
    "    How much of the delta: one number, or one for each of the batch, to which it is broadcast. 0 leaves the base as it is, to\n"
    "    the bit; -w undoes w.\n"
    "mask : array_like, shape (J,), optional\n"
    "    0 or more for each joint, multiplied with `weight`; a joint of 0 keeps its bits.\n"
    "workers : int, default 1\n"
    "    Threads to use, -1 for all cores. The result has the same bits for any number.\n\n"
    "Returns\n-------\n"
    "Pose\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    Joints, parts or shapes do not fit; a weight is not finite, or beyond 1000 either way with its mask; a mask is negative.\n"
    "TypeError\n"
    "    delta is no PoseDelta, or base no Pose.\n\n"
    "Notes\n-----\n"
    "Rotations become base * nlerp(identity, delta, weight), the short way, or nlerp(identity, delta, weight) * base when the side is\n"
    "'parent'; translations base + weight * delta; scales base * (1 - weight + weight * delta). A negative weight applies the\n"
    "inverse of what its magnitude would. Beyond 1 a turn's angle is multiplied by the weight, and a ratio taken to its power, so\n"
    "that 2 adds the whole delta twice.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> lean, run = ct.examples.lean(), ct.examples.run()\n"
    ">>> leaning = ct.add(run.sample(0.2), ct.additive(lean[-1], lean[0]), mask=run.skeleton.mask('Spine', depth=3))\n"
    ">>> leaning.rotations.shape\n"
    "(18, 4)");

static PyObject *add(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature signature_of_add = {"add", 3, 2, {"base", "delta", "weight", "mask", "workers", NULL}};
    PyObject *v[5];
    int workers;
    if (parse(&signature_of_add, args, count, names, v) < 0 || to_workers(v[4], "add", &workers) < 0) return NULL;

    module_state *state = PyModule_GetState(module);
    PyObject *weight = v[2] ? Py_NewRef(v[2]) : PyFloat_FromDouble(1);
    sum s = {0};
    pose_object *result = NULL;
    if (weight && take_poses(&s, state, v[0], v[1]) == 0 && take_weights(&s, weight) == 0 && take_mask(&s, v[3]) == 0)
        result = add_up(&s, state, workers);
    Py_XDECREF(weight);
    Py_XDECREF(s.weights);
    Py_XDECREF(s.mask);
    return (PyObject *)result;
}

static PyMethodDef additive_functions[] = {
    KEYWORD_METHOD("additive", additive),
    KEYWORD_METHOD("add", add),
    {NULL, NULL, 0, NULL},
};

int add_additive_functions(PyObject *module) { return PyModule_AddFunctions(module, additive_functions); }

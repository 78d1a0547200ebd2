#include "binding.h"

#include <string.h>

#include "arguments.h"
#include "batch.h"
#include "blend.h"
#include "convert.h"
#include "core_call.h"
#include "skeleton_type.h"

// Everything a call reads. `poses` is a tuple of poses, or one whose first axis is the poses.
typedef struct mix {
    module_state *state;
    PyObject *poses;
    size_t pose_count;
    ct_layout layout;
    batch batch;            // of the result
    PyArrayObject *weights; // (pose_count, *batch), or (pose_count,) when each pose has one
    PyArrayObject *masks;   // (pose_count or 1, stride) or NULL
    PyArrayObject *rest;    // (components, stride) or NULL
} mix;

static void release_mix(mix *m)
{
    Py_XDECREF(m->poses);
    Py_XDECREF(m->weights);
    Py_XDECREF(m->masks);
    Py_XDECREF(m->rest);
}

static bool is_stack(const mix *m) { return !PyTuple_Check(m->poses); }

static pose_object *pose_at(const mix *m, size_t i) { return (pose_object *)PyTuple_GET_ITEM(m->poses, (Py_ssize_t)i); }

// ------------------------------------------------------------------------------------------------------------------------- poses

static int take_stack(mix *m, pose_object *stack)
{
    if (batch_rank(stack) == 0) {
        PyErr_SetString(PyExc_ValueError, "blend: poses is a single pose, expected several, or one whose first axis is the poses");
        return -1;
    }
    m->poses = Py_NewRef(stack);
    m->pose_count = (size_t)batch_shape(stack)[0];
    m->layout = poses_of(stack).layout;
    m->batch.rank = batch_rank(stack) - 1;
    memcpy(m->batch.shape, batch_shape(stack) + 1, (size_t)m->batch.rank * sizeof *m->batch.shape);
    return 0;
}

static int check_same_kind(const mix *m, size_t i)
{
    ct_layout layout = poses_of(pose_at(m, i)).layout;
    if (layout.joint_count != m->layout.joint_count) {
        PyErr_Format(PyExc_ValueError, "blend: pose %zu has %zu joints, pose 0 has %zu", i, layout.joint_count, m->layout.joint_count);
        return -1;
    }
    if (layout.component_count == m->layout.component_count) return 0;
    PyErr_Format(PyExc_ValueError, "blend: pose %zu has %s, pose 0 has %s; give all of them the same", i, parts_text(layout),
                 parts_text(m->layout));
    return -1;
}

static int take_batch(mix *m, size_t i)
{
    if (join_batch(&m->batch, pose_at(m, i))) return 0;
    PyErr_Format(PyExc_ValueError, "blend: pose %zu is a batch of another shape than the poses before it; single poses fit any", i);
    return -1;
}

static int take_poses(mix *m, PyObject *value)
{
    if (PyObject_TypeCheck(value, m->state->pose_type)) {
        if (take_stack(m, (pose_object *)value) < 0) return -1;
    } else {
        if (!(m->poses = to_tuple(value, "blend: poses", "a sequence of Pose, or one Pose"))) return -1;
        m->pose_count = (size_t)PyTuple_GET_SIZE(m->poses);
        for (size_t i = 0; i < m->pose_count; ++i) {
            PyObject *item = PyTuple_GET_ITEM(m->poses, (Py_ssize_t)i);
            if (!PyObject_TypeCheck(item, m->state->pose_type)) {
                PyErr_Format(PyExc_TypeError, "blend: poses[%zu] is %.100s, expected a Pose", i, Py_TYPE(item)->tp_name);
                return -1;
            }
            if (i == 0) m->layout = poses_of(pose_at(m, 0)).layout;
            if (check_same_kind(m, i) < 0 || take_batch(m, i) < 0) return -1;
        }
    }
    if (m->pose_count > 0) return 0;
    PyErr_SetString(PyExc_ValueError, "blend: poses is empty, expected at least one");
    return -1;
}

// ----------------------------------------------------------------------------------------------------------------------- weights

static int check_weights(PyArrayObject *weights)
{
    if (check_finite(weights, "blend: weights") < 0) return -1;
    const double *w = PyArray_DATA(weights);
    npy_intp count = PyArray_SIZE(weights), at = 0;
    while (at < count && w[at] >= 0) ++at;
    if (at == count) return 0;

    npy_intp each = count / PyArray_DIM(weights, 0);
    PyObject *number = PyFloat_FromDouble(w[at]);
    if (!number) return -1;
    if (PyArray_NDIM(weights) == 1)
        PyErr_Format(PyExc_ValueError, "blend: weights[%zd] is %R, expected 0 or more", (Py_ssize_t)at, number);
    else
        PyErr_Format(PyExc_ValueError, "blend: the weight of pose %zd is %R (number %zd of the batch), expected 0 or more",
                     (Py_ssize_t)(at / each), number, (Py_ssize_t)(at % each));
    Py_DECREF(number);
    return -1;
}

static int take_weights(mix *m, PyObject *value)
{
    PyArrayObject *given = to_array(value, NPY_DOUBLE, "blend: weights", 0, NULL, true);
    if (!given) return -1;
    if (PyArray_NDIM(given) == 0 || (size_t)PyArray_DIM(given, 0) != m->pose_count) {
        char text[SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError, "blend: weights has shape %s, expected one for each of %zu poses first", shape_text(given, text),
                     m->pose_count);
    } else if (check_weights(given) == 0) {
        m->weights = spread(given, 1, "blend: weights", &m->batch);
    }
    Py_DECREF(given);
    return m->weights ? 0 : -1;
}

// ------------------------------------------------------------------------------------------------------------------ mask and rest

// Rows as long as the kernels read. The padding joints of poses are identities, which any weight keeps; 0 would only cost time.
static int take_masks(mix *m, PyObject *value)
{
    if (!value || value == Py_None) return 0;
    PyArrayObject *given = to_array(value, NPY_FLOAT, "blend: mask", 0, NULL, true);
    if (!given) return -1;
    int rank = PyArray_NDIM(given);
    npy_intp joints = (npy_intp)m->layout.joint_count, rows = rank == 2 ? (npy_intp)m->pose_count : 1;
    if ((rank != 1 && rank != 2) || PyArray_DIM(given, rank - 1) != joints || (rank == 2 && PyArray_DIM(given, 0) != rows)) {
        char text[SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError, "blend: mask has shape %s, expected (%zd,) for all poses or (%zu, %zd), a row each",
                     shape_text(given, text), (Py_ssize_t)joints, m->pose_count, (Py_ssize_t)joints);
    } else {
        npy_intp shape[2] = {rows, (npy_intp)m->layout.stride};
        m->masks = (PyArrayObject *)PyArray_SimpleNew(2, shape, NPY_FLOAT);
    }
    for (npy_intp i = 0; m->masks && i < rows; ++i) {
        float *row = (float *)PyArray_DATA(m->masks) + (size_t)i * m->layout.stride;
        memcpy(row, (const float *)PyArray_DATA(given) + i * joints, (size_t)joints * sizeof *row);
        for (size_t j = (size_t)joints; j < m->layout.stride; ++j) row[j] = 1;
    }
    Py_DECREF(given);
    return m->masks ? 0 : -1;
}

// The rest pose in the layout of the poses.
static int write_rest(mix *m, ct_poses from, const char *kind)
{
    if (from.layout.joint_count != m->layout.joint_count) {
        PyErr_Format(PyExc_ValueError, "blend: rest is a %s of %zu joints, the poses have %zu", kind, from.layout.joint_count,
                     m->layout.joint_count);
        return -1;
    }
    if (ct_has_translations(m->layout) && !ct_has_translations(from.layout)) {
        PyErr_SetString(PyExc_ValueError, "blend: rest has no translations, the poses have; give it theirs, or a Skeleton");
        return -1;
    }
    npy_intp shape[2] = {(npy_intp)m->layout.component_count, (npy_intp)m->layout.stride};
    if (!(m->rest = (PyArrayObject *)PyArray_SimpleNew(2, shape, NPY_FLOAT))) return -1;
    ct_layout_fit(from.layout, from.rows, m->layout, PyArray_DATA(m->rest));
    return 0;
}

static int take_rest(mix *m, PyObject *value)
{
    if (!value || value == Py_None) return 0;
    if (PyObject_TypeCheck(value, m->state->skeleton_type))
        return write_rest(m, ct_skeleton_rest(((skeleton_object *)value)->core), "Skeleton");
    if (!PyObject_TypeCheck(value, m->state->pose_type)) {
        PyErr_Format(PyExc_TypeError, "blend: rest is %.100s, expected a Pose or a Skeleton", Py_TYPE(value)->tp_name);
        return -1;
    }
    if (batch_rank((pose_object *)value) == 0) return write_rest(m, poses_of((pose_object *)value), "Pose");
    PyErr_SetString(PyExc_ValueError, "blend: rest is a batch of poses, expected a single one");
    return -1;
}

// -------------------------------------------------------------------------------------------------------------------------- blend

static void fill_poses(const mix *m, ct_blend_pose *poses)
{
    npy_intp each = PyArray_SIZE(m->weights) / (npy_intp)m->pose_count; // weights a pose
    size_t length = ct_row_length(m->layout);
    for (size_t i = 0; i < m->pose_count; ++i) {
        const pose_object *pose = is_stack(m) ? (pose_object *)m->poses : pose_at(m, i);
        ct_poses all = poses_of(pose);
        size_t first = is_stack(m) ? i * (all.count / m->pose_count) : 0;
        bool single = batch_rank(pose) == (is_stack(m) ? 1 : 0);
        poses[i] = (ct_blend_pose){
            .rows = all.rows + first * length,
            .row_step = single ? 0 : length,
            .weights = (const double *)PyArray_DATA(m->weights) + (npy_intp)i * each,
            .weight_step = PyArray_NDIM(m->weights) > 1,
            .mask = m->masks ? (const float *)PyArray_DATA(m->masks) + (PyArray_DIM(m->masks, 0) > 1 ? i * m->layout.stride : 0) : NULL,
        };
    }
}

static pose_object *blend_mix(const mix *m, int workers)
{
    ct_blend_pose *poses = PyMem_Calloc(m->pose_count, sizeof *poses);
    if (!poses) return (pose_object *)PyErr_NoMemory();
    fill_poses(m, poses);
    ct_blend blend = {python_allocator(), m->pose_count, poses, m->masks != NULL, m->rest ? PyArray_DATA(m->rest) : NULL};

    ct_error error;
    ct_status status = ct_blend_check_masks(&blend, m->layout, &error);
    pose_object *out = NULL;
    if (status == CT_OK)
        out = new_pose(m->state->pose_type, m->layout.joint_count, m->layout.component_count, m->batch.rank, m->batch.shape);
    if (out) {
        core_call call;
        const ct_interrupt *interrupt = enter_core(&call, poses_of(out).count * m->pose_count * m->layout.joint_count);
        status = ct_blend_poses(&blend, active_kernels(), workers, interrupt, poses_of(out), &error);
        leave_core(&call);
    }
    if (status != CT_OK) {
        Py_CLEAR(out);
        raise_error(&error, "blend");
    }
    PyMem_Free(poses);
    return out;
}

PyDoc_STRVAR(
    blend_doc,
    "blend($module, poses, weights, *, mask=None, rest=None, workers=1)\n--\n\n"
    "Mix any number of poses by weight, joint by joint.\n\n"
    "Parameters\n----------\n"
    "poses : sequence of N Pose, or Pose of shape (N, ...)\n"
    "    All with the same joints and parts. Batches of one shape are blended element by element; single poses fit any batch.\n"
    "weights : array_like, shape (N,) or (N, ...)\n"
    "    0 or more; used after division by their sum. What follows the first axis is broadcast to the batch of the poses; single\n"
    "    poses take the batch of the weights.\n"
    "mask : array_like, shape (J,) or (N, J), optional\n"
    "    Weights of the joints, 0 or more, for all poses or for each: they multiply `weights` before the division. One for all\n"
    "    poses therefore only tells the joints that have weight (above 0) from those that show the rest pose.\n"
    "rest : Pose or Skeleton, optional\n"
    "    What a joint without any weight shows. By default it is not turned, and has the plain mean of the translations and scales of\n"
    "    the poses, so that bones keep their lengths.\n"
    "workers : int, default 1\n"
    "    Threads to use, -1 for all cores. The result has the same bits for any number.\n\n"
    "Returns\n-------\n"
    "Pose\n"
    "    A joint to which one pose alone gives weight has that pose's bits.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    There are no poses; they differ in joints, parts or batch; a shape does not fit; a weight is negative or not finite.\n"
    "TypeError\n"
    "    What should be a Pose is none.\n\n"
    "Notes\n-----\n"
    "Translations and scales are weighted sums; rotations too, made unit (nlerp). Two rotations go the short way. More are first brought\n"
    "to one side: where every two of them can be less than half a turn apart, so they are; else to the side of the main axis of the sum\n"
    "of w q q^T, the mean of F. L. Markley, Y. Cheng, J. L. Crassidis, Y. Oshman, *Averaging quaternions*, Journal of Guidance, Control,\n"
    "and Dynamics 30 (2007). Neither the order of the poses nor the sign of a quaternion matters, beyond rounding (a few 1e-7).\n"
    "Rotations without a mean, such as three turns 120 degrees apart, give one near the rest rotation.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> walk, run, wave = ct.examples.walk(), ct.examples.run(), ct.examples.wave()\n"
    ">>> jog = ct.blend([walk.sample(0.2), run.sample(0.1)], [0.25, 0.75])\n"
    ">>> arm = walk.skeleton.mask('RightArm')\n"
    ">>> waving = ct.blend([jog, wave.sample(0.5)], [1, 1], mask=[1 - arm, arm])\n"
    ">>> waving.rotations.shape\n"
    "(18, 4)");

static PyObject *blend(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"blend", 2, 2, {"poses", "weights", "mask", "rest", "workers", NULL}};
    PyObject *values[5];
    int workers;
    if (parse(&s, args, count, names, values) < 0 || to_workers(values[4], s.function, &workers) < 0) return NULL;

    mix m = {.state = PyModule_GetState(module)};
    pose_object *result = NULL;
    if (take_poses(&m, values[0]) == 0 && take_weights(&m, values[1]) == 0 && take_masks(&m, values[2]) == 0 &&
        take_rest(&m, values[3]) == 0)
        result = blend_mix(&m, workers);
    release_mix(&m);
    return (PyObject *)result;
}

static PyMethodDef blend_functions[] = {
    KEYWORD_METHOD("blend", blend),
    {NULL, NULL, 0, NULL},
};

int add_blend_functions(PyObject *module) { return PyModule_AddFunctions(module, blend_functions); }

// Methods of canter.Clip that make another clip of the same motion: root motion out and in, other units, axes, rest poses.
#include "clip_edit.h"

#include "arguments.h"
#include "clip_methods.h"
#include "clip_type.h"
#include "convert.h"
#include "core_call.h"
#include "pose_type.h"
#include "root_motion_type.h"

// A clip with the labels of `from` around a core on the same skeleton, or the error.
static PyObject *same_skeleton(clip_object *from, ct_status status, ct_clip *core, const ct_error *error, const char *where)
{
    if (status != CT_OK) return raise_error(error, where);
    return (PyObject *)wrap_clip(state_of(Py_TYPE(from)), core, from->skeleton, &from->labels);
}

// The same for a clip that has a skeleton of its own.
static PyObject *own_skeleton(clip_object *from, ct_status status, ct_edited edited, const ct_error *error, const char *where)
{
    if (status != CT_OK) return raise_error(error, where);
    module_state *state = state_of(Py_TYPE(from));
    skeleton_object *skeleton = wrap_skeleton(state, edited.skeleton);
    if (!skeleton) {
        ct_clip_destroy(edited.clip);
        return NULL;
    }
    PyObject *clip = (PyObject *)wrap_clip(state, edited.clip, skeleton, &from->labels);
    Py_DECREF(skeleton);
    return clip;
}

// ------------------------------------------------------------------------------------------------------------------ root motion

static PyObject *measure_root(clip_object *self, const ct_root_options *options, const char *where)
{
    ct_root_motion *motion = NULL;
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_root_motion_create(self->core, active_kernels(), options, &motion, &error);
    leave_core(&call);
    if (status != CT_OK) return raise_error(&error, where);
    return (PyObject *)wrap_root_motion(state_of(Py_TYPE(self)), motion);
}

// The name of an axis, or three numbers.
static int to_direction(PyObject *value, const char *name, ct_vector *out)
{
    if (PyUnicode_Check(value)) {
        ct_axis axis;
        if (to_axis(value, name, &axis) < 0) return -1;
        *out = ct_axis_vector(axis);
        return 0;
    }
    const npy_intp three = 3;
    PyArrayObject *array = to_array(value, NPY_DOUBLE, name, 1, &three, false);
    int result = array ? check_finite(array, name) : -1;
    if (result == 0) {
        const double *v = PyArray_DATA(array);
        *out = (ct_vector){v[0], v[1], v[2]};
    }
    Py_XDECREF(array);
    return result;
}

PyObject *clip_root_motion(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.root_motion", 1, 0, {"joint", "smoothing", "forward", "up", NULL}};
    PyObject *v[4];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    ct_root_options options = {.joint = CT_NOWHERE, .up = CT_PLUS_Y};
    if (v[0] && v[0] != Py_None) {
        size_t joint;
        if (to_joint(self->skeleton, v[0], "Clip.root_motion", "joint", &joint) < 0) return NULL;
        options.joint = (ptrdiff_t)joint;
    }
    if (v[1] && to_double(v[1], "Clip.root_motion: smoothing", &options.smoothing) < 0) return NULL;
    options.has_forward = v[2] && v[2] != Py_None;
    if (options.has_forward && to_direction(v[2], "Clip.root_motion: forward", &options.forward) < 0) return NULL;
    if (v[3] && to_axis(v[3], "Clip.root_motion: up", &options.up) < 0) return NULL;
    return measure_root(self, &options, s.function);
}

const char clip_root_motion_doc[] =
    "root_motion($self, joint=None, *, smoothing=0.0, forward=None, up='y')\n--\n\n"
    "The path of the character on the ground: where it stands and which way it faces.\n\n"
    "Parameters\n----------\n"
    "joint : str or int, optional\n"
    "    What is measured. The default is the first with a left and a right child (the hips), else the first that travels.\n"
    "smoothing : float, default 0\n"
    "    Seconds of a Gaussian that takes the sway of the hips out of the path, without delay. 0 keeps the path as it is.\n"
    "forward : {'x', '+x', '-x', 'y', ..., '-z'} or array_like, shape (3,), optional\n"
    "    Where the joint faces, in its own axes. The default comes from its left and right children.\n"
    "up : {'x', '+x', '-x', 'y', ..., '-z'}, default 'y'\n"
    "    The axis across the ground.\n\n"
    "Returns\n-------\n"
    "RootMotion\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The clip has no frames, forward is zero, smoothing is negative.\n"
    "IndexError\n"
    "    There is no such joint.";

// The motion that `value` is, or that of the clip itself. New reference.
static root_motion_object *motion_of(clip_object *self, PyObject *value, const char *where, const char *name)
{
    if (!value || value == Py_None) {
        ct_root_options options = {.joint = CT_NOWHERE, .up = CT_PLUS_Y};
        return (root_motion_object *)measure_root(self, &options, where);
    }
    root_motion_object *motion = to_root_motion(state_of(Py_TYPE(self)), value, name);
    return (root_motion_object *)Py_XNewRef((PyObject *)motion);
}

typedef ct_status (*root_edit)(const ct_clip *clip, const ct_root_motion *motion, ct_clip **out, ct_error *error);

static PyObject *edit_root(clip_object *self, root_motion_object *motion, root_edit edit, const char *where)
{
    if (!motion) return NULL;
    ct_clip *core = NULL;
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = edit(self->core, motion->core, &core, &error);
    leave_core(&call);
    Py_DECREF(motion);
    return same_skeleton(self, status, core, &error, where);
}

PyObject *clip_in_place(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.in_place", 1, 0, {"motion", NULL}};
    PyObject *v[1];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    return edit_root(self, motion_of(self, v[0], s.function, "Clip.in_place: motion"), ct_clip_in_place, s.function);
}

const char clip_in_place_doc[] = "in_place($self, motion=None)\n--\n\n"
                                 "The clip with its root motion taken out: every frame stands at the origin and faces the same way.\n\n"
                                 "Parameters\n----------\n"
                                 "motion : RootMotion, optional\n"
                                 "    Of as many frames. The default is root_motion() of this clip.\n\n"
                                 "Returns\n-------\n"
                                 "Clip\n"
                                 "    with_root_motion(motion) of it gives this clip again.\n\n"
                                 "Raises\n------\n"
                                 "ValueError\n"
                                 "    The clip has no frames, or the motion has another number of them.";

PyObject *clip_with_root_motion(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.with_root_motion", 1, 1, {"motion", NULL}};
    PyObject *v[1];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    root_motion_object *motion = to_root_motion(state_of(Py_TYPE(op)), v[0], "Clip.with_root_motion: motion");
    return edit_root(self, (root_motion_object *)Py_XNewRef((PyObject *)motion), ct_clip_apply_root_motion, s.function);
}

const char clip_with_root_motion_doc[] =
    "with_root_motion($self, motion)\n--\n\n"
    "The clip moved and turned by a root motion, frame by frame: what in_place took out is put back.\n\n"
    "Parameters\n----------\n"
    "motion : RootMotion\n"
    "    Of as many frames.\n\n"
    "Returns\n-------\n"
    "Clip\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The motion has another number of frames.";

// -------------------------------------------------------------------------------------------------------- units, axes and ground

PyObject *clip_scaled(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.scaled", 1, 1, {"factor", NULL}};
    PyObject *v[1];
    double factor;
    if (parse(&s, args, count, names, v) < 0 || to_positive(v[0], "Clip.scaled: factor", &factor) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    ct_edited edited = {NULL, NULL};
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_scale_lengths(self->core, factor, &edited, &error);
    leave_core(&call);
    return own_skeleton(self, status, edited, &error, s.function);
}

const char clip_scaled_doc[] =
    "scaled($self, factor)\n--\n\n"
    "All lengths times a factor: offsets, tips and translations together, so 0.01 makes metres of centimetres.\n\n"
    "Parameters\n----------\n"
    "factor : float\n"
    "    Above 0.\n\n"
    "Returns\n-------\n"
    "Clip\n"
    "    On a skeleton of its own.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The factor is not above 0, or so large that lengths are no longer finite.";

PyObject *clip_converted(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.converted", 0, 0, {"up", "forward", NULL}};
    PyObject *v[2];
    ct_axis up = CT_PLUS_Y, forward;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    if (v[0] && to_axis(v[0], "Clip.converted: up", &up) < 0) return NULL;
    forward = up / 2 == 2 ? CT_MINUS_Y : CT_PLUS_Z;
    if (v[1] && v[1] != Py_None && to_axis(v[1], "Clip.converted: forward", &forward) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    ct_edited edited = {NULL, NULL};
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_turn_axes(self->core, up, forward, &edited, &error);
    leave_core(&call);
    return own_skeleton(self, status, edited, &error, s.function);
}

const char clip_converted_doc[] =
    "converted($self, /, *, up='y', forward=None)\n--\n\n"
    "The clip in other axes: what was `up` becomes +Y, what was `forward` +Z.\n\n"
    "Parameters\n----------\n"
    "up, forward : {'x', '+x', '-x', 'y', ..., '-z'}, optional\n"
    "    The axes as they are now. Without forward it is -Y where Z is up, as in Blender, else +Z.\n\n"
    "Returns\n-------\n"
    "Clip\n"
    "    On a skeleton of its own. Numbers change places and signs alone; identity rotations stay identities.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    up and forward lie along one line.";

PyObject *clip_grounded(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.grounded", 0, 0, {"up", "percentile", NULL}};
    PyObject *v[2];
    ct_axis up = CT_PLUS_Y;
    double percentile = 50;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    if (v[0] && to_axis(v[0], "Clip.grounded: up", &up) < 0) return NULL;
    if (v[1] && to_double(v[1], "Clip.grounded: percentile", &percentile) < 0) return NULL;

    clip_object *self = (clip_object *)op;
    ct_clip *core = NULL;
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_ground(self->core, active_kernels(), up, percentile, &core, NULL, &error);
    leave_core(&call);
    return same_skeleton(self, status, core, &error, s.function);
}

const char clip_grounded_doc[] = "grounded($self, /, *, up='y', percentile=50.0)\n--\n\n"
                                 "The clip moved along `up` so that it stands on 0.\n\n"
                                 "Parameters\n----------\n"
                                 "up : {'x', '+x', '-x', 'y', ..., '-z'}, default 'y'\n"
                                 "percentile : float, default 50\n"
                                 "    Of the frames' lowest points (joints and tips): 0 puts the lowest of all on 0, 50 the median.\n\n"
                                 "Returns\n-------\n"
                                 "Clip\n\n"
                                 "Raises\n------\n"
                                 "ValueError\n"
                                 "    The clip has no frames, or percentile lies outside 0 to 100.";

// --------------------------------------------------------------------------------------------------------------------- rest pose

PyObject *clip_with_rest_pose(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.with_rest_pose", 1, 1, {"pose", NULL}};
    PyObject *v[1];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    if (!PyObject_TypeCheck(v[0], state_of(Py_TYPE(op))->pose_type))
        return PyErr_Format(PyExc_TypeError, "Clip.with_rest_pose: pose is %.100s, expected a canter.Pose", Py_TYPE(v[0])->tp_name);
    const pose_object *pose = (pose_object *)v[0];
    if (batch_rank(pose) != 0 || pose->joint_count != self->core->layout.joint_count) {
        return PyErr_Format(PyExc_ValueError, "Clip.with_rest_pose: pose is %R, expected a single pose of %zu joints", v[0],
                            self->core->layout.joint_count);
    }
    ct_edited edited = {NULL, NULL};
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_with_rest_pose(self->core, poses_of(pose), &edited, &error);
    leave_core(&call);
    return own_skeleton(self, status, edited, &error, s.function);
}

const char clip_with_rest_pose_doc[] = "with_rest_pose($self, pose)\n--\n\n"
                                       "The same motion in the world, told from another rest pose.\n\n"
                                       "Parameters\n----------\n"
                                       "pose : Pose\n"
                                       "    A single pose of this skeleton, a T pose say: it becomes the pose of identity rotations.\n\n"
                                       "Returns\n-------\n"
                                       "Clip\n"
                                       "    On a skeleton of its own, whose joints' axes are turned and whose bones lie where they lay.\n\n"
                                       "Raises\n------\n"
                                       "ValueError\n"
                                       "    The pose is a batch, or has another number of joints.";

PyObject *clip_rest_from(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.with_rest_from", 1, 1, {"source", NULL}};
    static const char *const sources[] = {"first", "mean", NULL}; // ct_rest_source
    PyObject *v[1];
    int source;
    if (parse(&s, args, count, names, v) < 0 || to_choice(v[0], "Clip.with_rest_from: source", sources, &source) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    ct_edited edited = {NULL, NULL};
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_rest_from(self->core, (ct_rest_source)source, &edited, &error);
    leave_core(&call);
    return own_skeleton(self, status, edited, &error, s.function);
}

const char clip_rest_from_doc[] =
    "with_rest_from($self, source)\n--\n\n"
    "The clip on a skeleton whose offsets are taken from the motion, for files that keep their bones there.\n\n"
    "Parameters\n----------\n"
    "source : {'first', 'mean'}\n"
    "    The first frame's translations or their mean. Roots keep their offsets.\n\n"
    "Returns\n-------\n"
    "Clip\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The clip has no frames.";

PyObject *clip_simplify_channels(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.simplify_channels", 0, 1, {"tolerance", NULL}};
    PyObject *v[1];
    double tolerance;
    if (parse(&s, args, count, names, v) < 0 || to_double(v[0], "Clip.simplify_channels: tolerance", &tolerance) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    ct_edited edited = {NULL, NULL};
    ct_simplified report;
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_simplify(self->core, tolerance, &edited, &report, &error);
    leave_core(&call);
    PyObject *clip = own_skeleton(self, status, edited, &error, s.function);
    return clip ? Py_BuildValue("(Nd)", clip, report.largest_error) : NULL;
}

const char clip_simplify_channels_doc[] =
    "simplify_channels($self, /, *, tolerance)\n--\n\n"
    "Rigid bones, so that joints need no position channels.\n\n"
    "Parameters\n----------\n"
    "tolerance : float\n"
    "    A length. A joint, no root, whose translations all lie this near to their mean gets the mean as its offset and keeps it.\n\n"
    "Returns\n-------\n"
    "clip : Clip\n"
    "    On a skeleton of its own.\n"
    "largest_error : float\n"
    "    How far a translation was moved at most.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The clip has no frames, or tolerance is negative.";

PyObject *clip_tips_as_joints(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.with_tips_as_joints", 0, 0, {NULL}};
    if (parse(&s, args, count, names, NULL) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    ct_edited edited = {NULL, NULL};
    ct_error error;
    core_call call;
    enter_core(&call, work_of(self));
    ct_status status = ct_clip_tips_as_joints(self->core, &edited, &error);
    leave_core(&call);
    return own_skeleton(self, status, edited, &error, s.function);
}

const char clip_tips_as_joints_doc[] =
    "with_tips_as_joints($self, /)\n--\n\n"
    "The clip with joints in place of its tips, behind all others, named after their joints: \"Head_end\".\n\n"
    "Returns\n-------\n"
    "Clip\n"
    "    On a skeleton of its own, which has no tips.";

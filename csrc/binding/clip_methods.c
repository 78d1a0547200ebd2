#include "clip_methods.h"

#include "arguments.h"
#include "clip_labels.h"
#include "clip_type.h"
#include "convert.h"
#include "core_call.h"
#include "forward_kinematics.h"
#include "pose_type.h"

const char *const interpolations[] = {"nlerp", "slerp", "step", "cubic", NULL}; // ct_interpolation
const char *const wraps[] = {"clamp", "loop", NULL};                            // ct_wrap

// ------------------------------------------------------------------------------------------------------------------------ sample

int to_sample_options(const char *function, PyObject *const *v, sample_options *options)
{
    *options = (sample_options){CT_NLERP, CT_CLAMP, 1, false};
    char name[64];
    PyOS_snprintf(name, sizeof name, "%s: interpolation", function);
    if (v[0] && to_choice(v[0], name, interpolations, &options->interpolation) < 0) return -1;
    PyOS_snprintf(name, sizeof name, "%s: wrap", function);
    if (v[1] && to_choice(v[1], name, wraps, &options->wrap) < 0) return -1;
    PyOS_snprintf(name, sizeof name, "%s: velocity", function);
    if (v[2] && to_bool(v[2], name, &options->velocity) < 0) return -1;
    return to_workers(v[3], function, &options->workers);
}

PyArrayObject *to_sample_times(const char *function, const ct_clip *core, PyObject *value)
{
    if (core->frame_count == 0) {
        PyErr_Format(PyExc_ValueError, "%s: the clip has no frames, so there is no pose at any time", function);
        return NULL;
    }
    char name[64];
    PyOS_snprintf(name, sizeof name, "%s: t", function);
    return to_numbers(value, NPY_DOUBLE, name, 0, NULL, true);
}

static PyObject *sample_at(clip_object *self, PyArrayObject *times, const sample_options *options)
{
    module_state *state = state_of(Py_TYPE(self));
    const ct_layout layout = self->core->layout;
    int rank = PyArray_NDIM(times);
    npy_intp *batch = PyArray_DIMS(times);
    pose_object *pose = new_pose(state->pose_type, layout.joint_count, layout.component_count, rank, batch);
    pose_object *velocity = NULL;
    if (pose && options->velocity) {
        velocity = new_pose(state->pose_velocity_type, layout.joint_count, layout.component_count - 1, rank, batch);
        if (!velocity) Py_CLEAR(pose);
    }
    if (!pose) return NULL;

    ct_poses out = poses_of(pose);
    ct_pose_velocities speeds = velocity ? velocities_of(velocity) : (ct_pose_velocities){0};
    core_call call;
    const ct_interrupt *interrupt = enter_core(&call, out.count * layout.joint_count);
    ct_status status = ct_clip_sample(self->core, active_kernels(), PyArray_DATA(times), (ct_interpolation)options->interpolation,
                                      (ct_wrap)options->wrap, options->workers, interrupt, out, velocity ? &speeds : NULL);
    leave_core(&call);
    if (status != CT_OK) { // interrupted: Python has set the exception
        Py_DECREF(pose);
        Py_XDECREF(velocity);
        return NULL;
    }
    return velocity ? Py_BuildValue("(NN)", pose, velocity) : (PyObject *)pose;
}

PyObject *clip_sample(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.sample", 1, 1, {"t", "interpolation", "wrap", "velocity", "workers", NULL}};
    PyObject *v[5];
    sample_options options;
    if (parse(&s, args, count, names, v) < 0 || to_sample_options(s.function, &v[1], &options) < 0) return NULL;

    clip_object *self = (clip_object *)op;
    PyArrayObject *times = to_sample_times(s.function, self->core, v[0]);
    PyObject *result = times ? sample_at(self, times, &options) : NULL;
    Py_XDECREF(times);
    return result;
}

const char clip_sample_doc[] =
    "sample($self, t, *, interpolation='nlerp', wrap='clamp', velocity=False, workers=1)\n--\n\n"
    "The pose at any time.\n\n"
    "Parameters\n----------\n"
    "t : array_like of any shape\n"
    "    Seconds. Times within 1e-6 of a frame's span from a frame are that frame, to the bit.\n"
    "interpolation : {'nlerp', 'slerp', 'step', 'cubic'}, default 'nlerp'\n"
    "    Between two frames: rotations normalised linearly or along the arc, all else linearly; the earlier frame held; or a curve\n"
    "    through the frames that is smooth in its velocity.\n"
    "wrap : {'clamp', 'loop'}, default 'clamp'\n"
    "    Before the first and after the last frame: hold it, or go round by `period`, whether the clip is marked as looping or not.\n"
    "velocity : bool, default False\n"
    "    Give how fast the pose changes too; 0 where a time lies outside the clip and is held.\n"
    "workers : int, default 1\n"
    "    Threads to use, -1 for all cores. The result has the same bits for any number.\n\n"
    "Returns\n-------\n"
    "Pose, or (Pose, PoseVelocity) with velocity=True\n"
    "    Of batch shape t.shape: a single pose for a single time.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A time is not finite, or the clip has no frames.\n\n"
    "Notes\n-----\n"
    "The cubic is Catmull-Rom for translations and scales, and for rotations the cumulative Bezier curve of M.-J. Kim, M.-S. Kim and\n"
    "S. Y. Shin, *A general construction scheme for unit quaternion curves with simple high order derivatives* (SIGGRAPH 1995). The ends\n"
    "of a clip that does not loop are natural: without acceleration.";

// -------------------------------------------------------------------------------------------------------------------- velocities

PyObject *clip_velocities(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.velocities", 0, 0, {NULL}};
    if (parse(&s, args, count, names, NULL) < 0) return NULL;
    clip_object *self = (clip_object *)op;
    const ct_layout layout = self->core->layout;
    npy_intp frames = (npy_intp)self->core->frame_count;
    pose_object *velocity = new_pose(state_of(Py_TYPE(op))->pose_velocity_type, layout.joint_count, layout.component_count - 1, 1, &frames);
    if (!velocity) return NULL;
    core_call call;
    enter_core(&call, work_of(self));
    ct_clip_velocities(self->core, active_kernels(), velocities_of(velocity));
    leave_core(&call);
    return (PyObject *)velocity;
}

const char clip_velocities_doc[] =
    "velocities($self, /)\n--\n\n"
    "How fast every joint turns and moves at every frame.\n\n"
    "Returns\n-------\n"
    "PoseVelocity of batch shape (F,)\n"
    "    Central differences; one-sided at the ends, and around the seam of a looping clip. Zeros for a single frame.";

// ---------------------------------------------------------------------------------------------------------------------- resample

PyObject *clip_resample(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.resample", 1, 1, {"fps", "interpolation", NULL}};
    PyObject *v[2];
    double fps;
    int interpolation = CT_SLERP;
    if (parse(&s, args, count, names, v) < 0 || to_positive(v[0], "Clip.resample: fps", &fps) < 0) return NULL;
    if (v[1] && to_choice(v[1], "Clip.resample: interpolation", interpolations, &interpolation) < 0) return NULL;

    clip_object *self = (clip_object *)op;
    ct_clip *core;
    ct_error error;
    ct_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = ct_clip_resample(self->core, active_kernels(), fps, (ct_interpolation)interpolation, &core, &error);
    Py_END_ALLOW_THREADS;
    if (status != CT_OK) return raise_error(&error, "Clip.resample");

    clip_labels labels = self->labels;
    double end = core->looping ? ct_clip_period(core) : ct_clip_duration(core);
    labels.markers = move_markers(labels.markers, 0, 1, end);
    labels.curves = resample_curves(labels.curves, self->core, core);
    clip_object *clip = NULL;
    if (labels.markers && labels.curves)
        clip = wrap_clip(state_of(Py_TYPE(op)), core, self->skeleton, &labels);
    else
        ct_clip_destroy(core);
    Py_XDECREF(labels.markers);
    Py_XDECREF(labels.curves);
    return (PyObject *)clip;
}

const char clip_resample_doc[] =
    "resample($self, fps, *, interpolation='slerp')\n--\n\n"
    "The same motion at another rate, sampled at true times: 100 to 30 fps is not every third frame.\n\n"
    "Parameters\n----------\n"
    "fps : float\n"
    "    Frames a second. A looping clip keeps its period exactly, so its rate is the nearest that divides it.\n"
    "interpolation : {'nlerp', 'slerp', 'step', 'cubic'}, default 'slerp'\n"
    "    As in sample.\n\n"
    "Returns\n-------\n"
    "Clip\n"
    "    As long as this one to within half a new frame. Curves are taken as by sample_curves; markers stay at their times.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    fps is not above 0.";

// ----------------------------------------------------------------------------------------------------------------------- globals

static PyObject *global_arrays(clip_object *self, const signature *s, npy_intp width, PyObject *const *args, Py_ssize_t count,
                               PyObject *names)
{
    PyObject *v[2];
    int workers;
    if (parse(s, args, count, names, v) < 0 || to_workers(v[0], s->function, &workers) < 0) return NULL;
    char out_name[64];
    PyOS_snprintf(out_name, sizeof out_name, "%s: out", s->function);
    npy_intp shape[3] = {(npy_intp)self->core->frame_count, (npy_intp)self->core->layout.joint_count, width};
    PyArrayObject *out = to_out(v[1], NPY_FLOAT, out_name, 3, shape);
    if (!out) return NULL;

    float *numbers = PyArray_DATA(out);
    ct_error error;
    ct_status status;
    core_call call;
    const ct_interrupt *interrupt = enter_core(&call, work_of(self));
    status = ct_forward_kinematics(self->core->skeleton, active_kernels(), poses_of_clip(self), workers, interrupt,
                                   width == 3 ? numbers : NULL, width == 4 ? numbers : NULL, &error);
    leave_core(&call);
    if (status == CT_OK) return (PyObject *)out;
    Py_DECREF(out);
    return raise_error(&error, s->function);
}

PyObject *clip_global_positions(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.global_positions", 0, 0, {"workers", "out", NULL}};
    return global_arrays((clip_object *)op, &s, 3, args, count, names);
}

const char clip_global_positions_doc[] = "global_positions($self, /, *, workers=1, out=None)\n--\n\n"
                                         "Where every joint is, in the axes that the roots stand in and in the unit of the clip.\n\n"
                                         "Parameters\n----------\n"
                                         "workers : int, default 1\n"
                                         "    Threads to use, -1 for all cores. The result has the same bits for any number.\n"
                                         "out : ndarray of float32, shape (F, J, 3), optional\n"
                                         "    C-contiguous.\n\n"
                                         "Returns\n-------\n"
                                         "ndarray of float32, shape (F, J, 3)\n\n"
                                         "Raises\n------\n"
                                         "ValueError\n"
                                         "    `out` does not fit.";

PyObject *clip_global_rotations(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.global_rotations", 0, 0, {"workers", "out", NULL}};
    return global_arrays((clip_object *)op, &s, 4, args, count, names);
}

const char clip_global_rotations_doc[] = "global_rotations($self, /, *, workers=1, out=None)\n--\n\n"
                                         "How every joint is turned, in the axes that the roots stand in.\n\n"
                                         "Parameters\n----------\n"
                                         "workers : int, default 1\n"
                                         "    Threads to use, -1 for all cores. The result has the same bits for any number.\n"
                                         "out : ndarray of float32, shape (F, J, 4), optional\n"
                                         "    C-contiguous.\n\n"
                                         "Returns\n-------\n"
                                         "ndarray of float32, shape (F, J, 4)\n\n"
                                         "Raises\n------\n"
                                         "ValueError\n"
                                         "    `out` does not fit.";

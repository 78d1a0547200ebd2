#include "additive_clip_type.h"

#include "arguments.h"
#include "clip_labels.h"
#include "clip_methods.h"
#include "convert.h"
#include "core_call.h"
#include "html.h"
#include "pose_type.h"

additive_clip_object *wrap_additive_clip(module_state *state, ct_additive_clip core, skeleton_object *skeleton, PyObject *name,
                                         PyObject *markers)
{
    additive_clip_object *clip = (additive_clip_object *)state->additive_clip_type->tp_alloc(state->additive_clip_type, 0);
    if (!clip) {
        ct_additive_clip_destroy(&core);
        return NULL;
    }
    clip->core = core;
    clip->skeleton = (skeleton_object *)Py_NewRef((PyObject *)skeleton);
    clip->name = Py_NewRef(name);
    clip->markers = Py_NewRef(markers);
    return clip;
}

additive_clip_object *to_additive_clip(module_state *state, PyObject *value, const char *where)
{
    if (PyObject_TypeCheck(value, state->additive_clip_type)) return (additive_clip_object *)value;
    PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.AdditiveClip%s", where, Py_TYPE(value)->tp_name,
                 PyObject_TypeCheck(value, state->clip_type) ? "; additive(clip, reference) makes one" : "");
    return NULL;
}

// ------------------------------------------------------------------------------------------------------------------------ sample

static PyObject *sample_at(additive_clip_object *self, PyArrayObject *times, const sample_options *options)
{
    const ct_layout layout = self->core.frames->layout;
    pose_object *delta = new_pose(state_of(Py_TYPE(self))->pose_delta_type, layout.joint_count, layout.component_count, PyArray_NDIM(times),
                                  PyArray_DIMS(times));
    if (!delta) return NULL;
    delta->side = self->core.side;

    ct_pose_deltas out = deltas_of(delta);
    core_call call;
    const ct_interrupt *interrupt = enter_core(&call, out.count * layout.joint_count);
    ct_status status = ct_additive_clip_sample(&self->core, active_kernels(), PyArray_DATA(times), (ct_interpolation)options->interpolation,
                                               (ct_wrap)options->wrap, options->workers, interrupt, out);
    leave_core(&call);
    if (status != CT_OK) Py_CLEAR(delta); // interrupted: Python has set the exception
    return (PyObject *)delta;
}

static PyObject *additive_clip_sample(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"AdditiveClip.sample", 1, 1, {"t", "interpolation", "wrap", "workers", NULL}};
    PyObject *v[4];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    PyObject *const given[4] = {v[1], v[2], NULL, v[3]};
    sample_options options;
    if (to_sample_options(s.function, given, &options) < 0) return NULL;

    additive_clip_object *self = (additive_clip_object *)op;
    PyArrayObject *times = to_sample_times(s.function, self->core.frames, v[0]);
    PyObject *result = times ? sample_at(self, times, &options) : NULL;
    Py_XDECREF(times);
    return result;
}

static const char additive_clip_sample_doc[] = "sample($self, t, *, interpolation='nlerp', wrap='clamp', workers=1)\n--\n\n"
                                               "The delta at any time, for `add`.\n\n"
                                               "Parameters\n----------\n"
                                               "t : array_like of any shape\n"
                                               "    Seconds.\n"
                                               "interpolation : {'nlerp', 'slerp', 'step', 'cubic'}, default 'nlerp'\n"
                                               "wrap : {'clamp', 'loop'}, default 'clamp'\n"
                                               "workers : int, default 1\n"
                                               "    As in Clip.sample.\n\n"
                                               "Returns\n-------\n"
                                               "PoseDelta\n"
                                               "    Of batch shape t.shape: a single delta for a single time.\n\n"
                                               "Raises\n------\n"
                                               "ValueError\n"
                                               "    A time is not finite, or the clip has no frames.";

// ------------------------------------------------------------------------------------------------------------------ attributes

static const ct_clip *frames_of(PyObject *op) { return ((additive_clip_object *)op)->core.frames; }

static PyObject *get_skeleton(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((additive_clip_object *)op)->skeleton);
}

static PyObject *get_side(PyObject *op, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(delta_sides[((additive_clip_object *)op)->core.side]);
}

static PyObject *get_frame_time(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(frames_of(op)->frame_time);
}

static PyObject *get_fps(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(usual_rate(frames_of(op)->frame_time));
}

static PyObject *get_duration(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(ct_clip_duration(frames_of(op)));
}

static PyObject *get_period(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(ct_clip_period(frames_of(op)));
}

static PyObject *get_looping(PyObject *op, void *closure)
{
    (void)closure;
    return PyBool_FromLong(frames_of(op)->looping);
}

static PyObject *get_name(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef(((additive_clip_object *)op)->name);
}

static PyObject *get_markers(PyObject *op, void *closure)
{
    (void)closure;
    PyObject *views = view_labels(((additive_clip_object *)op)->markers, op);
    PyObject *proxy = views ? PyDictProxy_New(views) : NULL;
    Py_XDECREF(views);
    return proxy;
}

static Py_ssize_t additive_clip_length(PyObject *op) { return (Py_ssize_t)frames_of(op)->frame_count; }

// ------------------------------------------------------------------------------------------------------------- text and pickles

static PyObject *additive_clip_repr(PyObject *op)
{
    const additive_clip_object *self = (additive_clip_object *)op;
    char side[32];
    PyOS_snprintf(side, sizeof side, ", side '%s'", delta_sides[self->core.side]);
    return clip_text("AdditiveClip", self->core.frames, self->name, side);
}

static PyObject *additive_clip_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    additive_clip_object *self = (additive_clip_object *)op;
    const ct_clip *frames = self->core.frames;
    PyObject *restore = PyObject_GetAttrString((PyObject *)Py_TYPE(op), "_restore");
    PyArrayObject *rows = restore ? view_rows(op, frames) : NULL;
    if (!rows) {
        Py_XDECREF(restore);
        return NULL;
    }
    return Py_BuildValue("N(ONdiiiON)", restore, self->skeleton, rows, frames->frame_time, (int)frames->looping,
                         (int)frames->last_repeats_first, (int)self->core.side, self->name, view_labels(self->markers, op));
}

static PyObject *additive_clip_restore(PyObject *type, PyObject *args)
{
    PyObject *skeleton_value, *rows_value, *frame_time_value, *name_value, *markers_value;
    int looping, repeats, side;
    if (!PyArg_ParseTuple(args, "OOOppiOO", &skeleton_value, &rows_value, &frame_time_value, &looping, &repeats, &side, &name_value,
                          &markers_value))
        return NULL;
    module_state *state = state_of((PyTypeObject *)type);
    skeleton_object *skeleton = to_skeleton(state, skeleton_value, "AdditiveClip: skeleton");
    double frame_time;
    if (!skeleton || to_positive(frame_time_value, "AdditiveClip: frame_time", &frame_time) < 0) return NULL;
    if (side != CT_SIDE_LOCAL && side != CT_SIDE_PARENT) return PyErr_Format(PyExc_ValueError, "AdditiveClip: there is no side %d", side);

    npy_intp shape[3] = {ANY, ANY, (npy_intp)ct_stride(skeleton->core->joint_count)};
    PyArrayObject *rows = to_array(rows_value, NPY_FLOAT, "AdditiveClip: rows", 3, shape, false);
    ct_clip *frames = rows ? core_of_rows(skeleton, rows, frame_time, looping) : NULL;
    Py_XDECREF(rows);
    if (!frames) return NULL;
    frames->last_repeats_first = repeats && frames->frame_count > 1;

    additive_clip_object *clip = NULL;
    PyObject *name = to_name(name_value);
    PyObject *markers = name ? to_markers(markers_value, looping ? ct_clip_period(frames) : ct_clip_duration(frames)) : NULL;
    if (markers)
        clip = wrap_additive_clip(state, (ct_additive_clip){(ct_delta_side)side, frames}, skeleton, name, markers);
    else
        ct_clip_destroy(frames);
    Py_XDECREF(name);
    Py_XDECREF(markers);
    return (PyObject *)clip;
}

// Immutable: a copy is the thing itself.
static PyObject *additive_clip_copy(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(op);
}

// -------------------------------------------------------------------------------------------------------------------- the type

#define ADDITIVE_CLIP_OWNED(DO)                                                                                                            \
    DO(self->skeleton);                                                                                                                    \
    DO(self->name);                                                                                                                        \
    DO(self->markers);
OWNER_TYPE(additive_clip_object, ADDITIVE_CLIP_OWNED, ct_additive_clip_destroy(&self->core))

PyDoc_STRVAR(additive_clip_doc,
             "Deltas over time: the motion of a clip beside one pose. Immutable.\n\n"
             "Made by `additive(clip, reference)`, with the frames, the markers and the period of that clip. Not a Clip: its\n"
             "frames are no poses, so only what adds them to poses takes it.");

static PyGetSetDef additive_clip_attributes[] = {
    {"skeleton", get_skeleton, NULL, "The Skeleton that moves.", NULL},
    {"side", get_side, NULL, "'local' or 'parent', as PoseDelta.side.", NULL},
    {"frame_time", get_frame_time, NULL, "Seconds from frame to frame.", NULL},
    {"fps", get_fps, NULL, "Frames a second, as Clip.fps.", NULL},
    {"duration", get_duration, NULL, "Seconds from the first frame to the last.", NULL},
    {"period", get_period, NULL, "Seconds after which a loop repeats, as Clip.period.", NULL},
    {"looping", get_looping, NULL, "Does the last frame lead back to the first?", NULL},
    {"name", get_name, NULL, "The name of the clip, \"\" when there is none.", NULL},
    {"markers", get_markers, NULL, "Named moments: read-only mapping of str to float64 array of seconds, ascending.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef additive_clip_methods[] = {
    KEYWORD_METHOD("sample", additive_clip_sample),
    {"__reduce_ex__", additive_clip_reduce, METH_O, NULL},
    {"__copy__", additive_clip_copy, METH_NOARGS, NULL},
    {"__deepcopy__", additive_clip_copy, METH_O, NULL},
    HTML_METHOD,
    {"_restore", additive_clip_restore, METH_VARARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot additive_clip_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)additive_clip_doc},
    {Py_tp_dealloc, additive_clip_object_dealloc},
    {Py_tp_traverse, additive_clip_object_traverse},
    {Py_tp_repr, additive_clip_repr},
    {Py_tp_methods, additive_clip_methods},
    {Py_tp_getset, additive_clip_attributes},
    {Py_mp_length, additive_clip_length},
    {0, NULL},
};

static PyType_Spec additive_clip_spec = {
    .name = "canter.AdditiveClip",
    .basicsize = sizeof(additive_clip_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = additive_clip_slots,
};

int add_additive_clip_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &additive_clip_spec, &state->additive_clip_type);
}

#include "clip_player_type.h"

#include "arguments.h"
#include "convert.h"
#include "clip_methods.h"

enum { CLIP, RATE, START, WRAP, INTERPOLATION, ROOT_MOTION, PARAMETER_COUNT };

// Seconds inside the clip.
static int to_time(PyObject *value, const char *name, const ct_clip_player_options *o, double *time)
{
    double given, end = o->wrap == CT_LOOP ? ct_clip_period(o->clip) : ct_clip_duration(o->clip);
    if (to_double(value, name, &given) < 0) return -1;
    if (given >= 0 && given <= end) return *time = given, 0;
    PyObject *last = PyFloat_FromDouble(end);
    if (last) PyErr_Format(PyExc_ValueError, "%s is %R, expected seconds inside the clip, 0 to %R", name, value, last);
    Py_XDECREF(last);
    return -1;
}

static int take_options(clip_player_object *self, PyObject *const *v, ct_clip_player_options *o)
{
    module_state *state = state_of(Py_TYPE(self));
    if (take_played_clip(state, v[CLIP], v[ROOT_MOTION], "ClipPlayer", &self->played) < 0) return -1;
    const ct_clip *clip = core_of_played(&self->played);
    int wrap = clip->looping ? CT_LOOP : CT_CLAMP, interpolation = CT_NLERP;
    if (v[WRAP] && v[WRAP] != Py_None && to_choice(v[WRAP], "ClipPlayer: wrap", wraps, &wrap) < 0) return -1;
    if (v[INTERPOLATION] && to_choice(v[INTERPOLATION], "ClipPlayer: interpolation", interpolations, &interpolation) < 0) return -1;
    *o = (ct_clip_player_options){.clip = clip,
                                  .motion = self->played.motion,
                                  .rate = {.fixed = 1},
                                  .wrap = (ct_wrap)wrap,
                                  .interpolation = (ct_interpolation)interpolation,
                                  .what = self->played.clip};
    if (v[START] && to_time(v[START], "ClipPlayer: start", o, &o->start) < 0) return -1;
    self->rate = Py_XNewRef(v[RATE]);
    return v[RATE] ? to_amount(state, v[RATE], "ClipPlayer: rate", &o->rate) : 0;
}

static int player_init(PyObject *op, PyObject *args, PyObject *keywords)
{
    static const signature s = {"ClipPlayer", 1, 1, {"clip", "rate", "start", "wrap", "interpolation", "root_motion", NULL}};
    PyObject *v[PARAMETER_COUNT];
    clip_player_object *self = (clip_player_object *)op;
    ct_clip_player_options options;
    if (source_begin(&self->head, s.function) < 0 || parse_new(&s, args, keywords, v) < 0 || take_options(self, v, &options) < 0) return -1;
    ct_allocator allocator = python_allocator();
    ct_error error;
    if (ct_clip_player_create(&allocator, active_kernels(), &options, &self->core, &error) != CT_OK) {
        raise_error(&error, s.function);
        return -1;
    }
    source_finish(&self->head, &self->core->source, self->played.clip->skeleton, NULL);
    return 0;
}

static void release_player(clip_player_object *self)
{
    source_release(&self->head);
    ct_clip_player_destroy(self->core);
    release_played_clip(&self->played);
}

#define PLAYER_OWNED(DO) SOURCE_OWNED(DO) PLAYED_CLIP_OWNED(DO, self->played) DO(self->rate);
OWNER_TYPE(clip_player_object, PLAYER_OWNED, release_player(self))

static clip_player_object *made(PyObject *op)
{
    return to_source_object(state_of(Py_TYPE(op)), op, "ClipPlayer") ? (clip_player_object *)op : NULL;
}

static PyObject *get_clip(PyObject *op, void *closure)
{
    (void)closure;
    clip_player_object *self = made(op);
    return self ? Py_NewRef((PyObject *)self->played.clip) : NULL;
}

static PyObject *get_time(PyObject *op, void *closure)
{
    (void)closure;
    clip_player_object *self = made(op);
    return self ? PyFloat_FromDouble(self->core->state.time) : NULL;
}

static int set_time(PyObject *op, PyObject *value, void *closure)
{
    (void)closure;
    clip_player_object *self = made(op);
    double time;
    if (!self || check_idle(&self->head, "ClipPlayer.time") < 0) return -1;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "ClipPlayer.time can't be deleted");
        return -1;
    }
    if (to_time(value, "ClipPlayer.time", &self->core->options, &time) < 0) return -1;
    if (check_idle(&self->head, "ClipPlayer.time") < 0) return -1; // the conversion may have run Python
    self->core->state = (ct_clip_player_state){.time = time};
    return 0;
}

static PyObject *get_done(PyObject *op, void *closure)
{
    (void)closure;
    clip_player_object *self = made(op);
    return self ? PyBool_FromLong(self->core->state.ended && self->core->options.wrap == CT_CLAMP) : NULL;
}

static PyObject *get_rate(PyObject *op, void *closure)
{
    (void)closure;
    clip_player_object *self = made(op);
    if (!self) return NULL;
    return self->rate ? Py_NewRef(self->rate) : PyFloat_FromDouble(1);
}

static PyObject *player_repr(PyObject *op)
{
    const clip_player_object *self = (clip_player_object *)op;
    if (!self->core) return PyUnicode_FromString("<ClipPlayer: not made>");
    char time[32];
    PyOS_snprintf(time, sizeof time, "%.2f", self->core->state.time);
    return PyUnicode_FromFormat("<ClipPlayer of %R at %s s>", (PyObject *)self->played.clip, time);
}

PyDoc_STRVAR(
    player_doc,
    "ClipPlayer(clip, *, rate=1.0, start=0.0, wrap=None, interpolation='nlerp', root_motion=True)\n--\n\n"
    "A pose source that plays one clip.\n\n"
    "Parameters\n----------\n"
    "clip : Clip\n"
    "    With a frame at least.\n"
    "rate : float or param, default 1.0\n"
    "    Seconds of the clip a second: 2 plays twice as fast, -1 backward, 0 holds.\n"
    "start : float, default 0.0\n"
    "    Where in the clip to begin, seconds.\n"
    "wrap : {'clamp', 'loop'}, optional\n"
    "    Hold the ends, or go round by the clip's period. By default as the clip says (`Clip.looping`).\n"
    "interpolation : {'nlerp', 'slerp', 'step', 'cubic'}, default 'nlerp'\n"
    "    As in Clip.sample.\n"
    "root_motion : bool or RootMotion, default True\n"
    "    True: what Clip.root_motion measures is taken out of the poses and told by Frame.root; of a looping clip with a smoothing\n"
    "    of two periods (3 s at most), so that sway stays in the poses. A RootMotion made with other options does the same its\n"
    "    way. False: the motion stays in the poses, and the root does not move.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The clip has no frames, `start` lies outside it, or the root motion does not fit it.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> player = ct.ClipPlayer(ct.examples.walk(speed=1.3))\n"
    ">>> frame = player.update(0.5)\n"
    ">>> frame.root.translation.round(2)\n"
    "array([0.  , 0.  , 0.65])");

static PyGetSetDef player_attributes[] = {
    {"clip", get_clip, NULL, "The Clip that it plays.", NULL},
    {"time", get_time, set_time, "Where in the clip it is, seconds. Setting it plays nothing: no root motion, no events.", NULL},
    {"done", get_done, NULL, "Has a clip that does not loop come to its end (backward: to its beginning)?", NULL},
    {"rate", get_rate, NULL, "Seconds of the clip a second: a number or a param.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot player_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)player_doc},
    {Py_tp_init, player_init},
    {Py_tp_dealloc, clip_player_object_dealloc},
    {Py_tp_traverse, clip_player_object_traverse},
    {Py_tp_repr, player_repr},
    {Py_tp_getset, player_attributes},
    {0, NULL},
};

static PyType_Spec player_spec = {
    .name = "canter.ClipPlayer",
    .basicsize = sizeof(clip_player_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = player_slots,
};

int add_clip_player_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_source_type(module, &player_spec, &state->clip_player_type);
}

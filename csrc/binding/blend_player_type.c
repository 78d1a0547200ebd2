#include "blend_player_type.h"

#include "arguments.h"
#include "clip_methods.h"
#include "convert.h"

static const char *const syncs[] = {"none", "normalized", "markers", "auto", NULL}; // ct_sync_mode
static const char *const speeds[] = {"parameter", "rate", "measured", NULL};        // ct_blend_speed, and what moves the samples
enum { SPEED_MEASURED = 2 };

enum { SPACE, CLIPS, PARAMS, SYNC, SPEED, MARKERS, INTERPOLATION, ROOT_MOTION, PARAMETER_COUNT };

// ------------------------------------------------------------------------------------------------------------------------- the clips

static void release_clips(blend_player_object *self)
{
    for (size_t i = 0; i < self->count; ++i) {
        release_played_clip(&self->played[i]);
        PLAYED_CLIP_OWNED(Py_CLEAR, self->played[i])
    }
    self->count = 0;
    PyMem_Free(self->played);
    self->played = NULL;
}

// Each clip's own, or the one for all; borrowed.
static PyObject *motion_of(PyObject *motions, size_t i)
{
    return motions && PyTuple_Check(motions) ? PyTuple_GET_ITEM(motions, (Py_ssize_t)i) : motions;
}

static int take_clips(blend_player_object *self, PyObject *motions)
{
    size_t count = (size_t)PyTuple_GET_SIZE(self->clips), samples = self->space->core->sample_count;
    if (count != samples) {
        PyErr_Format(PyExc_ValueError, "BlendPlayer: clips has %zu, the space has %zu sample%s; give one a sample, in their order", count,
                     samples, samples == 1 ? "" : "s");
        return -1;
    }
    if (motions && PyTuple_Check(motions) && (size_t)PyTuple_GET_SIZE(motions) != count) {
        PyErr_Format(PyExc_ValueError, "BlendPlayer: root_motion has %zd, expected one for all clips, or %zu", PyTuple_GET_SIZE(motions),
                     count);
        return -1;
    }
    self->played = PyMem_Calloc(count, sizeof *self->played);
    if (!self->played) return PyErr_NoMemory(), -1;
    for (size_t i = 0; i < count; ++i) {
        char where[48];
        PyOS_snprintf(where, sizeof where, "BlendPlayer: sample %zu", i);
        self->count = i + 1;
        PyObject *clip = PyTuple_GET_ITEM(self->clips, (Py_ssize_t)i);
        if (take_played_clip(state_of(Py_TYPE(self)), clip, motion_of(motions, i), where, &self->played[i]) < 0) return -1;
    }
    return 0;
}

// One of what take_played_clip takes, or a tuple of them. New reference, NULL when left out; -1 with an exception.
static int to_motions(blend_player_object *self, PyObject *value, PyObject **motions)
{
    *motions = NULL;
    if (!value) return 0;
    if (PyBool_Check(value) || PyObject_TypeCheck(value, state_of(Py_TYPE(self))->root_motion_type))
        *motions = Py_NewRef(value);
    else
        *motions = to_tuple(value, "BlendPlayer: root_motion", "True, False, a RootMotion, or a sequence of these");
    return *motions ? 0 : -1;
}

// ---------------------------------------------------------------------------------------------------------------------------- in step

// Text for the core, and what keeps it alive.
static PyObject *text_bytes(PyObject *name, const char **text)
{
    PyObject *bytes = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace"); // any str is a name
    if (bytes) *text = PyBytes_AS_STRING(bytes);
    return bytes;
}

typedef struct sync_parts {
    PyObject *kept; // list of bytes
    ct_sync_clip *clips;
    ct_marker *markers;  // of all clips
    const char **wanted; // NULL when none are asked for
    size_t wanted_count;
} sync_parts;

static void release_parts(sync_parts *p)
{
    Py_CLEAR(p->kept);
    PyMem_Free(p->clips);
    PyMem_Free(p->markers);
    PyMem_Free(p->wanted);
}

static int keep_text(sync_parts *p, PyObject *name, const char **text)
{
    PyObject *bytes = text_bytes(name, text);
    int result = bytes ? PyList_Append(p->kept, bytes) : -1;
    Py_XDECREF(bytes);
    return result;
}

static int take_markers(sync_parts *p, const played_clip *played, ct_sync_clip *clip, ct_marker *markers)
{
    const ct_clip *core = core_of_played(played);
    *clip = (ct_sync_clip){
        .period = core->looping ? ct_clip_period(core) : ct_clip_duration(core), .looping = core->looping, .markers = markers};
    if (keep_text(p, played->clip->labels.name, &clip->name) < 0) return -1;
    PyObject *name, *times;
    for (Py_ssize_t position = 0; PyDict_Next(played->clip->labels.markers, &position, &name, &times);) {
        ct_marker *marker = &markers[clip->marker_count++];
        *marker = (ct_marker){NULL, (size_t)PyArray_SIZE((PyArrayObject *)times), PyArray_DATA((PyArrayObject *)times)};
        if (keep_text(p, name, &marker->name) < 0) return -1;
    }
    return 0;
}

static int take_wanted(sync_parts *p, PyObject *names)
{
    p->wanted_count = (size_t)PyTuple_GET_SIZE(names);
    p->wanted = PyMem_Calloc(p->wanted_count + 1, sizeof *p->wanted);
    if (!p->wanted) return PyErr_NoMemory(), -1;
    if (p->wanted_count == 0) {
        PyErr_SetString(PyExc_ValueError, "BlendPlayer: markers is empty, expected names of markers, or None for those that are found");
        return -1;
    }
    for (size_t i = 0; i < p->wanted_count; ++i) {
        PyObject *name = PyTuple_GET_ITEM(names, (Py_ssize_t)i);
        if (!PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError, "BlendPlayer: markers holds %R, expected names (str)", name);
            return -1;
        }
        if (keep_text(p, name, &p->wanted[i]) < 0) return -1;
    }
    return 0;
}

static int take_sync_parts(const blend_player_object *self, PyObject *wanted, sync_parts *p)
{
    size_t count = 0;
    for (size_t i = 0; i < self->count; ++i) count += (size_t)PyDict_GET_SIZE(self->played[i].clip->labels.markers);
    p->kept = PyList_New(0);
    p->clips = PyMem_Calloc(self->count, sizeof *p->clips);
    p->markers = PyMem_Calloc(count + 1, sizeof *p->markers);
    if (!p->kept || !p->clips || !p->markers) return PyErr_NoMemory(), -1;
    count = 0;
    for (size_t i = 0; i < self->count; ++i) {
        if (take_markers(p, &self->played[i], &p->clips[i], p->markers + count) < 0) return -1;
        count += p->clips[i].marker_count;
    }
    return wanted ? take_wanted(p, wanted) : 0;
}

static PyObject *used_markers(const ct_sync *sync, const ct_sync_clip *clips)
{
    size_t first = 0;
    while (first < sync->clip_count && !sync->tracks[first].in_step) ++first;
    PyObject *names = PyTuple_New((Py_ssize_t)sync->name_count);
    for (size_t n = 0; names && n < sync->name_count; ++n) {
        PyObject *name = text_of(clips[first].markers[sync->names[n]].name);
        if (name)
            PyTuple_SET_ITEM(names, (Py_ssize_t)n, name);
        else
            Py_CLEAR(names);
    }
    return names;
}

static int take_sync(blend_player_object *self, PyObject *mode_value, PyObject *markers_value)
{
    int mode = CT_SYNC_AUTO;
    if (mode_value && to_choice(mode_value, "BlendPlayer: sync", syncs, &mode) < 0) return -1;
    PyObject *wanted = NULL;
    if (markers_value && markers_value != Py_None) {
        if (mode < CT_SYNC_MARKERS) {
            PyErr_Format(PyExc_ValueError, "BlendPlayer: markers are for sync 'markers' or 'auto', not '%s'", syncs[mode]);
            return -1;
        }
        wanted = to_tuple(markers_value, "BlendPlayer: markers", "names of markers");
        if (!wanted) return -1;
    }
    sync_parts parts = {0};
    int result = take_sync_parts(self, wanted, &parts);
    if (result == 0) {
        ct_allocator allocator = python_allocator();
        ct_error error;
        ct_status status =
            ct_sync_create(&allocator, (ct_sync_mode)mode, parts.wanted_count, parts.wanted, self->count, parts.clips, &self->sync, &error);
        if (status != CT_OK)
            raise_error(&error, "BlendPlayer");
        else
            self->markers = used_markers(self->sync, parts.clips);
        if (!self->markers) result = -1;
    }
    release_parts(&parts);
    Py_XDECREF(wanted);
    return result;
}

// ----------------------------------------------------------------------------------------------------------------------------- making

// "speed" alone, or names: a tuple of canter.param.
static PyObject *to_params(module_state *state, PyObject *value, size_t dimensions)
{
    PyObject *names = value ? to_tuple(value, "BlendPlayer: params", "names, one for each dimension of the space, as in ('speed',)")
                            : Py_BuildValue("(s)", "speed");
    if (names && (size_t)PyTuple_GET_SIZE(names) != dimensions) {
        PyErr_Format(PyExc_ValueError, "BlendPlayer: params is %R, the space has %zu dimension%s; give %s", names, dimensions,
                     dimensions == 1 ? "" : "s", dimensions == 1 ? "one name, as in ('speed',)" : "two names, as in ('left', 'ahead')");
        Py_CLEAR(names);
    }
    PyObject *params = names ? PyTuple_New((Py_ssize_t)dimensions) : NULL;
    for (Py_ssize_t i = 0; params && i < (Py_ssize_t)dimensions; ++i) {
        PyObject *name = PyTuple_GET_ITEM(names, i), *param = NULL;
        if (PyUnicode_Check(name))
            param = PyObject_CallOneArg((PyObject *)state->param_type, name);
        else
            PyErr_Format(PyExc_TypeError, "BlendPlayer: params holds %R, expected names (str)", name);
        if (param)
            PyTuple_SET_ITEM(params, i, param);
        else
            Py_CLEAR(params);
    }
    Py_XDECREF(names);
    return params;
}

// Puts the samples where the clips' speeds are.
static int measure_space(blend_player_object *self, const ct_blend_sample *samples)
{
    const ct_blend_space *given = self->space->core;
    double *points = PyMem_Malloc(given->sample_count * given->dimensions * sizeof *points);
    if (!points) return PyErr_NoMemory(), -1;
    ct_blend_player_measure(given, samples, points);
    ct_allocator allocator = python_allocator();
    ct_blend_space *core;
    ct_error error;
    ct_status status = ct_blend_space_create(&allocator, active_kernels(), given->method, given->sample_count, points, &core, &error);
    PyMem_Free(points);
    if (status != CT_OK) {
        raise_error(&error, "BlendPlayer: at the measured speeds of the clips");
        return -1;
    }
    blend_space_object *space = wrap_space(state_of(Py_TYPE(self)), core);
    if (!space) return -1;
    Py_SETREF(self->space, space);
    return 0;
}

static int make_core(blend_player_object *self, ct_interpolation interpolation, ct_blend_sample *samples)
{
    for (size_t i = 0; i < self->count; ++i) {
        const played_clip *played = &self->played[i];
        samples[i] = (ct_blend_sample){core_of_played(played), played->motion, played->clip};
    }
    if (self->speed == SPEED_MEASURED && measure_space(self, samples) < 0) return -1;
    ct_blend_player_options options = {.space = self->space->core,
                                       .samples = samples,
                                       .sync = self->sync,
                                       .speed = self->speed == CT_SPEED_RATE ? CT_SPEED_RATE : CT_SPEED_PARAMETER,
                                       .interpolation = interpolation};
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self->params); ++i) {
        if (to_amount(state_of(Py_TYPE(self)), PyTuple_GET_ITEM(self->params, i), "BlendPlayer: params", &options.point[i]) < 0) return -1;
    }
    ct_allocator allocator = python_allocator();
    ct_error error;
    if (ct_blend_player_create(&allocator, active_kernels(), &options, &self->core, &error) == CT_OK) return 0;
    raise_error(&error, "BlendPlayer");
    return -1;
}

static int take_options(blend_player_object *self, PyObject *const *v, ct_interpolation *how)
{
    module_state *state = state_of(Py_TYPE(self));
    int interpolation = CT_NLERP;
    blend_space_object *space = to_space(state, v[SPACE], "BlendPlayer: space");
    if (!space) return -1;
    self->space = (blend_space_object *)Py_NewRef((PyObject *)space);
    self->clips = to_tuple(v[CLIPS], "BlendPlayer: clips", "a sequence of Clips, one a sample");
    self->params = self->clips ? to_params(state, v[PARAMS], space->core->dimensions) : NULL;
    if (!self->params) return -1;
    if (v[SPEED] && to_choice(v[SPEED], "BlendPlayer: speed", speeds, &self->speed) < 0) return -1;
    if (v[INTERPOLATION] && to_choice(v[INTERPOLATION], "BlendPlayer: interpolation", interpolations, &interpolation) < 0) return -1;
    *how = (ct_interpolation)interpolation;
    PyObject *motions;
    if (to_motions(self, v[ROOT_MOTION], &motions) < 0) return -1;
    int result = take_clips(self, motions);
    Py_XDECREF(motions);
    return result < 0 ? -1 : take_sync(self, v[SYNC], v[MARKERS]);
}

static void release_player(blend_player_object *self)
{
    source_release(&self->head);
    ct_blend_player_destroy(self->core);
    ct_sync_destroy(self->sync);
    self->core = NULL;
    self->sync = NULL;
    release_clips(self);
}

#define PLAYER_OWNED(DO)                                                                                                                   \
    SOURCE_OWNED(DO)                                                                                                                       \
    for (size_t i = 0; i < self->count; ++i) {                                                                                             \
        PLAYED_CLIP_OWNED(DO, self->played[i])                                                                                             \
    }                                                                                                                                      \
    DO(self->clips);                                                                                                                       \
    DO(self->space);                                                                                                                       \
    DO(self->params);                                                                                                                      \
    DO(self->markers);
OWNER_TYPE(blend_player_object, PLAYER_OWNED, release_player(self))

static int player_init(PyObject *op, PyObject *args, PyObject *keywords)
{
    static const signature s = {
        "BlendPlayer", 2, 2, {"space", "clips", "params", "sync", "speed", "markers", "interpolation", "root_motion", NULL}};
    PyObject *v[PARAMETER_COUNT];
    blend_player_object *self = (blend_player_object *)op;
    ct_interpolation interpolation;
    if (source_begin(&self->head, s.function) < 0 || parse_new(&s, args, keywords, v) < 0) return -1;
    if (take_options(self, v, &interpolation) < 0) return -1;
    ct_blend_sample *samples = PyMem_Calloc(self->count, sizeof *samples);
    int result = samples ? make_core(self, interpolation, samples) : (PyErr_NoMemory(), -1);
    PyMem_Free(samples);
    if (result == 0) source_finish(&self->head, &self->core->source, self->played[0].clip->skeleton, NULL);
    return result;
}

// ------------------------------------------------------------------------------------------------------------------------ attributes

static blend_player_object *made(PyObject *op)
{
    return to_source_object(state_of(Py_TYPE(op)), op, "BlendPlayer") ? (blend_player_object *)op : NULL;
}

static PyObject *get_space(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? Py_NewRef((PyObject *)self->space) : NULL;
}

static PyObject *get_clips(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? Py_NewRef(self->clips) : NULL;
}

static PyObject *get_params(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    Py_ssize_t count = self ? PyTuple_GET_SIZE(self->params) : 0;
    PyObject *names = self ? PyTuple_New(count) : NULL;
    for (Py_ssize_t i = 0; names && i < count; ++i) {
        PyObject *name = PyObject_GetAttrString(PyTuple_GET_ITEM(self->params, i), "name");
        if (name)
            PyTuple_SET_ITEM(names, i, name);
        else
            Py_CLEAR(names);
    }
    return names;
}

static PyObject *get_sync(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? PyUnicode_FromString(syncs[self->sync->mode]) : NULL;
}

static PyObject *get_markers(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? Py_NewRef(self->markers) : NULL;
}

static PyObject *get_speed(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? PyUnicode_FromString(speeds[self->speed]) : NULL;
}

static PyObject *numbers_of(const blend_player_object *self, const double *from)
{
    const npy_intp shape = (npy_intp)self->count;
    PyObject *array = PyArray_SimpleNew(1, &shape, NPY_DOUBLE);
    double *numbers = array ? PyArray_DATA((PyArrayObject *)array) : NULL;
    for (size_t i = 0; array && i < self->count; ++i) numbers[i] = from[i];
    return array;
}

static PyObject *get_weights(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? numbers_of(self, ct_blend_player_weights(self->core)) : NULL;
}

static PyObject *get_times(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    return self ? numbers_of(self, ct_blend_player_times(self->core)) : NULL;
}

static PyObject *get_phase(PyObject *op, void *closure)
{
    (void)closure;
    blend_player_object *self = made(op);
    if (!self) return NULL;
    if (self->sync->pattern_count == 0) Py_RETURN_NONE;
    return PyFloat_FromDouble(ct_sync_phase(self->sync, self->core->state->place));
}

static PyObject *player_repr(PyObject *op)
{
    const blend_player_object *self = (blend_player_object *)op;
    if (!self->core) return PyUnicode_FromString("<BlendPlayer: not made>");
    return PyUnicode_FromFormat("<BlendPlayer: %zu clip%s, sync %s>", self->count, self->count == 1 ? "" : "s", syncs[self->sync->mode]);
}

// ------------------------------------------------------------------------------------------------------------------------- the cycle

static PyStructSequence_Field cycle_fields[] = {
    {"duration", "Seconds that the cycle takes; of clips on their own clocks alone the mean of their periods."},
    {"stride", "How far the character gets in a cycle."},
    {"speed", "How fast it travels on average, stride / duration."},
    {"rate", "Seconds of the clips a second."},
    {"weights", "Of the clips, float64 (S,)."},
    {NULL, NULL},
};

static PyStructSequence_Desc cycle_description = {
    .name = "canter.BlendCycle",
    .doc = "What a BlendPlayer does while its parameters stay: (duration, stride, speed, rate, weights).",
    .fields = cycle_fields,
    .n_in_sequence = 5,
};

static PyObject *cycle_object(module_state *state, const ct_blend_cycle *cycle, PyObject *weights)
{
    const double numbers[4] = {cycle->duration, cycle->stride, cycle->speed, cycle->rate};
    PyObject *object = PyStructSequence_New(state->blend_cycle_type);
    for (Py_ssize_t i = 0; object && i < 4; ++i) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (number)
            PyStructSequence_SetItem(object, i, number);
        else
            Py_CLEAR(object);
    }
    if (object) PyStructSequence_SetItem(object, 4, Py_NewRef(weights));
    return object;
}

static const char player_cycle_doc[] = "cycle($self, params)\n--\n\n"
                                       "What the player does while its parameters stay, without moving it on.\n\n"
                                       "Parameters\n----------\n"
                                       "params : mapping of str to float\n"
                                       "    As for `update`.\n\n"
                                       "Returns\n-------\n"
                                       "BlendCycle\n"
                                       "    (duration, stride, speed, rate, weights): seconds that the clips in step take for their\n"
                                       "    cycle, how far the character gets in it, and how fast that is; how fast the clips are played;\n"
                                       "    and the weights of the clips, float64 (S,).\n\n"
                                       "Raises\n------\n"
                                       "ValueError\n"
                                       "    A parameter is missing or not finite.\n\n"
                                       "Examples\n--------\n"
                                       ">>> import canter as ct\n"
                                       ">>> clips = [ct.examples.walk(speed=1.3), ct.examples.run(speed=3.5)]\n"
                                       ">>> player = ct.BlendPlayer(ct.BlendSpace1D([1.3, 3.5]), clips)\n"
                                       ">>> cycle = player.cycle({\"speed\": 2.4})\n"
                                       ">>> round(cycle.duration, 3), round(cycle.stride, 3), round(cycle.speed, 3)\n"
                                       "(0.85, 1.875, 2.206)";

static PyObject *player_cycle(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"BlendPlayer.cycle", 1, 1, {"params", NULL}};
    PyObject *v[1];
    double point[2] = {0, 0};
    blend_player_object *self = made(op);
    if (!self || parse(&s, args, count, names, v) < 0) return NULL;
    if (check_params(v[0], s.function) < 0) return NULL;
    PyObject *wanted = get_params(op, NULL);
    if (!wanted) return NULL;
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(wanted); ++i)
        result = take_parameter(&self->head, v[0], PyTuple_GET_ITEM(wanted, i), &point[i]);
    Py_DECREF(wanted);
    PyObject *weights = result == 0 ? numbers_of(self, ct_blend_player_weights(self->core)) : NULL;
    if (!weights) return NULL;
    ct_blend_cycle cycle;
    ct_error error;
    ct_status status = ct_blend_player_cycle(self->core, point, PyArray_DATA((PyArrayObject *)weights), &cycle, &error);
    PyObject *object = status == CT_OK ? cycle_object(state_of(Py_TYPE(op)), &cycle, weights) : raise_error(&error, NULL);
    Py_DECREF(weights);
    return object;
}

// -------------------------------------------------------------------------------------------------------------------------- the type

PyDoc_STRVAR(
    player_doc,
    "BlendPlayer(space, clips, *, params=('speed',), sync='auto', speed='parameter', markers=None, interpolation='nlerp', "
    "root_motion=True)\n--\n\n"
    "A pose source that plays the clips of a blend space, each as much as parameters say.\n\n"
    "Poses are blended joint by joint (as by `blend`), and the character moves by the weighted sum of what each clip moves it, in its own\n"
    "axes. Clips without weight add nothing and cost nothing.\n\n"
    "Parameters\n----------\n"
    "space : BlendSpace1D or BlendSpace2D\n"
    "    Where the clips are.\n"
    "clips : sequence of Clip\n"
    "    One a sample of the space, in their order, all of one skeleton. A clip of a single frame is a pose.\n"
    "params : sequence of str, default ('speed',)\n"
    "    Names of the parameters that say where to be in the space, one a dimension.\n"
    "sync : {'auto', 'none', 'normalized', 'markers'}, default 'auto'\n"
    "    'normalized' keeps all clips at the same part of their periods. 'markers' keeps them between the same markers, such as the two\n"
    "    feet coming down, whatever the times of these and however many cycles a clip has. 'none' lets each run on its own clock. 'auto' "
    "is\n"
    "    'markers' when the clips share some, else 'normalized'; `BlendPlayer.sync` tells which it is. The cycle takes the weighted mean\n"
    "    of the times that the clips take for it.\n"
    "speed : {'parameter', 'rate', 'measured'}, default 'parameter'\n"
    "    How the body's speed goes with the parameters. In step, it is not what they say between two samples: `cycle` tells it.\n\n"
    "    'parameter' uses them for weights alone.\n\n"
    "    'rate' plays the clips faster or slower, so that the body travels at the parameter (on a plane: at the length of both). What\n"
    "    stands is played at rate 1.\n\n"
    "    'measured' puts each sample at the speed at which its clip travels, in the same direction from the origin; `space` is that one.\n"
    "markers : sequence of str, optional\n"
    "    Which markers to use. By default those that all clips have, when they come in the same order in each; else those of them that\n"
    "    end in '_down'; else the first alone.\n"
    "interpolation : {'nlerp', 'slerp', 'step', 'cubic'}, default 'nlerp'\n"
    "    Between the frames of the clips, as in Clip.sample.\n"
    "root_motion : bool, RootMotion or a sequence of these, default True\n"
    "    As in ClipPlayer, for all clips or for each.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    The numbers of clips, samples and params do not fit; clips have other skeletons or no frames; with markers, the clips share "
    "none;\n"
    "    clips that loop are to be in step with others that do not.\n\n"
    "Notes\n-----\n"
    "The clip with the most weight leads: its time goes on evenly, and the others follow. A foot that stays down (X_down with an X_up "
    "that\n"
    "never comes) is no marker, so an idle runs on its own clock beside the others. Open clips share their start and end, too, and hold\n"
    "the end.\n\n"
    "On a plane, clips in step add up their strides, not their speeds: where their cycles take different times, the body does not go\n"
    "quite where the parameters point.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> clips = [ct.examples.idle(), ct.examples.walk(speed=1.3), ct.examples.run(speed=3.5)]\n"
    ">>> player = ct.BlendPlayer(ct.BlendSpace1D([0, 1.3, 3.5]), clips)\n"
    ">>> player.sync, player.markers\n"
    "('markers', ('left_down', 'right_down'))\n"
    ">>> frame = player.update(1 / 60, {\"speed\": 2.4})\n"
    ">>> player.weights.round(3)\n"
    "array([0. , 0.5, 0.5])");

static PyGetSetDef player_attributes[] = {
    {"space", get_space, NULL, "The blend space; with speed='measured' that of the measured speeds.", NULL},
    {"clips", get_clips, NULL, "The Clips, one a sample, as given.", NULL},
    {"params", get_params, NULL, "The names of the parameters.", NULL},
    {"sync", get_sync, NULL, "What keeps the clips in step: 'none', 'normalized' or 'markers'.", NULL},
    {"markers", get_markers, NULL, "The names of the markers that are used; empty without.", NULL},
    {"speed", get_speed, NULL, "How the speed goes with the parameters: 'parameter', 'rate' or 'measured'.", NULL},
    {"weights", get_weights, NULL, "Of the clips in the last frame, float64 (S,); 0 before the first.", NULL},
    {"times", get_times, NULL, "Where in each clip it is, seconds, float64 (S,).", NULL},
    {"phase", get_phase, NULL, "How much of the cycle is done, 0 to 1; None when no clip is in step.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef player_methods[] = {
    KEYWORD_METHOD("cycle", player_cycle),
    {NULL, NULL, 0, NULL},
};

static PyType_Slot player_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)player_doc},
    {Py_tp_init, player_init},
    {Py_tp_dealloc, blend_player_object_dealloc},
    {Py_tp_traverse, blend_player_object_traverse},
    {Py_tp_repr, player_repr},
    {Py_tp_methods, player_methods},
    {Py_tp_getset, player_attributes},
    {0, NULL},
};

static PyType_Spec player_spec = {
    .name = "canter.BlendPlayer",
    .basicsize = sizeof(blend_player_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = player_slots,
};

int add_blend_player_types(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    state->blend_cycle_type = PyStructSequence_NewType(&cycle_description);
    if (!state->blend_cycle_type || PyModule_AddType(module, state->blend_cycle_type) < 0) return -1;
    return add_source_type(module, &player_spec, &state->blend_player_type);
}

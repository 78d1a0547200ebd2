// canter.record.
#include "record.h"

#include <math.h>
#include <string.h>

#include "arguments.h"
#include "clip_labels.h"
#include "convert.h"
#include "core_call.h"
#include "curve.h"
#include "frame_tracks.h"
#include "source_type.h"

// What `params` says, frame by frame.
typedef struct script {
    const source_object *source;
    size_t frame_count;
    PyObject *numbers;     // dict of str to float64 array, (F,) or ()
    PyArrayObject **slots; // [parameters.count] borrowed from numbers
} script;

static void release_script(script *s)
{
    Py_CLEAR(s->numbers);
    PyMem_Free(s->slots);
}

static PyArrayObject *to_column(PyObject *name, PyObject *value, size_t frame_count)
{
    char where[96];
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    if (!text) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "record: params has the name %R, expected a str", name);
        return NULL;
    }
    PyOS_snprintf(where, sizeof where, "record: params['%.60s']", text);
    PyArrayObject *column = to_array(value, NPY_DOUBLE, where, 0, NULL, true);
    if (column && PyArray_NDIM(column) != 0 && (PyArray_NDIM(column) != 1 || (size_t)PyArray_DIM(column, 0) != frame_count)) {
        char shape[SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError, "%s has shape %s, expected a number, or (%zu,): one for each frame", where,
                     shape_text(column, shape), frame_count);
        Py_CLEAR(column);
    }
    if (column && check_finite(column, where) < 0) Py_CLEAR(column);
    return column;
}

static int take_script(script *s, PyObject *params, ct_stage *stage)
{
    PyObject *given = PyDict_New();
    s->numbers = PyDict_New();
    s->slots = PyMem_Calloc(stage->parameters.count + 1, sizeof *s->slots);
    if (!s->slots) PyErr_NoMemory();
    bool good = given && s->numbers && s->slots;
    if (good && params && params != Py_None) good = PyDict_Update(given, params) == 0;
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (good && PyDict_Next(given, &position, &name, &value)) {
        PyObject *column = (PyObject *)to_column(name, value, s->frame_count);
        good = column && PyDict_SetItem(s->numbers, name, column) == 0;
        Py_XDECREF(column);
    }
    Py_XDECREF(given);
    for (size_t i = 0; good && i < stage->parameters.count; ++i) {
        PyObject *wanted = PyTuple_GET_ITEM(s->source->parameter_names, (Py_ssize_t)i);
        s->slots[i] = (PyArrayObject *)PyDict_GetItemWithError(s->numbers, wanted);
        if (s->slots[i]) continue;
        if (!PyErr_Occurred()) fail_missing(s->source, s->numbers, wanted);
        good = false;
    }
    return good ? 0 : -1;
}

static double number_at(PyArrayObject *column, size_t frame)
{
    const double *numbers = PyArray_DATA(column);
    return numbers[PyArray_NDIM(column) ? frame : 0];
}

// The params of a frame, for sources written in Python.
static PyObject *params_at(const script *s, size_t frame)
{
    PyObject *params = PyDict_New(), *name, *value;
    Py_ssize_t position = 0;
    while (params && PyDict_Next(s->numbers, &position, &name, &value)) {
        PyObject *number = PyFloat_FromDouble(number_at((PyArrayObject *)value, frame));
        if (!number || PyDict_SetItem(params, name, number) < 0) Py_CLEAR(params);
        Py_XDECREF(number);
    }
    return params;
}

// What the frames have played, kept until the tracks are made of it.
typedef struct history {
    ct_played *played;
    size_t count, room;
    size_t *ends;    // [frame_count] how many there are with this frame
    PyObject *shown; // list of what sources written in Python showed, to keep it alive; NULL where there are none
} history;

static void release_history(history *h)
{
    PyMem_RawFree(h->played);
    PyMem_RawFree(h->ends);
    Py_CLEAR(h->shown);
}

typedef struct session {
    const script *script;
    PyObject *params; // of this frame
    const ct_interrupt *interrupt;
    history *history;
} session;

enum { FRAMES_BETWEEN_LOOKS = 1024 }; // whether to stop

static ct_status steer(void *user, size_t frame, void **context, ct_error *error)
{
    session *s = user;
    const source_object *source = s->script->source;
    for (size_t i = 0; i < source->stage->parameters.count; ++i) source->stage->values[i] = number_at(s->script->slots[i], frame);
    if (!source->core->foreign) {
        const ct_interrupt *interrupt = frame % FRAMES_BETWEEN_LOOKS == 0 ? s->interrupt : NULL;
        return interrupt && interrupt->asked(interrupt->context) ? ct_fail(error, CT_INTERRUPTED, "interrupted") : CT_OK;
    }
    Py_XSETREF(s->params, params_at(s->script, frame));
    *context = s->params;
    return s->params && PyErr_CheckSignals() == 0 ? CT_OK : ct_fail(error, CT_INTERRUPTED, "an exception of Python");
}

static ct_status listen(void *user, size_t frame, const ct_frame *shown, ct_error *error)
{
    history *h = ((session *)user)->history;
    if (h->count + shown->played_count > h->room) {
        size_t room = 2 * h->room + shown->played_count;
        ct_played *played = PyMem_RawRealloc(h->played, room * sizeof *played);
        if (!played) return ct_fail_memory(error, "what a source played");
        h->played = played;
        h->room = room;
    }
    for (size_t i = 0; i < shown->played_count; ++i) {
        h->played[h->count++] = shown->played[i];
        if (h->shown && PyList_Append(h->shown, shown->played[i].what) < 0) return ct_fail(error, CT_INTERRUPTED, "an exception of Python");
    }
    h->ends[frame] = h->count;
    return CT_OK;
}

// Sources written in Python need the GIL; the others can do without.
static ct_status record_into(const script *s, const ct_vector *velocity, ct_clip *clip, history *past, ct_error *error)
{
    source_object *source = (source_object *)(uintptr_t)s->source;
    session now = {.script = s, .history = past};
    ct_recording recording = {source->stage, active_kernels(), velocity, steer, listen, &now};
    core_call call;
    if (!source->core->foreign) now.interrupt = enter_core(&call, s->frame_count * source->core->layout.joint_count);
    ct_status status = ct_record(&recording, clip, error);
    if (status == CT_OK) status = ct_clip_finish(clip, error);
    if (!source->core->foreign) leave_core(&call);
    Py_XDECREF(now.params);
    return status;
}

// ------------------------------------------------------------------------------------------------------------------------ tracks

// Appends a number to the list under a name, which is made if there is none.
static bool append_to(PyObject *lists, PyObject *name, double number)
{
    PyObject *list = PyDict_GetItemWithError(lists, name);
    if (!list && !PyErr_Occurred() && (list = PyList_New(0))) {
        if (PyDict_SetItem(lists, name, list) < 0) Py_CLEAR(list);
        Py_XDECREF(list); // the dict has it
    }
    PyObject *value = list ? PyFloat_FromDouble(number) : NULL;
    bool good = value && PyList_Append(list, value) == 0;
    Py_XDECREF(value);
    return good;
}

static bool mark_events(PyObject *markers, const told_list *events, size_t frame, double frame_time)
{
    bool good = true;
    for (size_t i = 0; good && i < events->count; ++i) {
        const told *event = &events->items[i];
        good = append_to(markers, event->name, frame ? ((double)(frame - 1) + event->order) * frame_time : 0);
    }
    return good;
}

// A curve that is nothing yet: 0, or no rotation.
static PyArrayObject *new_curve(size_t frame_count, PyArrayObject *value)
{
    npy_intp shape[2] = {(npy_intp)frame_count, PyArray_SIZE(value)};
    PyArrayObject *curve = (PyArrayObject *)PyArray_ZEROS(1 + PyArray_NDIM(value), shape, NPY_FLOAT, 0);
    float *numbers = curve ? PyArray_DATA(curve) : NULL;
    for (size_t i = 0; curve && shape[1] == CT_CURVE_ROTATION && i < frame_count; ++i) numbers[i * CT_CURVE_ROTATION] = 1;
    return curve;
}

static bool set_value(PyObject *curves, PyObject *name, PyObject *shown, size_t frame, size_t frame_count)
{
    PyArrayObject *value = (PyArrayObject *)PyArray_FROM_OTF(shown, NPY_FLOAT, NPY_ARRAY_IN_ARRAY);
    PyObject *curve = value ? Py_XNewRef(PyDict_GetItemWithError(curves, name)) : NULL;
    if (value && !curve && !PyErr_Occurred() && (curve = (PyObject *)new_curve(frame_count, value))) {
        if (PyDict_SetItem(curves, name, curve) < 0) Py_CLEAR(curve);
    }
    size_t width = value ? (size_t)PyArray_SIZE(value) : 0;
    bool good = curve != NULL;
    if (good && (width_of_curve(curve) != width || PyArray_NDIM((PyArrayObject *)curve) != 1 + PyArray_NDIM(value))) {
        PyErr_Format(PyExc_ValueError, "record: curve %R has %zu numbers in frame %zu and %zu before; rename one", name, width, frame,
                     width_of_curve(curve));
        good = false;
    }
    if (good) {
        float *numbers = PyArray_DATA((PyArrayObject *)curve);
        memcpy(numbers + frame * width, PyArray_DATA(value), width * sizeof *numbers);
    }
    Py_XDECREF(value);
    Py_XDECREF(curve);
    return good;
}

static bool set_values(PyObject *curves, PyObject *values, size_t frame, size_t frame_count)
{
    PyObject *name, *value;
    Py_ssize_t position = 0;
    bool good = values != NULL;
    while (good && PyDict_Next(values, &position, &name, &value)) good = set_value(curves, name, value, frame, frame_count);
    return good;
}

// The events as markers and the blended curves of what was played, as labels.
static bool make_tracks(module_state *state, const history *h, const ct_clip *clip, clip_labels *labels)
{
    PyObject *markers = PyDict_New(), *curves = PyDict_New();
    bool good = markers && curves;
    for (size_t i = 0; good && i < clip->frame_count; ++i) {
        size_t first = i ? h->ends[i - 1] : 0, count = h->ends[i] - first;
        told_list events = {0};
        good = tell_played(state, count, h->played + first, &events) && mark_events(markers, &events, i, clip->frame_time);
        release_told(&events);
        PyObject *values = good ? curves_of_played(state, count, h->played + first) : NULL;
        good = good && set_values(curves, values, i, clip->frame_count);
        Py_XDECREF(values);
    }
    good =
        good && (labels->markers = to_markers(markers, ct_clip_duration(clip))) && (labels->curves = to_curves(curves, clip->frame_count));
    Py_XDECREF(markers);
    Py_XDECREF(curves);
    return good;
}

static bool start_history(history *h, const script *s)
{
    h->ends = PyMem_RawCalloc(s->frame_count, sizeof *h->ends);
    if (!h->ends) return PyErr_NoMemory(), false;
    if (s->source->core->foreign) h->shown = PyList_New(0);
    return h->shown || !s->source->core->foreign;
}

static clip_object *record_clip(const script *s, double frame_time, const ct_vector *velocity, PyObject *name)
{
    const ct_source *core = s->source->core;
    module_state *state = state_of(Py_TYPE(s->source));
    ct_allocator allocator = python_allocator();
    ct_clip *clip;
    ct_error error;
    if (ct_clip_create(&allocator, core->skeleton, s->frame_count, frame_time, false, ct_has_scales(core->layout), &clip, &error) != CT_OK)
        return (clip_object *)raise_error(&error, "record");
    unsigned char *kept = PyMem_Malloc(s->source->stage->state_size + 1); // for when it fails
    if (!kept) {
        ct_clip_destroy(clip);
        return (clip_object *)PyErr_NoMemory();
    }
    ct_stage_keep(s->source->stage, kept);
    history past = {0};
    clip_labels labels = {.name = Py_NewRef(name)};
    bool good = start_history(&past, s);
    if (good && record_into(s, velocity, clip, &past, &error) != CT_OK) {
        raise_error(&error, NULL);
        good = false;
    }
    clip_object *recorded = NULL;
    if (good && make_tracks(state, &past, clip, &labels))
        recorded = wrap_clip(state, clip, s->source->skeleton, &labels);
    else
        ct_clip_destroy(clip);
    if (!recorded) ct_stage_put_back(s->source->stage, kept);
    PyMem_Free(kept);
    release_history(&past);
    release_labels(&labels);
    return recorded;
}

enum { MOST_FRAMES = 1 << 30 };

static int to_frames(PyObject *seconds_value, PyObject *fps_value, size_t *count, double *frame_time)
{
    double seconds, fps = 60;
    if (to_double(seconds_value, "record: seconds", &seconds) < 0) return -1;
    if (fps_value && to_positive(fps_value, "record: fps", &fps) < 0) return -1;
    double frames = rint(seconds * fps);
    if (seconds < 0 || frames >= MOST_FRAMES) {
        PyErr_Format(PyExc_ValueError, "record: seconds is %R, expected 0 or more, and fewer than 2**30 frames", seconds_value);
        return -1;
    }
    *count = (size_t)frames + 1;
    *frame_time = 1 / fps;
    return 0;
}

static int to_velocity(PyObject *value, ct_vector *velocity)
{
    const npy_intp three = 3;
    PyArrayObject *array = to_array(value, NPY_DOUBLE, "record: velocity", 1, &three, false);
    int result = array ? check_finite(array, "record: velocity") : -1;
    if (result == 0) {
        const double *v = PyArray_DATA(array);
        *velocity = (ct_vector){v[0], v[1], v[2]};
    }
    Py_XDECREF(array);
    return result;
}

PyDoc_STRVAR(record_doc,
             "record(source, seconds, params=None, *, fps=60.0, velocity=None, name='')\n--\n\n"
             "Let a pose source play, and keep what it shows as a clip in the world.\n\n"
             "Parameters\n----------\n"
             "source : PoseSource\n"
             "    Goes on from where it stands: the first frame shows it so (reset() it first to begin anew).\n"
             "seconds : float\n"
             "    How long; a whole number of frames is recorded, and one more for the start.\n"
             "params : mapping of str to float or array_like of shape (F,), optional\n"
             "    What steers the source: fixed, or a number for each of the F frames.\n"
             "fps : float, default 60.0\n"
             "    Frames a second; the source is updated once a frame.\n"
             "velocity : array_like, shape (3,), optional\n"
             "    Metres a second in the character's axes: moves the body so, instead of by the root motion that the source tells (as "
             "games do that\n"
             "    move a capsule by themselves, and get sliding feet).\n"
             "name : str\n"
             "    Of the clip.\n\n"
             "Returns\n-------\n"
             "Clip\n"
             "    Of round(seconds * fps) + 1 frames, which begins at the origin, facing +Z. It does not loop. Its markers are the events\n"
             "    that the source told, its curves those of Frame.curves: where no clip that plays has one it is 0, or no rotation.\n\n"
             "Raises\n------\n"
             "ValueError\n"
             "    A parameter is missing or has the wrong length, seconds or fps can't be used, or the source is part of another.\n"
             "    Whatever is raised, the source stands where it did before; only sources written in Python have moved on.\n\n"
             "Examples\n--------\n"
             ">>> import canter as ct\n"
             ">>> ct.record(ct.ClipPlayer(ct.examples.walk()), 2.5)\n"
             "<Clip: 151 frames at 60 fps (2.50 s), 18 joints>");

static PyObject *record(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"record", 3, 2, {"source", "seconds", "params", "fps", "velocity", "name", NULL}};
    PyObject *v[6];
    script steps = {0};
    double frame_time;
    ct_vector velocity;
    if (parse(&s, args, count, names, v) < 0 || to_frames(v[1], v[3], &steps.frame_count, &frame_time) < 0) return NULL;
    if (v[2] && v[2] != Py_None && check_params(v[2], s.function) < 0) return NULL;
    if (v[4] && v[4] != Py_None && to_velocity(v[4], &velocity) < 0) return NULL;
    source_object *source = to_source_object(PyModule_GetState(module), v[0], "record: source");
    PyObject *name = source ? to_name(v[5]) : NULL;
    if (!name || check_idle(source, s.function) < 0) {
        Py_XDECREF(name);
        return NULL;
    }
    steps.source = source;
    source->core->busy = true;
    ct_stage *stage = stage_of(source);
    clip_object *clip = NULL;
    if (stage && take_script(&steps, v[2], stage) == 0)
        clip = record_clip(&steps, frame_time, v[4] && v[4] != Py_None ? &velocity : NULL, name);
    source->core->busy = false;
    release_script(&steps);
    Py_DECREF(name);
    return (PyObject *)clip;
}

static PyMethodDef record_functions[] = {
    KEYWORD_METHOD("record", record),
    {NULL, NULL, 0, NULL},
};

int add_record_function(PyObject *module) { return PyModule_AddFunctions(module, record_functions); }

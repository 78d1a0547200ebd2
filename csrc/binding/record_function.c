// canter.record.
#include "record.h"

#include <math.h>
#include <string.h>

#include "arguments.h"
#include "clip_labels.h"
#include "convert.h"
#include "core_call.h"
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
    if (good && params && params != Py_None && PyDict_Update(given, params) < 0) {
        if (PyErr_ExceptionMatches(PyExc_AttributeError))
            PyErr_Format(PyExc_TypeError, "record: params is %R, expected a mapping of names to numbers or arrays", params);
        good = false;
    }
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

typedef struct session {
    const script *script;
    PyObject *params; // of this frame
} session;

static ct_status steer(void *user, size_t frame, void **context, ct_error *error)
{
    session *s = user;
    const source_object *source = s->script->source;
    for (size_t i = 0; i < source->stage->parameters.count; ++i) source->stage->values[i] = number_at(s->script->slots[i], frame);
    if (!source->core->foreign) return CT_OK;
    Py_XSETREF(s->params, params_at(s->script, frame));
    *context = s->params;
    return s->params && PyErr_CheckSignals() == 0 ? CT_OK : ct_fail(error, CT_INTERRUPTED, "an exception of Python");
}

static ct_status listen(void *user, size_t frame, const ct_frame *shown, ct_error *error)
{
    (void)user, (void)frame, (void)shown, (void)error;
    return CT_OK;
}

// Sources written in Python need the GIL; the others can do without.
static ct_status record_into(const script *s, const ct_vector *velocity, ct_clip *clip, ct_error *error)
{
    source_object *source = (source_object *)(uintptr_t)s->source;
    session session = {s, NULL};
    ct_recording recording = {source->stage, active_kernels(), velocity, steer, listen, &session};
    PyThreadState *thread = source->core->foreign ? NULL : PyEval_SaveThread();
    ct_status status = ct_record(&recording, clip, error);
    if (status == CT_OK) status = ct_clip_finish(clip, error);
    if (thread) PyEval_RestoreThread(thread);
    Py_XDECREF(session.params);
    return status;
}

static clip_object *record_clip(const script *s, double frame_time, const ct_vector *velocity, PyObject *name)
{
    const ct_source *core = s->source->core;
    ct_allocator allocator = python_allocator();
    ct_clip *clip;
    ct_error error;
    if (ct_clip_create(&allocator, core->skeleton, s->frame_count, frame_time, false, ct_has_scales(core->layout), &clip, &error) != CT_OK)
        return (clip_object *)raise_error(&error, "record");
    ct_status status = record_into(s, velocity, clip, &error);
    if (status != CT_OK) {
        ct_clip_destroy(clip);
        return (clip_object *)raise_error(&error, NULL);
    }
    clip_labels labels = {.name = name};
    return wrap_clip(state_of(Py_TYPE(s->source)), clip, s->source->skeleton, &labels);
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
             "    Of round(seconds * fps) + 1 frames, which begins at the origin, facing +Z. It does not loop.\n\n"
             "Raises\n------\n"
             "ValueError\n"
             "    A parameter is missing or has the wrong length, seconds or fps can't be used, or the source is part of another.\n\n"
             "Examples\n--------\n"
             ">>> import canter as ct\n"
             ">>> ct.record(ct.ClipPlayer(ct.examples.walk()), 2.5)\n"
             "<Clip: 151 frames at 60 fps (2.50 s), 18 joints>");

static PyObject *record(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"record", 3, 2, {"source", "seconds", "params", "fps", "velocity", "name", NULL}};
    PyObject *v[6];
    script script = {0};
    double frame_time;
    ct_vector velocity;
    if (parse(&s, args, count, names, v) < 0 || to_frames(v[1], v[3], &script.frame_count, &frame_time) < 0) return NULL;
    if (v[4] && v[4] != Py_None && to_velocity(v[4], &velocity) < 0) return NULL;
    source_object *source = to_source_object(PyModule_GetState(module), v[0], "record: source");
    PyObject *name = source ? to_name(v[5]) : NULL;
    if (!name || check_idle(source, s.function) < 0) {
        Py_XDECREF(name);
        return NULL;
    }
    script.source = source;
    source->busy = true;
    ct_stage *stage = stage_of(source);
    clip_object *clip = NULL;
    if (stage && take_script(&script, v[2], stage) == 0)
        clip = record_clip(&script, frame_time, v[4] && v[4] != Py_None ? &velocity : NULL, name);
    source->busy = false;
    release_script(&script);
    Py_DECREF(name);
    return (PyObject *)clip;
}

static PyMethodDef record_functions[] = {
    KEYWORD_METHOD("record", record),
    {NULL, NULL, 0, NULL},
};

int add_record_function(PyObject *module) { return PyModule_AddFunctions(module, record_functions); }

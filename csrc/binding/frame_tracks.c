#include "frame_tracks.h"

#include <math.h>
#include <string.h>

#include "clip_labels.h"
#include "curve.h"
#include "events.h"
#include "frame_type.h"

// What has a part in the frame: a clip that was played, or a frame that a source written in Python made itself.
typedef struct part {
    PyObject *what;
    tracks tracks;             // of a clip
    const frame_object *frame; // or NULL
    ct_stretch stretch;
    double weight;
    ct_events events; // of the name that is looked at
    ct_event_run run;
    PyObject *curve; // of the name that is looked at, or NULL
} part;

typedef struct part_list {
    part *items;
    size_t count, room;
} part_list;

// Frames that a source written in Python passes on are what they played themselves.
static bool add_parts(module_state *state, part_list *parts, size_t count, const ct_played *played, double weight)
{
    for (size_t i = 0; i < count; ++i) {
        PyObject *what = played[i].what;
        double w = played[i].weight * weight;
        const frame_object *frame = Py_IS_TYPE(what, state->frame_type) ? (frame_object *)what : NULL;
        if (!(w > 0)) continue;
        if (frame && !frame->curves) {
            if (!add_parts(state, parts, frame->played_count, frame->played, w)) return false;
            continue;
        }
        if (parts->count == parts->room) {
            size_t room = parts->room ? 2 * parts->room : 8;
            part *items = PyMem_Realloc(parts->items, room * sizeof *items);
            if (!items) return PyErr_NoMemory(), false;
            parts->items = items;
            parts->room = room;
        }
        parts->items[parts->count++] =
            (part){.what = what, .tracks = tracks_of(state, what), .frame = frame, .stretch = played[i].stretch, .weight = w};
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------------------------ events

static PyObject *field(PyObject *event, Py_ssize_t i) { return PyTuple_GET_ITEM(event, i); }

// The names of all events of the parts, each once, in the order in which they are met: a new dict. NULL with an exception.
static PyObject *event_names(const part_list *parts)
{
    PyObject *names = PyDict_New(), *name, *times;
    for (size_t i = 0; names && i < parts->count; ++i) {
        const part *p = &parts->items[i];
        Py_ssize_t position = 0, given = p->frame ? PyTuple_GET_SIZE(p->frame->events) : 0;
        for (Py_ssize_t k = 0; names && k < given; ++k) {
            if (PyDict_SetItem(names, field(PyTuple_GET_ITEM(p->frame->events, k), EVENT_NAME), Py_None) < 0) Py_CLEAR(names);
        }
        while (names && p->tracks.markers && PyDict_Next(p->tracks.markers, &position, &name, &times)) {
            if (PyDict_SetItem(names, name, Py_None) < 0) Py_CLEAR(names);
        }
    }
    return names;
}

static size_t count_given(const frame_object *frame, PyObject *name)
{
    size_t count = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(frame->events); ++i)
        count += PyUnicode_Compare(field(PyTuple_GET_ITEM(frame->events, i), EVENT_NAME), name) == 0;
    return count;
}

static bool find_run(part *p, PyObject *name)
{
    p->run = (ct_event_run){0, 0, 1};
    if (p->frame) {
        p->run.count = count_given(p->frame, name);
        return true;
    }
    PyArrayObject *times = p->tracks.markers ? (PyArrayObject *)PyDict_GetItemWithError(p->tracks.markers, name) : NULL;
    if (!times) return !PyErr_Occurred();
    p->events = ct_events_of(p->tracks.core, p->stretch.wrap, PyArray_DATA(times), (size_t)PyArray_SIZE(times));
    p->run = ct_events_in(&p->events, p->stretch);
    return true;
}

static told given_event(const part *p, PyObject *name, size_t k)
{
    Py_ssize_t i = 0;
    for (;; ++i) {
        if (PyUnicode_Compare(field(PyTuple_GET_ITEM(p->frame->events, i), EVENT_NAME), name) == 0 && k-- == 0) break;
    }
    PyObject *event = PyTuple_GET_ITEM(p->frame->events, i);
    double time = PyFloat_AsDouble(field(event, EVENT_TIME)), weight = PyFloat_AsDouble(field(event, EVENT_WEIGHT));
    return (told){name, field(event, EVENT_CLIP), time, 1, p->weight * weight, 0};
}

static told played_event(const part *p, PyObject *name, size_t k)
{
    int64_t number = p->run.first + (int64_t)k * p->run.step;
    double end = ct_stretch_end(p->stretch, p->events.end), length = end - p->stretch.from;
    double order = length == 0 ? 1 : (ct_event_time(&p->events, number) - p->stretch.from) / length;
    return (told){name, p->what, p->events.times[ct_event_index(&p->events, number)], fmin(fmax(order, 0), 1), p->weight, 0};
}

// The k-th event of a name in the step, of all parts that have so many: false when none has.
static bool merge(const part_list *parts, PyObject *name, size_t k, told *merged)
{
    double most = -1, sum = 0;
    for (size_t i = 0; i < parts->count; ++i) {
        const part *p = &parts->items[i];
        if (p->run.count <= k) continue;
        told event = p->frame ? given_event(p, name, k) : played_event(p, name, k);
        sum += event.weight;
        if (event.weight <= most) continue;
        most = event.weight;
        *merged = event;
    }
    merged->weight = fmin(sum, 1);
    return most >= 0;
}

static bool tell_parts(part_list *parts, told_list *list)
{
    PyObject *names = event_names(parts), *name, *ignored;
    Py_ssize_t position = 0;
    bool good = names != NULL;
    while (good && PyDict_Next(names, &position, &name, &ignored)) {
        for (size_t i = 0; good && i < parts->count; ++i) good = find_run(&parts->items[i], name);
        told event;
        for (size_t k = 0; good && merge(parts, name, k, &event); ++k) good = tell(list, event);
    }
    Py_XDECREF(names);
    return good;
}

bool tell_played(module_state *state, size_t count, const ct_played *played, told_list *list)
{
    part_list parts = {0};
    bool good = add_parts(state, &parts, count, played, 1) && tell_parts(&parts, list);
    if (good) sort_told(list);
    PyMem_Free(parts.items);
    return good;
}

// ------------------------------------------------------------------------------------------------------------------------ curves

static PyObject *curves_of_part(const part *p) { return p->frame ? p->frame->curves : p->tracks.curves; }

static PyObject *curve_names(const part_list *parts)
{
    PyObject *names = PyDict_New(), *name, *curve;
    for (size_t i = 0; names && i < parts->count; ++i) {
        PyObject *curves = curves_of_part(&parts->items[i]);
        Py_ssize_t position = 0;
        while (names && curves && PyDict_Next(curves, &position, &name, &curve)) {
            if (PyDict_SetItem(names, name, Py_None) < 0) Py_CLEAR(names);
        }
    }
    return names;
}

// The shape of one value of a curve: its rank, and how many numbers it has.
static int value_rank(const part *p) { return PyArray_NDIM((PyArrayObject *)p->curve) - (p->frame == NULL); }

static size_t value_width(const part *p) { return p->frame ? (size_t)PyArray_SIZE((PyArrayObject *)p->curve) : width_of_curve(p->curve); }

// Finds the parts that have the curve; the first of them, or NULL with an exception when they don't fit together.
static const part *find_curve(part_list *parts, PyObject *name, size_t *count)
{
    const part *first = NULL;
    *count = 0;
    for (size_t i = 0; i < parts->count; ++i) {
        part *p = &parts->items[i];
        PyObject *curves = curves_of_part(p);
        p->curve = curves ? PyDict_GetItemWithError(curves, name) : NULL;
        if (!p->curve) continue;
        ++*count;
        if (!first) first = p;
        if (value_rank(p) == value_rank(first) && value_width(p) == value_width(first)) continue;
        return PyErr_Format(PyExc_ValueError, "Frame.curves: %R has %zu numbers in %R and %zu in %R, so they do not blend; rename one",
                            name, value_width(first), first->what, value_width(p), p->what),
               NULL;
    }
    return first;
}

static bool blend_values(const part_list *parts, size_t count, size_t width, float *out)
{
    float *values = PyMem_Malloc((count * width + 1) * sizeof *values);
    double *weights = PyMem_Malloc((count + 1) * sizeof *weights);
    bool good = values && weights;
    if (!good) PyErr_NoMemory();
    size_t found = 0;
    for (size_t i = 0; good && i < parts->count; ++i) {
        const part *p = &parts->items[i];
        if (!p->curve) continue;
        const float *numbers = PyArray_DATA((PyArrayObject *)p->curve);
        float *value = values + found * width;
        if (p->frame)
            memcpy(value, numbers, width * sizeof *value);
        else
            ct_curve_sample(p->tracks.core, p->stretch.wrap, width, numbers, p->stretch.to, value);
        weights[found++] = p->weight;
    }
    ct_allocator allocator = python_allocator();
    ct_error error;
    if (good && ct_curve_blend(&allocator, active_kernels(), width, count, values, weights, out, &error) != CT_OK) {
        raise_error(&error, "Frame.curves");
        good = false;
    }
    PyMem_Free(values);
    PyMem_Free(weights);
    return good;
}

static PyObject *blend_curve(part_list *parts, PyObject *name)
{
    size_t count;
    const part *first = find_curve(parts, name, &count);
    if (!first) return NULL;
    npy_intp width = (npy_intp)value_width(first);
    PyArrayObject *value = (PyArrayObject *)PyArray_SimpleNew(value_rank(first), &width, NPY_FLOAT);
    if (value && blend_values(parts, count, (size_t)width, PyArray_DATA(value))) return PyArray_Return(value);
    Py_XDECREF(value);
    return NULL;
}

PyObject *curves_of_played(module_state *state, size_t count, const ct_played *played)
{
    part_list parts = {0};
    PyObject *names = add_parts(state, &parts, count, played, 1) ? curve_names(&parts) : NULL;
    PyObject *blended = names ? PyDict_New() : NULL, *name, *ignored;
    Py_ssize_t position = 0;
    while (blended && PyDict_Next(names, &position, &name, &ignored)) {
        PyObject *value = blend_curve(&parts, name);
        if (!value || PyDict_SetItem(blended, name, value) < 0) Py_CLEAR(blended);
        Py_XDECREF(value);
    }
    Py_XDECREF(names);
    PyMem_Free(parts.items);
    return blended;
}

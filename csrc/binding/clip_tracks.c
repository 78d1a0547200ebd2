// Methods of canter.Clip about what it carries beside its poses: curves and events.
#include "tracks.h"

#include <math.h>

#include "arguments.h"
#include "clip_labels.h"
#include "clip_methods.h"
#include "convert.h"
#include "core_call.h"
#include "curve.h"
#include "events.h"

// ------------------------------------------------------------------------------------------------------------------------ curves

static PyObject *sample_curve(const ct_clip *clip, PyObject *curve, PyArrayObject *times, ct_wrap wrap)
{
    npy_intp shape[NPY_MAXDIMS];
    int rank = PyArray_NDIM(times);
    for (int i = 0; i < rank; ++i) shape[i] = PyArray_DIM(times, i);
    size_t width = width_of_curve(curve), count = (size_t)PyArray_SIZE(times);
    if (PyArray_NDIM((PyArrayObject *)curve) == 2) shape[rank++] = (npy_intp)width;
    PyArrayObject *out = (PyArrayObject *)PyArray_SimpleNew(rank, shape, NPY_FLOAT);
    if (!out) return NULL;

    const double *t = PyArray_DATA(times);
    const float *values = PyArray_DATA((PyArrayObject *)curve);
    float *numbers = PyArray_DATA(out);
    core_call call;
    enter_core(&call, count * width);
    for (size_t i = 0; i < count; ++i) ct_curve_sample(clip, wrap, width, values, t[i], numbers + i * width);
    leave_core(&call);
    return PyArray_Return(out);
}

PyObject *clip_sample_curves(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.sample_curves", 1, 1, {"t", "wrap", NULL}};
    PyObject *v[2];
    int wrap = CT_CLAMP;
    if (parse(&s, args, count, names, v) < 0 || (v[1] && to_choice(v[1], "Clip.sample_curves: wrap", wraps, &wrap) < 0)) return NULL;
    const clip_object *self = (clip_object *)op;
    if (self->core->frame_count == 0) {
        PyErr_SetString(PyExc_ValueError, "Clip.sample_curves: the clip has no frames, so there is no value at any time");
        return NULL;
    }
    PyArrayObject *times = to_array(v[0], NPY_DOUBLE, "Clip.sample_curves: t", 0, NULL, true);
    PyObject *sampled = times && check_finite(times, "Clip.sample_curves: t") == 0 ? PyDict_New() : NULL;
    if (sampled && PyArray_NDIM(times) == NPY_MAXDIMS) {
        PyErr_SetString(PyExc_ValueError, "Clip.sample_curves: t has too many dimensions for one more");
        Py_CLEAR(sampled);
    }
    PyObject *name, *curve;
    Py_ssize_t position = 0;
    while (sampled && PyDict_Next(self->labels.curves, &position, &name, &curve)) {
        PyObject *values = sample_curve(self->core, curve, times, (ct_wrap)wrap);
        if (!values || PyDict_SetItem(sampled, name, values) < 0) Py_CLEAR(sampled);
        Py_XDECREF(values);
    }
    Py_XDECREF(times);
    return sampled;
}

const char clip_sample_curves_doc[] =
    "sample_curves($self, t, *, wrap='clamp')\n--\n\n"
    "All curves at any time.\n\n"
    "Parameters\n----------\n"
    "t : array_like of any shape\n"
    "    Seconds. Times within 1e-6 of a frame's span from a frame are that frame, to the bit.\n"
    "wrap : {'clamp', 'loop'}, default 'clamp'\n"
    "    As in sample.\n\n"
    "Returns\n-------\n"
    "dict of str to ndarray of float32\n"
    "    Shape t.shape for a scalar curve, t.shape + (n,) for others. Between frames rotations (n = 4) go the short way, made unit; all\n"
    "    else along a line.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A time is not finite, or the clip has no frames.\n\n"
    "Examples\n--------\n"
    ">>> import numpy as np, canter as ct\n"
    ">>> walk = ct.examples.walk()\n"
    ">>> walk = walk.replace(curves={\"effort\": np.linspace(0, 1, len(walk))})\n"
    ">>> walk.sample_curves(0.0)\n"
    "{'effort': np.float32(0.0)}";

// ------------------------------------------------------------------------------------------------------------------------ events

static bool tell_between(told_list *list, clip_object *clip, ct_wrap wrap, double from, double to)
{
    PyObject *name, *times;
    Py_ssize_t position = 0;
    while (PyDict_Next(clip->labels.markers, &position, &name, &times)) {
        PyArrayObject *array = (PyArrayObject *)times;
        ct_events events = ct_events_of(clip->core, wrap, PyArray_DATA(array), (size_t)PyArray_SIZE(array));
        ct_event_run run = ct_events_between(&events, from, to);
        for (size_t i = 0; i < run.count; ++i) {
            double time = ct_event_time(&events, run.first + (int64_t)i * run.step);
            if (!tell(list, (told){name, (PyObject *)clip, time, run.step * time, 1, 0})) return false;
        }
    }
    return true;
}

static int to_time(PyObject *value, const char *name, const ct_clip *clip, ct_wrap wrap, double *out)
{
    if (to_double(value, name, out) < 0) return -1;
    double period = ct_clip_period(clip);
    if (wrap == CT_CLAMP || period == 0 || fabs(*out) / period < CT_MOST_ROUNDS) return 0;
    PyErr_Format(PyExc_ValueError, "%s is %R, more than 1e12 rounds from 0: there is no telling what happens where", name, value);
    return -1;
}

PyObject *clip_events(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Clip.events", 2, 2, {"t0", "t1", "wrap", NULL}};
    PyObject *v[3];
    clip_object *self = (clip_object *)op;
    int wrap = self->core->looping ? CT_LOOP : CT_CLAMP;
    double from, to;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    if (v[2] && v[2] != Py_None && to_choice(v[2], "Clip.events: wrap", wraps, &wrap) < 0) return NULL;
    if (to_time(v[0], "Clip.events: t0", self->core, (ct_wrap)wrap, &from) < 0 ||
        to_time(v[1], "Clip.events: t1", self->core, (ct_wrap)wrap, &to) < 0)
        return NULL;
    told_list list = {0};
    PyObject *events = NULL;
    if (tell_between(&list, self, (ct_wrap)wrap, from, to)) {
        sort_told(&list);
        events = list_of_events(&list);
    }
    release_told(&list);
    return events;
}

const char clip_events_doc[] =
    "events($self, t0, t1, *, wrap=None)\n--\n\n"
    "What happens from one time to another: the markers, in the order in which they are met.\n\n"
    "Parameters\n----------\n"
    "t0, t1 : float\n"
    "    Seconds. Forward, what happens at `t0` is told and what happens at `t1` is not; when `t1` lies before `t0`, time runs backward\n"
    "    from `t0`, itself included, down to `t1`, excluded. So intervals one after another lose nothing and tell nothing twice.\n"
    "wrap : {'clamp', 'loop'}, optional\n"
    "    Once, or again every `period`, for ever in both directions. By default as the clip says (`Clip.looping`).\n\n"
    "Returns\n-------\n"
    "list of Event\n"
    "    Round a loop with times that go on: one of the second round lies after the period. A name with a marker at 0 and one at the\n"
    "    period has one event there, for the two are one moment.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A time is not finite, or more than 1e12 rounds from 0; or there are more than 16,777,216 events.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> walk = ct.examples.walk()\n"
    ">>> [(event.name, round(event.time / walk.period, 2)) for event in walk.events(0.0, 1.5 * walk.period) if \"left\" in event.name]\n"
    "[('left_down', 0.0), ('left_up', 0.6), ('left_down', 1.0)]";

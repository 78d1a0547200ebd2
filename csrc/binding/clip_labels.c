#include "clip_labels.h"

#include <math.h>
#include <string.h>

#include "convert.h"
#include "curve.h"
#include "mirror.h"

static const double END_TOLERANCE = 1e-6; // of the span

PyObject *to_name(PyObject *value)
{
    if (!value) return PyUnicode_FromString("");
    if (PyUnicode_Check(value)) return PyUnicode_FromObject(value);
    return PyErr_Format(PyExc_TypeError, "Clip: name is %R, expected a str", value);
}

// A plain dict of any mapping.
static PyObject *to_dict(PyObject *value, const char *what)
{
    PyObject *dict = PyDict_New();
    if (!dict || !value || value == Py_None) return dict;
    if (PyDict_Update(dict, value) == 0) return dict;
    Py_DECREF(dict);
    if (PyErr_ExceptionMatches(PyExc_AttributeError)) { // of keys()
        PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a mapping of names", what, Py_TYPE(value)->tp_name);
    }
    return NULL;
}

// Replaces every value of a dict by convert(value, name, context).
typedef PyObject *(*conversion)(PyObject *value, PyObject *name, const void *context);

static PyObject *convert_values(PyObject *from, const char *what, conversion convert, const void *context)
{
    PyObject *to = PyDict_New();
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (to && PyDict_Next(from, &position, &name, &value)) {
        if (!PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError, "%s has the name %R, expected a str", what, name);
            Py_CLEAR(to);
            break;
        }
        PyObject *converted = convert(value, name, context);
        if (!converted || PyDict_SetItem(to, name, converted) < 0) Py_CLEAR(to);
        Py_XDECREF(converted);
    }
    return to;
}

// A name for messages; any str is a name.
static void name_in(char *text, size_t size, const char *format, PyObject *name)
{
    PyObject *bytes = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
    PyErr_Clear();
    PyOS_snprintf(text, size, format, bytes ? PyBytes_AS_STRING(bytes) : "?");
    Py_XDECREF(bytes);
}

static PyObject *to_seconds(PyObject *value, PyObject *name, const void *context)
{
    double end = *(const double *)context;
    char where[128];
    name_in(where, sizeof where, "Clip: marker '%.80s'", name);
    npy_intp any = ANY;
    PyObject *several = PyArray_IsAnyScalar(value) ? PyTuple_Pack(1, value) : Py_NewRef(value); // one time stands for itself
    PyArrayObject *given = several ? to_array(several, NPY_DOUBLE, where, 1, &any, false) : NULL;
    Py_XDECREF(several);
    if (!given) return NULL;
    PyArrayObject *times = check_finite(given, where) < 0 ? NULL : (PyArrayObject *)PyArray_NewCopy(given, NPY_CORDER);
    Py_DECREF(given);
    if (!times || PyArray_Sort(times, 0, NPY_QUICKSORT) < 0) {
        Py_XDECREF(times);
        return NULL;
    }

    double *t = PyArray_DATA(times), slack = END_TOLERANCE * end;
    npy_intp count = PyArray_SIZE(times);
    if (count > 0 && (t[0] < -slack || t[count - 1] > end + slack)) {
        PyObject *outside = PyFloat_FromDouble(t[0] < -slack ? t[0] : t[count - 1]), *last = PyFloat_FromDouble(end);
        if (outside && last) PyErr_Format(PyExc_ValueError, "%s is at %S s, outside the clip (0 to %S s)", where, outside, last);
        Py_XDECREF(outside);
        Py_XDECREF(last);
        Py_DECREF(times);
        return NULL;
    }
    for (npy_intp i = 0; i < count; ++i) t[i] = t[i] < 0 ? 0 : t[i] > end ? end : t[i];
    return (PyObject *)times;
}

PyObject *to_markers(PyObject *value, double end)
{
    PyObject *given = to_dict(value, "Clip: markers");
    if (!given) return NULL;
    PyObject *markers = convert_values(given, "Clip: markers", to_seconds, &end);
    Py_DECREF(given);
    return markers;
}

PyObject *to_tags(PyObject *value)
{
    if (!value || value == Py_None) return PyFrozenSet_New(NULL);
    if (PyUnicode_Check(value)) return PyErr_Format(PyExc_TypeError, "Clip: tags is %R, expected several str, as in [%R]", value, value);
    PyObject *tags = PyFrozenSet_New(value);
    PyObject *iterator = tags ? PyObject_GetIter(tags) : NULL;
    for (PyObject *tag; iterator && (tag = PyIter_Next(iterator)); Py_DECREF(tag)) {
        if (!PyUnicode_Check(tag)) {
            PyErr_Format(PyExc_TypeError, "Clip: tags holds %R, expected str", tag);
            Py_CLEAR(iterator);
        }
    }
    if (!iterator || PyErr_Occurred()) Py_CLEAR(tags);
    Py_XDECREF(iterator);
    return tags;
}

size_t width_of_curve(PyObject *curve)
{
    PyArrayObject *array = (PyArrayObject *)curve;
    return PyArray_NDIM(array) == 2 ? (size_t)PyArray_DIM(array, 1) : 1;
}

// Checks values that are `curve`'s own and gives them to it.
static PyObject *finish_curve(PyArrayObject *curve, const char *where)
{
    ct_error error;
    if (!curve) return NULL;
    ct_status status = ct_curve_finish((size_t)PyArray_DIM(curve, 0), width_of_curve((PyObject *)curve), PyArray_DATA(curve), &error);
    if (status == CT_OK) return (PyObject *)curve;
    Py_DECREF(curve);
    return raise_error(&error, where);
}

static PyObject *to_curve(PyObject *value, PyObject *name, const void *context)
{
    npy_intp frame_count = *(const npy_intp *)context, *shape;
    char where[128];
    name_in(where, sizeof where, "Clip: curve '%.80s'", name);
    PyArrayObject *given = to_array(value, NPY_FLOAT, where, 0, NULL, true);
    if (!given) return NULL;
    int rank = PyArray_NDIM(given);
    shape = PyArray_DIMS(given);
    if (rank < 1 || rank > 2 || shape[0] != frame_count || (rank == 2 && shape[1] == 0)) {
        char text[SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError, "%s has shape %s, expected (%zd,), or (%zd, n) of vectors or rotations: one for each frame", where,
                     shape_text(given, text), (Py_ssize_t)frame_count, (Py_ssize_t)frame_count);
        Py_DECREF(given);
        return NULL;
    }
    PyArrayObject *curve = (PyArrayObject *)PyArray_NewCopy(given, NPY_CORDER);
    Py_DECREF(given);
    return finish_curve(curve, where);
}

PyObject *to_curves(PyObject *value, size_t frame_count)
{
    PyObject *given = to_dict(value, "Clip: curves");
    if (!given) return NULL;
    npy_intp count = (npy_intp)frame_count;
    PyObject *curves = convert_values(given, "Clip: curves", to_curve, &count);
    Py_DECREF(given);
    return curves;
}

static PyObject *to_curve_value(PyObject *value, PyObject *name, const void *context)
{
    (void)context;
    char where[128];
    name_in(where, sizeof where, "Frame: curve '%.80s'", name);
    PyArrayObject *given = to_array(value, NPY_FLOAT, where, 0, NULL, true);
    if (!given) return NULL;
    if (PyArray_NDIM(given) > 1 || PyArray_SIZE(given) == 0) {
        char text[SHAPE_TEXT];
        PyErr_Format(PyExc_ValueError, "%s has shape %s, expected a number, or (n,) of a vector or rotation", where,
                     shape_text(given, text));
        Py_DECREF(given);
        return NULL;
    }
    PyArrayObject *numbers = (PyArrayObject *)PyArray_NewCopy(given, NPY_CORDER);
    Py_DECREF(given);
    ct_error error;
    if (!numbers || ct_curve_finish(1, (size_t)PyArray_SIZE(numbers), PyArray_DATA(numbers), &error) == CT_OK) return (PyObject *)numbers;
    Py_DECREF(numbers);
    return raise_error(&error, where);
}

PyObject *to_curve_values(PyObject *value)
{
    PyObject *given = to_dict(value, "Frame: curves");
    PyObject *curves = given ? convert_values(given, "Frame: curves", to_curve_value, NULL) : NULL;
    Py_XDECREF(given);
    return curves;
}

PyObject *to_source(PyObject *value)
{
    if (value == Py_None) return Py_NewRef(value);
    PyObject *module = PyImport_ImportModule("canter.source");
    PyObject *type = module ? PyObject_GetAttrString(module, "Source") : NULL;
    int fits = type ? PyObject_IsInstance(value, type) : -1;
    Py_XDECREF(module);
    Py_XDECREF(type);
    if (fits == 0) PyErr_Format(PyExc_TypeError, "Clip: source is %.100s, expected a canter.Source or None", Py_TYPE(value)->tp_name);
    return fits == 1 ? Py_NewRef(value) : NULL;
}

static PyObject *view_label(PyObject *value, PyObject *name, const void *context)
{
    (void)name;
    PyArrayObject *array = (PyArrayObject *)value;
    // The caller gets views: the owner of memory may make it writeable.
    return view_of((PyObject *)(uintptr_t)context, PyArray_TYPE(array), PyArray_NDIM(array), PyArray_DIMS(array), NULL,
                   PyArray_DATA(array));
}

PyObject *view_labels(PyObject *labels, PyObject *owner) { return convert_values(labels, "Clip: labels", view_label, owner); }

bool complete_labels(clip_labels *labels)
{
    labels->name = labels->name ? Py_NewRef(labels->name) : PyUnicode_FromString("");
    labels->markers = labels->markers ? Py_NewRef(labels->markers) : PyDict_New();
    labels->tags = labels->tags ? Py_NewRef(labels->tags) : PyFrozenSet_New(NULL);
    labels->curves = labels->curves ? Py_NewRef(labels->curves) : PyDict_New();
    labels->source = Py_NewRef(labels->source ? labels->source : Py_None);
    return labels->name && labels->markers && labels->tags && labels->curves;
}

void release_labels(clip_labels *labels)
{
    Py_CLEAR(labels->name);
    Py_CLEAR(labels->markers);
    Py_CLEAR(labels->tags);
    Py_CLEAR(labels->curves);
    Py_CLEAR(labels->source);
}

typedef struct movement {
    double start, factor, end;
} movement;

static PyObject *move_times(PyObject *value, PyObject *name, const void *context)
{
    (void)name;
    const movement *m = context;
    const double *from = PyArray_DATA((PyArrayObject *)value);
    npy_intp count = PyArray_SIZE((PyArrayObject *)value), kept = 0;
    PyArrayObject *times = (PyArrayObject *)PyArray_SimpleNew(1, &count, NPY_DOUBLE);
    if (!times) return NULL;

    double *t = PyArray_DATA(times), slack = END_TOLERANCE * m->end;
    for (npy_intp i = 0; i < count; ++i) {
        double time = m->factor * (from[m->factor < 0 ? count - 1 - i : i] - m->start);
        if (time >= -slack && time <= m->end + slack) t[kept++] = time < 0 ? 0 : time > m->end ? m->end : time;
    }
    PyArray_Dims shape = {&kept, 1};
    PyObject *same = kept < count ? PyArray_Resize(times, &shape, 0, NPY_CORDER) : Py_NewRef(Py_None);
    if (!same) Py_CLEAR(times);
    Py_XDECREF(same);
    return (PyObject *)times;
}

PyObject *move_markers(PyObject *markers, double start, double factor, double end)
{
    movement m = {start, factor, end};
    return convert_values(markers, "Clip: markers", move_times, &m);
}

// X of "X_down" with the ending "_down"; NULL, without an exception, of a name that ends otherwise.
static PyObject *foot_of(PyObject *name, const char *ending)
{
    PyObject *tail = PyUnicode_FromString(ending), *foot = NULL;
    if (tail && PyUnicode_Tailmatch(name, tail, 0, PY_SSIZE_T_MAX, 1) == 1)
        foot = PyUnicode_Substring(name, 0, PyUnicode_GET_LENGTH(name) - PyUnicode_GET_LENGTH(tail));
    Py_XDECREF(tail);
    return foot;
}

// The last of sorted times before `limit`, or at it if `at` is true; minus infinity without one.
static double last_until(PyObject *times, double limit, bool at)
{
    double last = -INFINITY;
    for (npy_intp i = 0; times && i < PyArray_SIZE((PyArrayObject *)times); ++i) {
        double time = ((const double *)PyArray_DATA((PyArrayObject *)times))[i];
        if (time < limit || (at && time <= limit)) last = time;
    }
    return last;
}

static double first_of(PyObject *times)
{
    return times && PyArray_SIZE((PyArrayObject *)times) > 0 ? *(const double *)PyArray_DATA((PyArrayObject *)times) : INFINITY;
}

// Whether a foot is on the ground just after `time`, or just before it. One that leaves first was there from the start.
static bool stands(PyObject *down, PyObject *up, double time, bool before)
{
    double last_down = last_until(down, time, !before), last_up = last_until(up, time, !before);
    if (isinf(last_down) && isinf(last_up)) return first_of(up) < INFINITY && first_of(up) <= first_of(down);
    return last_down >= last_up;
}

// `times` with 0 in front, if it is not there.
static PyObject *from_start(PyObject *times)
{
    npy_intp count = times ? PyArray_SIZE((PyArrayObject *)times) : 0, more = count + 1;
    if (first_of(times) <= 0) return Py_NewRef(times);
    PyArrayObject *longer = (PyArrayObject *)PyArray_SimpleNew(1, &more, NPY_DOUBLE);
    if (!longer) return NULL;
    double *t = PyArray_DATA(longer);
    t[0] = 0;
    if (count) memcpy(t + 1, PyArray_DATA((PyArrayObject *)times), (size_t)count * sizeof *t);
    return (PyObject *)longer;
}

// Puts the markers of one foot, moved already, into `sliced`.
static int slice_contacts(PyObject *sliced, PyObject *markers, PyObject *moved, PyObject *foot, double time, bool backward)
{
    PyObject *down_name = PyUnicode_FromFormat("%U_down", foot), *up_name = PyUnicode_FromFormat("%U_up", foot), *starts = NULL;
    bool failed = !down_name || !up_name;
    PyObject *down = failed ? NULL : PyDict_GetItemWithError(markers, down_name);
    PyObject *up = failed ? NULL : PyDict_GetItemWithError(markers, up_name);
    // Time turned round, a foot comes down where it left.
    PyObject *new_down = failed ? NULL : PyDict_GetItemWithError(moved, backward ? up_name : down_name);
    PyObject *new_up = failed ? NULL : PyDict_GetItemWithError(moved, backward ? down_name : up_name);
    if (!failed && stands(down, up, time, backward)) {
        new_down = starts = from_start(new_down);
        failed = !starts;
    }
    failed = failed || (new_down && PyDict_SetItem(sliced, down_name, new_down) < 0);
    failed = failed || (new_up && PyDict_SetItem(sliced, up_name, new_up) < 0);
    Py_XDECREF(starts);
    Py_XDECREF(down_name);
    Py_XDECREF(up_name);
    return failed || PyErr_Occurred() ? -1 : 0;
}

PyObject *slice_markers(PyObject *markers, double start, bool backward, double end)
{
    PyObject *moved = move_markers(markers, start, backward ? -1 : 1, end);
    PyObject *sliced = moved ? PyDict_New() : NULL;
    double slack = END_TOLERANCE * end; // as markers move
    PyObject *name, *times;
    Py_ssize_t position = 0;
    while (sliced && PyDict_Next(moved, &position, &name, &times)) {
        PyObject *foot = foot_of(name, "_down");
        if (!foot && !PyErr_Occurred()) foot = foot_of(name, "_up");
        int status = PyErr_Occurred() ? -1 : 0;
        if (!status && foot) status = slice_contacts(sliced, markers, moved, foot, backward ? start - slack : start + slack, backward);
        if (!status && !foot) status = PyDict_SetItem(sliced, name, times);
        Py_XDECREF(foot);
        if (status < 0) Py_CLEAR(sliced);
    }
    Py_XDECREF(moved);
    return sliced;
}

static PyObject *mirror_name(PyObject *name)
{
    PyObject *text = PyUnicode_AsEncodedString(name, "utf-8", "surrogatepass"); // any str is a name
    if (!text) return NULL;
    const char *old = PyBytes_AS_STRING(text);
    char *mirrored = PyMem_Malloc(strlen(old) + CT_MIRROR_NAME_ROOM);
    PyObject *result = NULL;
    if (!mirrored) {
        PyErr_NoMemory();
    } else {
        // A name with a NUL in it tells no side.
        bool tells = strlen(old) == (size_t)PyBytes_GET_SIZE(text) && ct_mirror_name(old, mirrored);
        result = tells ? PyUnicode_DecodeUTF8(mirrored, (Py_ssize_t)strlen(mirrored), "surrogatepass") : Py_NewRef(name);
    }
    PyMem_Free(mirrored);
    Py_DECREF(text);
    return result;
}

PyObject *mirror_names(PyObject *labels)
{
    PyObject *mirrored = PyDict_New();
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (mirrored && PyDict_Next(labels, &position, &name, &value)) {
        PyObject *other = mirror_name(name);
        if (!other || PyDict_SetItem(mirrored, other, value) < 0) Py_CLEAR(mirrored);
        Py_XDECREF(other);
    }
    return mirrored;
}

static PyObject *slice_curve(PyObject *value, PyObject *name, const void *context)
{
    (void)name;
    PyObject *view = PyObject_GetItem(value, (PyObject *)context);
    if (!view) return NULL;
    PyArrayObject *curve = (PyArrayObject *)PyArray_NewCopy((PyArrayObject *)view, NPY_CORDER);
    Py_DECREF(view);
    return finish_curve(curve, "Clip"); // rotations that were not neighbours may lie on different sides
}

PyObject *slice_curves(PyObject *curves, PyObject *slice) { return convert_values(curves, "Clip: curves", slice_curve, slice); }

typedef struct retiming {
    const ct_clip *from, *to;
} retiming;

static PyObject *resample_curve(PyObject *value, PyObject *name, const void *context)
{
    (void)name;
    const retiming *r = context;
    PyArrayObject *from = (PyArrayObject *)value;
    npy_intp shape[2] = {(npy_intp)r->to->frame_count, (npy_intp)width_of_curve(value)};
    PyArrayObject *curve = (PyArrayObject *)PyArray_SimpleNew(PyArray_NDIM(from), shape, NPY_FLOAT);
    if (curve && r->to->frame_count) ct_curve_resample(r->from, (size_t)shape[1], PyArray_DATA(from), r->to, PyArray_DATA(curve));
    return finish_curve(curve, "Clip.resample");
}

PyObject *resample_curves(PyObject *curves, const ct_clip *from, const ct_clip *to)
{
    retiming r = {from, to};
    return convert_values(curves, "Clip: curves", resample_curve, &r);
}

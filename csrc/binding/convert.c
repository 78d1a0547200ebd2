#include "convert.h"

#include <math.h>
#include <string.h>

const char *shape_text(PyArrayObject *array, char text[SHAPE_TEXT])
{
    size_t used = 1;
    strcpy(text, "(");
    for (int i = 0; i < PyArray_NDIM(array); ++i) {
        const char *separator = i + 1 < PyArray_NDIM(array) ? ", " : PyArray_NDIM(array) == 1 ? "," : "";
        int length = PyOS_snprintf(text + used, SHAPE_TEXT - used, "%zd%s", (Py_ssize_t)PyArray_DIM(array, i), separator);
        used += (size_t)length;
        if (used > SHAPE_TEXT - 32) break;
    }
    strcpy(text + used, ")");
    return text;
}

// "(..., J, 4)" style text of what was expected: free dimensions are letters.
static const char *expected_text(int rank, const npy_intp *shape, bool batch, char text[SHAPE_TEXT])
{
    static const char letters[] = "NMKL";
    size_t used = (size_t)PyOS_snprintf(text, SHAPE_TEXT, "(%s", batch ? (rank ? "..., " : "...") : "");
    int letter = 0;
    for (int i = 0; i < rank; ++i) {
        const char *separator = i + 1 < rank ? ", " : rank == 1 && !batch ? "," : "";
        int length = shape[i] == ANY ? PyOS_snprintf(text + used, SHAPE_TEXT - used, "%c%s", letters[letter++ % 4], separator)
                                     : PyOS_snprintf(text + used, SHAPE_TEXT - used, "%zd%s", (Py_ssize_t)shape[i], separator);
        used += (size_t)length;
    }
    strcpy(text + used, ")");
    return text;
}

static int check_shape(PyArrayObject *array, const char *name, int rank, const npy_intp *shape, bool batch)
{
    int extra = PyArray_NDIM(array) - rank;
    bool fits = batch ? extra >= 0 : extra == 0;
    for (int i = 0; fits && i < rank; ++i) fits = shape[i] == ANY || shape[i] == PyArray_DIM(array, extra + i);
    if (fits) return 0;

    char given[SHAPE_TEXT], expected[SHAPE_TEXT];
    PyErr_Format(PyExc_ValueError, "%s has shape %s, expected %s", name, shape_text(array, given),
                 expected_text(rank, shape, batch, expected));
    return -1;
}

// Floats take any real number, integers only integers: nothing is truncated silently.
static int check_kind(PyArrayObject *array, int type, const char *name)
{
    PyArray_Descr *descr = PyArray_DESCR(array);
    bool whole = PyTypeNum_ISINTEGER(descr->type_num);
    bool wanted_whole = PyTypeNum_ISINTEGER(type);
    if (whole || (!wanted_whole && (PyTypeNum_ISFLOAT(descr->type_num) || PyTypeNum_ISBOOL(descr->type_num)))) return 0;
    // An empty list becomes float64; it holds no number that could be cut.
    if (wanted_whole && PyArray_SIZE(array) == 0) return 0;

    PyErr_Format(PyExc_TypeError, "%s holds %R, expected %s", name, descr, wanted_whole ? "integers" : "real numbers");
    return -1;
}

// By hand: NumPy's own minimum and maximum forget their exception when memory runs out.
static int check_int32(PyArrayObject *array, const char *name)
{
    int given = PyArray_TYPE(array);
    if (PyArray_ITEMSIZE(array) < 4 || given == NPY_INT32 || PyArray_SIZE(array) == 0) return 0;

    // Unsigned numbers beyond 63 bits come out negative, so they are told apart by their type.
    PyArray_Descr *wide = PyArray_DescrFromType(PyTypeNum_ISUNSIGNED(given) ? NPY_UINT64 : NPY_INT64);
    PyArrayObject *numbers = (PyArrayObject *)PyArray_FromArray(array, wide, NPY_ARRAY_CARRAY_RO);
    if (!numbers) return -1;
    const int64_t *n = PyArray_DATA(numbers);
    bool fits = true;
    for (npy_intp i = 0; i < PyArray_SIZE(numbers) && fits; ++i) {
        fits = n[i] <= INT32_MAX && n[i] >= (PyTypeNum_ISUNSIGNED(given) ? 0 : INT32_MIN);
    }
    Py_DECREF(numbers);
    if (!fits) PyErr_Format(PyExc_ValueError, "%s holds integers beyond 32 bits", name);
    return fits ? 0 : -1;
}

// Doubles as floats. By hand: NumPy only warns of numbers that don't fit.
static PyArrayObject *narrow(PyArrayObject *given, const char *name)
{
    int flags = NPY_ARRAY_CARRAY_RO | NPY_ARRAY_ENSUREARRAY;
    PyArrayObject *doubles = (PyArrayObject *)PyArray_FromArray(given, PyArray_DescrFromType(NPY_DOUBLE), flags);
    if (!doubles) return NULL;
    PyArrayObject *floats = (PyArrayObject *)PyArray_SimpleNew(PyArray_NDIM(given), PyArray_DIMS(given), NPY_FLOAT);
    npy_intp count = PyArray_SIZE(doubles), beyond = 0;
    if (floats) {
        const double *from = PyArray_DATA(doubles);
        float *to = PyArray_DATA(floats);
        for (npy_intp i = 0; i < count; ++i) {
            to[i] = (float)from[i];
            beyond += isinf(to[i]) && !isinf(from[i]);
        }
    }
    Py_DECREF(doubles);
    if (beyond) {
        PyErr_Format(PyExc_ValueError, "%s has %zd numbers beyond the range of float32, about 3.4e38", name, (Py_ssize_t)beyond);
        Py_CLEAR(floats);
    }
    return floats;
}

PyArrayObject *to_array(PyObject *value, int type, const char *name, int rank, const npy_intp *shape, bool batch)
{
    PyArrayObject *given = (PyArrayObject *)PyArray_FROM_O(value);
    if (!given) {
        // Ragged lists: NumPy's message doesn't know which argument it was.
        if (PyErr_ExceptionMatches(PyExc_ValueError) && (PyList_Check(value) || PyTuple_Check(value))) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "%s is not a regular array: its parts differ in length", name);
        }
        return NULL;
    }
    PyArrayObject *array = NULL;
    bool fits = check_kind(given, type, name) == 0 && check_shape(given, name, rank, shape, batch) == 0 &&
                (type != NPY_INT32 || check_int32(given, name) == 0);
    if (fits && type == NPY_FLOAT && PyArray_TYPE(given) == NPY_DOUBLE) {
        array = narrow(given, name);
    } else if (fits) {
        // Indices are copied before they are checked: other threads may write into the caller's array while the core runs.
        int copy = PyTypeNum_ISINTEGER(type) ? NPY_ARRAY_ENSURECOPY : 0;
        int flags = NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY | copy;
        array = (PyArrayObject *)PyArray_FromArray(given, PyArray_DescrFromType(type), flags);
    }
    // The caller may change shape and dtype of an array in place, but not those of a view of our own.
    if (array == given) Py_SETREF(array, (PyArrayObject *)PyArray_View(given, NULL, &PyArray_Type));
    Py_DECREF(given);
    return array;
}

PyArrayObject *to_out(PyObject *value, int type, const char *name, int rank, const npy_intp *shape)
{
    if (!value || value == Py_None) return (PyArrayObject *)PyArray_SimpleNew(rank, shape, type);
    if (!PyArray_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a NumPy array", name, Py_TYPE(value)->tp_name);
        return NULL;
    }
    PyArrayObject *array = (PyArrayObject *)value;
    if (check_shape(array, name, rank, shape, false) < 0) return NULL;
    if (PyArray_TYPE(array) != type || !PyArray_ISCARRAY(array)) {
        PyArray_Descr *expected = PyArray_DescrFromType(type);
        PyErr_Format(PyExc_ValueError, "%s must be a writeable C-contiguous array of %R (it holds %R)", name, expected,
                     PyArray_DESCR(array));
        Py_XDECREF(expected);
        return NULL;
    }
    return (PyArrayObject *)Py_NewRef(value);
}

// Only for C-contiguous arrays, which fill one span of memory.
static bool overlap(PyArrayObject *a, PyArrayObject *b)
{
    const char *first = PyArray_BYTES(a), *second = PyArray_BYTES(b);
    return first < second + PyArray_NBYTES(b) && second < first + PyArray_NBYTES(a);
}

int check_apart(PyArrayObject *a, PyArrayObject *b, const char *name)
{
    if (!overlap(a, b)) return 0;
    PyErr_Format(PyExc_ValueError, "%s: the arrays share memory, expected separate ones", name);
    return -1;
}

int keep_apart(PyArrayObject **input, PyArrayObject *out)
{
    if (!overlap(*input, out)) return 0;
    PyArrayObject *copy = (PyArrayObject *)PyArray_NewCopy(*input, NPY_CORDER);
    if (!copy) return -1;
    Py_SETREF(*input, copy);
    return 0;
}

int check_finite(PyArrayObject *array, const char *name)
{
    npy_intp count = PyArray_SIZE(array);
    npy_intp at = 0;
    if (PyArray_TYPE(array) == NPY_FLOAT) {
        const float *numbers = PyArray_DATA(array);
        while (at < count && isfinite(numbers[at])) ++at;
    } else {
        const double *numbers = PyArray_DATA(array);
        while (at < count && isfinite(numbers[at])) ++at;
    }
    if (at == count) return 0;

    char place[SHAPE_TEXT] = "";
    size_t used = 0;
    npy_intp rest = at, block = count;
    for (int i = 0; i < PyArray_NDIM(array) && used < SHAPE_TEXT - 32; ++i) {
        block /= PyArray_DIM(array, i);
        used += (size_t)PyOS_snprintf(place + used, SHAPE_TEXT - used, i ? ", %zd" : "%zd", (Py_ssize_t)(rest / block));
        rest %= block;
    }
    double number =
        PyArray_TYPE(array) == NPY_FLOAT ? (double)((const float *)PyArray_DATA(array))[at] : ((const double *)PyArray_DATA(array))[at];
    const char *what = isnan(number) ? "NaN" : "infinite";
    if (PyArray_NDIM(array) == 0) {
        PyErr_Format(PyExc_ValueError, "%s is %s, expected a finite number", name, what);
    } else {
        PyErr_Format(PyExc_ValueError, "%s[%s] is %s, expected finite numbers", name, place, what);
    }
    return -1;
}

PyArrayObject *to_numbers(PyObject *value, int type, const char *name, int rank, const npy_intp *shape, bool batch)
{
    PyArrayObject *numbers = to_array(value, type, name, rank, shape, batch);
    if (numbers && check_finite(numbers, name) < 0) Py_CLEAR(numbers);
    return numbers;
}

PyObject *view_of(PyObject *owner, int type, int rank, const npy_intp *shape, const npy_intp *strides, const void *data)
{
    PyObject *view = PyArray_New(&PyArray_Type, rank, shape, type, strides, (void *)(uintptr_t)data, 0, NPY_ARRAY_ALIGNED, NULL);
    if (!view) return NULL;
    if (PyArray_SetBaseObject((PyArrayObject *)view, Py_NewRef(owner)) < 0) {
        Py_DECREF(view);
        return NULL;
    }
    PyArray_UpdateFlags((PyArrayObject *)view, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS);
    return view;
}

static bool is_real_0d(PyObject *value)
{
    if (!PyArray_Check(value) || PyArray_NDIM((PyArrayObject *)value) != 0) return false;
    int type = PyArray_TYPE((PyArrayObject *)value);
    return PyTypeNum_ISINTEGER(type) || PyTypeNum_ISFLOAT(type) || PyTypeNum_ISBOOL(type);
}

int to_double(PyObject *value, const char *name, double *out)
{
    // float() takes texts, arrays of one number and, with no more than a warning, complex scalars.
    bool number_alone = PyFloat_Check(value) || (PyNumber_Check(value) && !PyUnicode_Check(value) && !PyComplex_Check(value) &&
                                                 !PyArray_IsScalar(value, ComplexFloating) && !PyArray_Check(value));
    if (!number_alone && !is_real_0d(value)) {
        PyErr_Format(PyExc_TypeError, "%s is %R, expected a number", name, value);
        return -1;
    }
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is too large for a 64-bit float", name);
        return -1;
    }
    if (!isfinite(number)) {
        PyErr_Format(PyExc_ValueError, "%s is %R, expected a finite number", name, value);
        return -1;
    }
    *out = number;
    return 0;
}

int to_positive(PyObject *value, const char *name, double *out)
{
    if (to_double(value, name, out) < 0) return -1;
    if (*out > 0) return 0;
    PyErr_Format(PyExc_ValueError, "%s is %R, expected a number above 0", name, value);
    return -1;
}

// Clipped to what fits. True and False are not meant as numbers; what __index__ raises is passed on.
static int to_integer(PyObject *value, const char *name, Py_ssize_t *out)
{
    bool fits = PyIndex_Check(value) && !PyBool_Check(value);
    *out = fits ? PyNumber_AsSsize_t(value, NULL) : -1;
    if (fits && !(*out == -1 && PyErr_Occurred())) return 0;
    if (!fits || PyErr_ExceptionMatches(PyExc_TypeError)) { // arrays have an __index__ that most of them refuse
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s is %R, expected an integer", name, value);
    }
    return -1;
}

int to_size(PyObject *value, const char *name, size_t *out)
{
    Py_ssize_t number;
    if (to_integer(value, name, &number) < 0) return -1;
    if (number < 0) {
        PyErr_Format(PyExc_ValueError, "%s is %S, expected 0 or more", name, value);
        return -1;
    }
    *out = (size_t)number;
    return 0;
}

int to_workers(PyObject *value, const char *function, int *out)
{
    *out = 1;
    if (!value) return 0;
    char name[64];
    PyOS_snprintf(name, sizeof name, "%s: workers", function);
    Py_ssize_t number;
    if (to_integer(value, name, &number) < 0) return -1;
    if (number == 0 || number < -1) {
        PyErr_Format(PyExc_ValueError, "%s is %S, expected 1 or more, or -1 for all cores", name, value);
        return -1;
    }
    *out = number > 4096 ? 4096 : (int)number;
    return 0;
}

int to_bool(PyObject *value, const char *name, bool *out)
{
    if (!PyBool_Check(value) && !PyArray_IsScalar(value, Bool)) {
        PyErr_Format(PyExc_TypeError, "%s is %R, expected True or False", name, value);
        return -1;
    }
    int truth = PyObject_IsTrue(value);
    if (truth < 0) return -1;
    *out = truth != 0;
    return 0;
}

int to_choice(PyObject *value, const char *name, const char *const *choices, int *out)
{
    if (PyUnicode_Check(value)) {
        for (int i = 0; choices[i]; ++i) {
            if (PyUnicode_CompareWithASCIIString(value, choices[i]) == 0) {
                *out = i;
                return 0;
            }
        }
    }
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; choices[i] && used < sizeof list - 40; ++i) {
        used += (size_t)PyOS_snprintf(list + used, sizeof list - used, "%s'%.30s'", i ? ", " : "", choices[i]);
    }
    PyErr_Format(PyUnicode_Check(value) ? PyExc_ValueError : PyExc_TypeError, "%s is %R, expected one of %s", name, value, list);
    return -1;
}

static const char *const axes[] = {"+x", "-x", "+y", "-y", "+z", "-z", "x", "y", "z", NULL}; // ct_axis, then those without a sign

int to_axis(PyObject *value, const char *name, ct_axis *out)
{
    PyObject *small = PyUnicode_Check(value) ? PyObject_CallMethod(value, "lower", NULL) : Py_NewRef(value);
    int choice = 0, result = small ? to_choice(small, name, axes, &choice) : -1;
    Py_XDECREF(small);
    if (result == 0) *out = choice < CT_AXIS_COUNT ? (ct_axis)choice : ct_axis_of(choice - CT_AXIS_COUNT);
    return result;
}

const char *axis_name(ct_axis axis) { return axis < CT_AXIS_COUNT ? axes[axis] : ""; }

PyObject *to_tuple(PyObject *value, const char *name, const char *expected)
{
    PyObject *tuple = PyUnicode_Check(value) || PyBytes_Check(value) ? NULL : PySequence_Tuple(value);
    if (tuple) return tuple;
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s is %.100s, expected %s", name, Py_TYPE(value)->tp_name, expected);
    }
    return NULL;
}

PyObject *text_of(const char *text) { return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape"); }

bool put(PyObject *dict, const char *key, PyObject *value)
{
    bool done = value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return done;
}

#include "arguments.h"

static int parameter_count(const signature *s)
{
    int count = 0;
    while (s->names[count]) ++count;
    return count;
}

static const char *bare(const char *name) { return name[0] == '/' ? name + 1 : name; }

static int take_positional(const signature *s, PyObject *const *args, Py_ssize_t count, PyObject **values)
{
    if (count > s->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s, %zd were given; options are given by name", s->function,
                     s->positional, s->positional == 1 ? "" : "s", count);
        return -1;
    }
    for (int i = 0; i < parameter_count(s); ++i) values[i] = i < count ? args[i] : NULL;
    return 0;
}

static int refuse_keyword(const signature *s, PyObject *name)
{
    PyObject *known = PyUnicode_FromString("");
    for (int i = 0; known && s->names[i]; ++i) {
        if (s->names[i][0] == '/') continue;
        PyObject *longer = PyUnicode_FromFormat(PyUnicode_GET_LENGTH(known) ? "%U, %s" : "%U%s", known, s->names[i]);
        Py_SETREF(known, longer);
    }
    if (known) PyErr_Format(PyExc_TypeError, "%s() has no argument %R; it has %U", s->function, name, known);
    Py_XDECREF(known);
    return -1;
}

static int take_keyword(const signature *s, PyObject *name, PyObject *value, PyObject **values)
{
    for (int i = 0; s->names[i]; ++i) {
        if (PyUnicode_CompareWithASCIIString(name, s->names[i]) != 0) continue;
        if (values[i]) {
            PyErr_Format(PyExc_TypeError, "%s() got %U twice", s->function, name);
            return -1;
        }
        values[i] = value;
        return 0;
    }
    return refuse_keyword(s, name);
}

static int check_required(const signature *s, PyObject *const *values)
{
    for (int i = 0; i < s->required; ++i) {
        if (values[i]) continue;
        PyErr_Format(PyExc_TypeError, "%s() needs %s", s->function, bare(s->names[i]));
        return -1;
    }
    return 0;
}

int parse(const signature *s, PyObject *const *args, Py_ssize_t count, PyObject *keyword_names, PyObject **values)
{
    if (take_positional(s, args, count, values) < 0) return -1;
    Py_ssize_t keyword_count = keyword_names ? PyTuple_GET_SIZE(keyword_names) : 0;
    for (Py_ssize_t i = 0; i < keyword_count; ++i) {
        if (take_keyword(s, PyTuple_GET_ITEM(keyword_names, i), args[count + i], values) < 0) return -1;
    }
    return check_required(s, values);
}

int parse_new(const signature *s, PyObject *args, PyObject *keywords, PyObject **values)
{
    PyObject *const *positional = PyTuple_GET_SIZE(args) ? &PyTuple_GET_ITEM(args, 0) : NULL;
    if (take_positional(s, positional, PyTuple_GET_SIZE(args), values) < 0) return -1;
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (keywords && PyDict_Next(keywords, &position, &name, &value)) {
        if (take_keyword(s, name, value, values) < 0) return -1;
    }
    return check_required(s, values);
}

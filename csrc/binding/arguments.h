// arguments.h: one parser for the arguments of every method.
//
// A signature is a constant table. `values` gets one borrowed reference a parameter, NULL where an optional one was left out.
//
//   static const signature sample = {"Clip.sample", 1, 1, {"t", "interpolation", "wrap", "velocity", NULL}};
//   PyObject *v[4];
//   if (parse(&sample, args, count, names, v) < 0) return NULL;
#ifndef CANTER_ARGUMENTS_H
#define CANTER_ARGUMENTS_H

#include "binding.h"

enum { MAX_PARAMETERS = 12 };

typedef struct signature {
    const char *function;
    int positional;                        // the first so many may be given by position
    int required;                          // the first so many must be given
    const char *names[MAX_PARAMETERS + 1]; // NULL after the last; a name with '/' in front can't be given by keyword
} signature;

// A table's entry for `function`, which calls parse; its docstring is function_doc. And its declaration, where the table is elsewhere.
#define KEYWORD_METHOD(name, function)                                                                                                     \
    {                                                                                                                                      \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, function##_doc                                         \
    }
#define KEYWORD_FUNCTION(function)                                                                                                         \
    PyObject *function(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names);                                            \
    extern const char function##_doc[]

// For METH_FASTCALL | METH_KEYWORDS.
int parse(const signature *s, PyObject *const *args, Py_ssize_t count, PyObject *keyword_names, PyObject **values);

// For tp_new: a tuple and a dict (or NULL).
int parse_new(const signature *s, PyObject *args, PyObject *keywords, PyObject **values);

#endif

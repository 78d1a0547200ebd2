// html.h: what a notebook shows of an object, made by the Python module canter.html when it is first asked for.
#ifndef CANTER_HTML_H
#define CANTER_HTML_H

#include "binding.h"

PyObject *html_of(PyObject *object, PyObject *unused);

// For the methods of a type.
#define HTML_METHOD                                                                                                                        \
    {                                                                                                                                      \
        "_repr_html_", html_of, METH_NOARGS, NULL                                                                                          \
    }

#endif

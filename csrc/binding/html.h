// html.h: what a notebook shows of an object, made by the Python module canter.html when it is first asked for.
#ifndef CANTER_HTML_H
#define CANTER_HTML_H

#include "binding.h"

// For METH_NOARGS, as _repr_html_.
PyObject *skeleton_html(PyObject *skeleton, PyObject *unused);
PyObject *clip_html(PyObject *clip, PyObject *unused);

#endif

// html.h: what a notebook shows of an object, made by Python modules (canter.html, canter.player) that are imported when first asked for.
#ifndef CANTER_HTML_H
#define CANTER_HTML_H

#include "binding.h"

// For METH_NOARGS, as _repr_html_.
PyObject *skeleton_html(PyObject *skeleton, PyObject *unused);
PyObject *clip_html(PyObject *clip, PyObject *unused);

// For METH_VARARGS | METH_KEYWORDS: Clip.view.
PyObject *clip_view(PyObject *clip, PyObject *others, PyObject *options);
extern const char clip_view_doc[];

#endif

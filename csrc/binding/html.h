// html.h: what a notebook shows of an object, made by Python modules (canter.html, canter.player) that are imported when first asked for.
#ifndef CANTER_HTML_H
#define CANTER_HTML_H

#include "binding.h"

PyObject *html_of(PyObject *object, PyObject *unused);

// For the methods of a type.
#define HTML_METHOD                                                                                                                        \
    {                                                                                                                                      \
        "_repr_html_", html_of, METH_NOARGS, NULL                                                                                          \
    }

// For METH_VARARGS | METH_KEYWORDS: Clip.view.
PyObject *clip_view(PyObject *clip, PyObject *others, PyObject *options);
extern const char clip_view_doc[];

#endif

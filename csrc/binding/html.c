#include "html.h"

static PyObject *html_of(PyObject *object, const char *function)
{
    PyObject *module = PyImport_ImportModule("canter.html");
    PyObject *text = module ? PyObject_CallMethod(module, function, "O", object) : NULL;
    Py_XDECREF(module);
    return text;
}

PyObject *skeleton_html(PyObject *skeleton, PyObject *unused)
{
    (void)unused;
    return html_of(skeleton, "of_skeleton");
}

PyObject *clip_html(PyObject *clip, PyObject *unused)
{
    (void)unused;
    return html_of(clip, "of_clip");
}

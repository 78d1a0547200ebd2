#include "html.h"

PyObject *html_of(PyObject *object, PyObject *unused)
{
    (void)unused;
    PyObject *module = PyImport_ImportModule("canter.html");
    PyObject *text = module ? PyObject_CallMethod(module, "card", "O", object) : NULL;
    Py_XDECREF(module);
    return text;
}

// module.c: canter._core, the types and functions of the core for Python.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "kernels.h"

static int exec_module(PyObject *module) { return PyModule_AddStringConstant(module, "_level", ct_kernels_best()->level); }

static PyModuleDef_Slot slots[] = {{Py_mod_exec, exec_module}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "canter._core",
    .m_doc = "The compiled part of canter.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }

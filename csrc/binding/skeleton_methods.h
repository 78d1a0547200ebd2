// skeleton_methods.h: the methods of canter.Skeleton, and their docstrings.
#ifndef CANTER_SKELETON_METHODS_H
#define CANTER_SKELETON_METHODS_H

#include "binding.h"

#define METHOD(name)                                                                                                                       \
    PyObject *skeleton_##name(PyObject *op, PyTypeObject *type, PyObject *const *args, Py_ssize_t count, PyObject *names);                 \
    extern const char skeleton_##name##_doc[]

// The methods above are METH_METHOD, which hands them the type and so the module's state.
enum { METHOD_FLAGS = METH_METHOD | METH_FASTCALL | METH_KEYWORDS };

// skeleton_lookup.c: which joints
METHOD(index);
METHOD(chain);
METHOD(branch);
METHOD(children);
METHOD(mask);

// skeleton_kinematics.c: where they are
METHOD(forward_kinematics);
METHOD(matrices);
METHOD(palette);
METHOD(tip_positions);

// mirror_methods.c
METHOD(mirror_map);

#undef METHOD

#endif

// clip_methods.h: the methods of canter.Clip that live outside clip_type.c, for its table.
#ifndef CANTER_CLIP_METHODS_H
#define CANTER_CLIP_METHODS_H

#include "binding.h"

// An entry for `function`, which takes keywords; its docstring is function_doc.
#define KEYWORD_METHOD(name, function)                                                                                                     \
    {                                                                                                                                      \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, function##_doc                                         \
    }
#define KEYWORD_FUNCTION(function)                                                                                                         \
    PyObject *function(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names);                                            \
    extern const char function##_doc[]

KEYWORD_FUNCTION(clip_sample);
KEYWORD_FUNCTION(clip_velocities);
KEYWORD_FUNCTION(clip_resample);
KEYWORD_FUNCTION(clip_global_positions);
KEYWORD_FUNCTION(clip_global_rotations);
#define CLIP_SAMPLING_METHODS                                                                                                              \
    KEYWORD_METHOD("sample", clip_sample), KEYWORD_METHOD("velocities", clip_velocities), KEYWORD_METHOD("resample", clip_resample),       \
        KEYWORD_METHOD("global_positions", clip_global_positions), KEYWORD_METHOD("global_rotations", clip_global_rotations)

KEYWORD_FUNCTION(clip_mirror);
#define CLIP_EDIT_METHODS KEYWORD_METHOD("mirror", clip_mirror)

#endif

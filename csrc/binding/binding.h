// binding.h: what the files of the binding share.
//
// The binding knows the core, never the reverse. Everything a type or function needs from the module hangs on its state; nothing is
// a static PyObject.
#ifndef CANTER_BINDING_H
#define CANTER_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define PY_ARRAY_UNIQUE_SYMBOL canter_array_api
#define PY_UFUNC_UNIQUE_SYMBOL canter_ufunc_api
#ifndef CANTER_IMPORTS_NUMPY // defined by module.c alone
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include "memory.h"
#include "simd.h"
#include "status.h"

typedef struct module_state {
    PyTypeObject *skeleton_type;
    PyTypeObject *pose_type;
    PyTypeObject *pose_velocity_type;
    PyTypeObject *pose_delta_type;
    PyTypeObject *clip_type;
    PyTypeObject *additive_clip_type;
    PyTypeObject *root_motion_type;
    PyTypeObject *root_delta_type;
    PyTypeObject *frame_type;
    PyTypeObject *source_type;
    PyTypeObject *clip_player_type;
    PyTypeObject *param_type;
    PyTypeObject *blend_space_1d_type;
    PyTypeObject *blend_space_2d_type;
    PyTypeObject *layer_type;
    PyTypeObject *layer_stack_type;
    PyTypeObject *blend_player_type;
    PyTypeObject *blend_cycle_type;
    PyObject *warning; // canter.CanterWarning
} module_state;

extern struct PyModuleDef canter_module;

// The state of the module that defined `type` or a base of it.
module_state *state_of(PyTypeObject *type);

// Each adds its types or functions to the module; -1 with an exception on failure.
int add_ufuncs(PyObject *module);
int add_pose_types(PyObject *module);
int add_skeleton_type(PyObject *module);
int add_clip_type(PyObject *module);
int add_additive_clip_type(PyObject *module);
int add_additive_functions(PyObject *module);
int add_root_motion_type(PyObject *module);
int add_frame_types(PyObject *module);
int add_pose_source_type(PyObject *module);
int add_clip_player_type(PyObject *module);
int add_param_type(PyObject *module);
int add_record_function(PyObject *module);
int add_blend_space_types(PyObject *module);
int add_layer_type(PyObject *module);
int add_layer_stack_type(PyObject *module);
int add_blend_player_types(PyObject *module);
int add_bvh_functions(PyObject *module);
int add_blend_functions(PyObject *module);
int add_check_functions(PyObject *module);
int add_skin_functions(PyObject *module);
int add_metric_functions(PyObject *module);

// Makes a heap type from `spec`, keeps it in *slot and adds it to the module.
int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **slot);

// PyMem_RawMalloc and PyMem_RawFree: tracemalloc sees them and they need no GIL.
ct_allocator python_allocator(void);

// Raises what `error` says (MemoryError, IndexError, ValueError, KeyboardInterrupt already set) with `where` and ": " in front, unless
// where is NULL. Returns NULL.
PyObject *raise_error(const ct_error *error, const char *where);

// One CanterWarning at the Python caller's line; -1 when the filters made an exception of it.
int warn(module_state *state, const char *format, ...);

// The boilerplate of a type that owns things. OWNED(DO) applies DO to each PyObject field that keeps something alive; RELEASE is a
// statement that gives back core memory.
#define OWNER_TYPE(object, OWNED, RELEASE)                                                                                                 \
    static int object##_traverse(PyObject *op, visitproc visit, void *arg)                                                                 \
    {                                                                                                                                      \
        object *self = (object *)op;                                                                                                       \
        (void)self;                                                                                                                        \
        Py_VISIT(Py_TYPE(op));                                                                                                             \
        OWNED(Py_VISIT)                                                                                                                    \
        return 0;                                                                                                                          \
    }                                                                                                                                      \
    static void object##_dealloc(PyObject *op)                                                                                             \
    {                                                                                                                                      \
        object *self = (object *)op;                                                                                                       \
        PyTypeObject *type = Py_TYPE(op);                                                                                                  \
        PyObject_GC_UnTrack(op);                                                                                                           \
        RELEASE;                                                                                                                           \
        OWNED(Py_CLEAR)                                                                                                                    \
        type->tp_free(op);                                                                                                                 \
        Py_DECREF(type);                                                                                                                   \
    }

#endif

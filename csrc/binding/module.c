// module.c: canter._core, the types and functions of the core for Python.
#define CANTER_IMPORTS_NUMPY
#include "binding.h"

#include <stdarg.h>

module_state *state_of(PyTypeObject *type)
{
    PyObject *module = PyType_GetModuleByDef(type, &canter_module);
    return module ? PyModule_GetState(module) : NULL;
}

int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **slot)
{
    *slot = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *slot ? PyModule_AddType(module, *slot) : -1;
}

static void *raw_allocate(void *context, size_t bytes)
{
    (void)context;
    return PyMem_RawMalloc(bytes);
}

static void raw_release(void *context, void *block)
{
    (void)context;
    PyMem_RawFree(block);
}

ct_allocator python_allocator(void) { return (ct_allocator){raw_allocate, raw_release, NULL}; }

PyObject *raise_error(const ct_error *error, const char *where)
{
    PyObject *type = PyExc_ValueError;
    switch (error->code) {
    case CT_INTERRUPTED: return NULL; // the signal's own exception is set
    case CT_OUT_OF_MEMORY: type = PyExc_MemoryError; break;
    case CT_BAD_INDEX: type = PyExc_IndexError; break;
    default: break;
    }
    return where ? PyErr_Format(type, "%s: %s", where, error->message) : PyErr_Format(type, "%s", error->message);
}

int warn(module_state *state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PyObject *text = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    if (!text) return -1;
    int result = PyErr_WarnFormat(state->warning, 1, "%U", text);
    Py_DECREF(text);
    return result;
}

static PyObject *simd_level(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return PyUnicode_FromString(active_kernels()->level);
}

static PyMethodDef functions[] = {
    {"simd_level", simd_level, METH_NOARGS,
     "simd_level($module, /)\n--\n\n"
     "The SIMD level in use: 'baseline', 'avx2' or 'avx512'.\n\n"
     "The best that the machine has, unless the environment variable CANTER_SIMD named another when canter was imported."},
    {NULL, NULL, 0, NULL},
};

static int add_warning(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    state->warning = PyErr_NewExceptionWithDoc("canter.CanterWarning", "Something odd in the input, and what was done about it.",
                                               PyExc_UserWarning, NULL);
    return state->warning ? PyModule_AddObjectRef(module, "CanterWarning", state->warning) : -1;
}

// In this order: some need the types of others.
static int (*const parts[])(PyObject *) = {
    add_check_functions,  add_warning,         add_ufuncs,           add_pose_types,         add_skeleton_type,      add_clip_type,
    add_root_motion_type, add_skin_functions,  add_bvh_functions,    add_frame_types,        add_param_type,         add_pose_source_type,
    add_clip_player_type, add_record_function, add_metric_functions, add_additive_clip_type, add_additive_functions, add_blend_space_types,
    add_blend_functions,  add_layer_type,      add_layer_stack_type, add_blend_player_types,
};

static int exec_module(PyObject *module)
{
    if (PyArray_ImportNumPyAPI() < 0 || PyUFunc_ImportUFuncAPI() < 0) return -1;
    if (choose_kernels() < 0) return -1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (parts[i](module) < 0) return -1;
    }
    return 0;
}

static int traverse_module(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = PyModule_GetState(module);
    Py_VISIT(state->skeleton_type);
    Py_VISIT(state->pose_type);
    Py_VISIT(state->pose_velocity_type);
    Py_VISIT(state->pose_delta_type);
    Py_VISIT(state->clip_type);
    Py_VISIT(state->additive_clip_type);
    Py_VISIT(state->root_motion_type);
    Py_VISIT(state->root_delta_type);
    Py_VISIT(state->frame_type);
    Py_VISIT(state->source_type);
    Py_VISIT(state->clip_player_type);
    Py_VISIT(state->param_type);
    Py_VISIT(state->blend_space_1d_type);
    Py_VISIT(state->blend_space_2d_type);
    Py_VISIT(state->layer_type);
    Py_VISIT(state->layer_stack_type);
    Py_VISIT(state->blend_player_type);
    Py_VISIT(state->blend_cycle_type);
    Py_VISIT(state->warning);
    return 0;
}

static int clear_module(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->skeleton_type);
    Py_CLEAR(state->pose_type);
    Py_CLEAR(state->pose_velocity_type);
    Py_CLEAR(state->pose_delta_type);
    Py_CLEAR(state->clip_type);
    Py_CLEAR(state->additive_clip_type);
    Py_CLEAR(state->root_motion_type);
    Py_CLEAR(state->root_delta_type);
    Py_CLEAR(state->frame_type);
    Py_CLEAR(state->source_type);
    Py_CLEAR(state->clip_player_type);
    Py_CLEAR(state->param_type);
    Py_CLEAR(state->blend_space_1d_type);
    Py_CLEAR(state->blend_space_2d_type);
    Py_CLEAR(state->layer_type);
    Py_CLEAR(state->layer_stack_type);
    Py_CLEAR(state->blend_player_type);
    Py_CLEAR(state->blend_cycle_type);
    Py_CLEAR(state->warning);
    return 0;
}

static void free_module(void *module) { clear_module(module); }

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, exec_module},
    {0, NULL},
};

struct PyModuleDef canter_module = {
    PyModuleDef_HEAD_INIT,          .m_name = "canter._core", .m_doc = "The compiled part of canter.",
    .m_size = sizeof(module_state), .m_methods = functions,   .m_slots = slots,
    .m_traverse = traverse_module,  .m_clear = clear_module,  .m_free = free_module,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&canter_module); }

// ufuncs.c: elementwise functions of the core as NumPy's generalised ufuncs.
//
// The quaternion functions make one read-only mapping, canter._core.quaternion_ufuncs, from names to ufuncs: those of
// CT_QUATERNION_OPERATIONS, from_euler_XYZ and to_euler_XYZ for each order, and along the second axis from the end unroll and
// continuous_euler_XYZ. canter._core.ik_two_bone is ct_ik_two_bone: root, target, upper, lower and pole to mid and tip. Each has a float32
// and a float64 loop.
#include "binding.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "euler.h"
#include "ik_two_bone.h"
#include "layout.h"

// What one ufunc computes. NumPy keeps pointers to these, so they never change.
typedef struct ufunc_call {
    const char *name, *signature;
    ct_quaternion_operation kernel; // in Euler calls the order knows it
    const ct_euler_order *order;    // NULL but for Euler calls
} ufunc_call;

enum { MOST_OPERANDS = 7, MOST_COMPONENTS = 9, BLOCK = 128 };

// An operand of a loop: bytes from one element to the next, and from the start of an element to each of its components.
typedef struct operand_layout {
    npy_intp step;
    int component_count;
    npy_intp components[MOST_COMPONENTS];
} operand_layout;

// Reads "(4),()->(3,3)". `steps` are those of a ufunc loop: one an operand, then one a core dimension. Returns the count of operands.
static int read_operands(const char *signature, const npy_intp *steps, operand_layout operands[MOST_OPERANDS], int *input_count)
{
    int count = 0;
    for (const char *c = signature; *c; ++c) count += *c == '(';
    const npy_intp *core = steps + count;

    operand_layout *o = operands;
    for (const char *c = signature; *c; ++c) {
        if (*c == '>') *input_count = (int)(o - operands);
        if (*c != '(') continue;
        *o = (operand_layout){.step = *steps++, .component_count = 1};
        for (++c; *c != ')'; ++c) {
            if (*c == ',') continue;
            // What was there so far, once for each index of this dimension.
            int size = *c - '0', inner = o->component_count;
            npy_intp before[MOST_COMPONENTS];
            memcpy(before, o->components, sizeof before);
            for (int i = 0; i < inner * size; ++i) o->components[i] = before[i / size] + i % size * *core;
            o->component_count = inner * size;
            ++core;
        }
        ++o;
    }
    return count;
}

#define REAL float
#define NAME(x) x##_f32
#define KERNELS active_kernels()->quaternion.f32
#define REAL_EPSILON 0x1p-23
#include "ufunc_loops.inc"
#undef REAL
#undef NAME
#undef KERNELS
#undef REAL_EPSILON

#define REAL double
#define NAME(x) x##_f64
#define KERNELS active_kernels()->quaternion.f64
#define REAL_EPSILON 0x1p-52
#include "ufunc_loops.inc"
#undef REAL
#undef NAME
#undef KERNELS
#undef REAL_EPSILON

// Every ufunc, as UFUNC(name, signature, loop, kernel, order).
#define QUATERNION(name, signature) UFUNC(name, signature, elementwise, CT_QUATERNION_##name, NULL)
#define EULER(index, order)                                                                                                                \
    UFUNC(from_euler_##order, "(3)->(4)", elementwise, 0, &ct_euler_orders[index])                                                         \
    UFUNC(to_euler_##order, "(4)->(3)", elementwise, 0, &ct_euler_orders[index])                                                           \
    UFUNC(continuous_euler_##order, "(n,3)->(n,3)", continuous_euler, 0, &ct_euler_orders[index])
#define UFUNCS                                                                                                                             \
    CT_QUATERNION_OPERATIONS(QUATERNION)                                                                                                   \
    UFUNC(unroll, "(n,4)->(n,4)", unroll, 0, NULL)                                                                                         \
    EULER(0, XYZ)                                                                                                                          \
    EULER(1, XZY)                                                                                                                          \
    EULER(2, YXZ)                                                                                                                          \
    EULER(3, YZX)                                                                                                                          \
    EULER(4, ZXY)                                                                                                                          \
    EULER(5, ZYX)                                                                                                                          \
    EULER(6, XYX)                                                                                                                          \
    EULER(7, XZX)                                                                                                                          \
    EULER(8, YXY)                                                                                                                          \
    EULER(9, YZY)                                                                                                                          \
    EULER(10, ZXZ)                                                                                                                         \
    EULER(11, ZYZ)

// NumPy wants a data pointer for each loop.
#define UFUNC(name, signature, loop, kernel, order)                                                                                        \
    static const ufunc_call call_##name = {#name, signature, kernel, order};                                                               \
    static void *const data_##name[2] = {(void *)&call_##name, (void *)&call_##name};
UFUNCS
#undef UFUNC

static PyUFuncGenericFunction const elementwise[2] = {elementwise_f32, elementwise_f64};
static PyUFuncGenericFunction const unroll[2] = {unroll_f32, unroll_f64};
static PyUFuncGenericFunction const continuous_euler[2] = {continuous_euler_f32, continuous_euler_f64};
static PyUFuncGenericFunction const ik_two_bone[2] = {ik_two_bone_f32, ik_two_bone_f64};

static const ufunc_call call_ik_two_bone = {"ik_two_bone", "(3),(3),(),(),(3)->(3),(3)", 0, NULL};
static void *const data_ik_two_bone[2] = {(void *)&call_ik_two_bone, (void *)&call_ik_two_bone};

#define UFUNC(name, signature, loop, kernel, order) {loop, data_##name},
static const struct {
    const PyUFuncGenericFunction *loops;
    void *const *data;
} ufuncs[] = {UFUNCS};
#undef UFUNC

// The types of n operands in both loops begin MOST_OPERANDS - n in: n floats, then n doubles.
static const char types[2 * MOST_OPERANDS] = {NPY_FLOAT,  NPY_FLOAT,  NPY_FLOAT,  NPY_FLOAT,  NPY_FLOAT,  NPY_FLOAT,  NPY_FLOAT,
                                              NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE, NPY_DOUBLE};

static PyObject *make_ufunc(const PyUFuncGenericFunction *loops, void *const *data)
{
    const ufunc_call *call = data[0];
    int inputs = 0, operands = 0;
    for (const char *c = call->signature; *c; ++c) {
        operands += *c == '(';
        if (*c == '>') inputs = operands;
    }
    return PyUFunc_FromFuncAndDataAndSignature((PyUFuncGenericFunction *)loops, (void **)data, types + MOST_OPERANDS - operands, 2, inputs,
                                               operands - inputs, PyUFunc_None, call->name, NULL, 0, call->signature);
}

static int add_ik_two_bone(PyObject *module)
{
    PyObject *ufunc = make_ufunc(ik_two_bone, data_ik_two_bone);
    int result = ufunc ? PyModule_AddObjectRef(module, "ik_two_bone", ufunc) : -1;
    Py_XDECREF(ufunc);
    return result;
}

int add_ufuncs(PyObject *module)
{
    PyObject *all = PyDict_New();
    if (!all) return -1;
    for (size_t i = 0; i < sizeof ufuncs / sizeof ufuncs[0]; ++i) {
        PyObject *ufunc = make_ufunc(ufuncs[i].loops, ufuncs[i].data);
        int failed = !ufunc || PyDict_SetItemString(all, ((const ufunc_call *)ufuncs[i].data[0])->name, ufunc) < 0;
        Py_XDECREF(ufunc);
        if (failed) {
            Py_DECREF(all);
            return -1;
        }
    }
    PyObject *proxy = PyDictProxy_New(all);
    Py_DECREF(all);
    if (!proxy) return -1;
    int result = PyModule_AddObjectRef(module, "quaternion_ufuncs", proxy);
    Py_DECREF(proxy);
    return result < 0 ? result : add_ik_two_bone(module);
}

#include "binding.h"

#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "core_call.h"
#include "skin.h"

enum { VERTICES, JOINTS, WEIGHTS, PALETTE, NORMALS, INPUT_COUNT };

// Everything a call reads and writes. `normals` and `moved_normals` are NULL without normals.
typedef struct mesh {
    PyArrayObject *inputs[INPUT_COUNT];
    PyArrayObject *moved, *moved_normals;
    ct_skin skin;
    size_t pose_count;
} mesh;

static void release_mesh(mesh *m)
{
    for (int i = 0; i < INPUT_COUNT; ++i) Py_XDECREF(m->inputs[i]);
    Py_XDECREF(m->moved);
    Py_XDECREF(m->moved_normals);
}

static int take_inputs(mesh *m, PyObject *const *values)
{
    npy_intp points[2] = {ANY, 3}, matrices[3] = {ANY, 4, 4};
    if (!(m->inputs[VERTICES] = to_array(values[VERTICES], NPY_FLOAT, "skin: vertices", 2, points, false))) return -1;
    points[0] = PyArray_DIM(m->inputs[VERTICES], 0);
    npy_intp influences[2] = {points[0], ANY};
    if (!(m->inputs[JOINTS] = to_array(values[JOINTS], NPY_INT32, "skin: joints", 2, influences, false))) return -1;
    influences[1] = PyArray_DIM(m->inputs[JOINTS], 1);
    if (!(m->inputs[WEIGHTS] = to_array(values[WEIGHTS], NPY_FLOAT, "skin: weights", 2, influences, false))) return -1;
    if (!(m->inputs[PALETTE] = to_array(values[PALETTE], NPY_FLOAT, "skin: palette", 3, matrices, true))) return -1;
    if (check_finite(m->inputs[VERTICES], "skin: vertices") < 0 || check_finite(m->inputs[PALETTE], "skin: palette") < 0) return -1;
    if (!values[NORMALS] || values[NORMALS] == Py_None) return 0;

    if (!(m->inputs[NORMALS] = to_array(values[NORMALS], NPY_FLOAT, "skin: normals", 2, points, false))) return -1;
    return check_finite(m->inputs[NORMALS], "skin: normals");
}

static int take_outs(mesh *m, PyObject *out)
{
    PyArrayObject *palette = m->inputs[PALETTE];
    PyObject *parts[2] = {out, NULL};
    if (m->inputs[NORMALS] && out && out != Py_None) {
        if (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != 2) {
            PyErr_SetString(PyExc_TypeError,
                            "skin: out is not a pair, expected (vertices, normals) as normals were given; each may be None");
            return -1;
        }
        parts[0] = PyTuple_GET_ITEM(out, 0);
        parts[1] = PyTuple_GET_ITEM(out, 1);
    }
    npy_intp shape[NPY_MAXDIMS];
    int batch = PyArray_NDIM(palette) - 3;
    memcpy(shape, PyArray_DIMS(palette), (size_t)batch * sizeof *shape);
    shape[batch] = PyArray_DIM(m->inputs[VERTICES], 0);
    shape[batch + 1] = 3;
    if (!(m->moved = to_out(parts[0], NPY_FLOAT, "skin: out vertices", batch + 2, shape))) return -1;
    if (!m->inputs[NORMALS]) return 0;
    if (!(m->moved_normals = to_out(parts[1], NPY_FLOAT, "skin: out normals", batch + 2, shape))) return -1;
    return check_apart(m->moved, m->moved_normals, "skin: out");
}

// A mesh may be moved in place.
static int keep_inputs_apart(mesh *m)
{
    for (int i = 0; i < INPUT_COUNT; ++i) {
        if (!m->inputs[i]) continue;
        if (keep_apart(&m->inputs[i], m->moved) < 0) return -1;
        if (m->moved_normals && keep_apart(&m->inputs[i], m->moved_normals) < 0) return -1;
    }
    return 0;
}

static int take_skin(mesh *m)
{
    PyArrayObject *palette = m->inputs[PALETTE];
    int batch = PyArray_NDIM(palette) - 3;
    m->pose_count = (size_t)PyArray_MultiplyList(PyArray_DIMS(palette), batch);
    m->skin = (ct_skin){
        .allocator = python_allocator(),
        .vertex_count = (size_t)PyArray_DIM(m->inputs[VERTICES], 0),
        .influence_count = (size_t)PyArray_DIM(m->inputs[JOINTS], 1),
        .joint_count = (size_t)PyArray_DIM(palette, batch),
        .vertices = PyArray_DATA(m->inputs[VERTICES]),
        .normals = m->inputs[NORMALS] ? PyArray_DATA(m->inputs[NORMALS]) : NULL,
        .joints = PyArray_DATA(m->inputs[JOINTS]),
        .weights = PyArray_DATA(m->inputs[WEIGHTS]),
    };
    ct_error error;
    if (ct_skin_check(&m->skin, &error) == CT_OK) return 0;
    raise_error(&error, "skin");
    return -1;
}

PyDoc_STRVAR(
    skin_doc,
    "skin($module, vertices, joints, weights, palette, *, normals=None, method='linear', workers=1, out=None)\n--\n\n"
    "Move a mesh with a skeleton.\n\n"
    "Parameters\n----------\n"
    "vertices : array_like, shape (V, 3)\n"
    "    In the rest pose.\n"
    "joints : array_like of int, shape (V, K)\n"
    "    The joints that each vertex follows.\n"
    "weights : array_like, shape (V, K)\n"
    "    How much, 0 or more. Divided by their sum; a vertex whose weights sum to 0 stays where it is.\n"
    "palette : array_like, shape (..., J, 4, 4)\n"
    "    From `Skeleton.palette`. The last row of a matrix is taken as 0 0 0 1.\n"
    "normals : array_like, shape (V, 3), optional\n"
    "    Moved by the inverse transpose, so they stay normal to the surface under any scale; they come out unit.\n"
    "method : {'linear', 'dual_quaternion'}, default 'linear'\n"
    "    'linear' mixes matrices: cheap, but a twisted joint thins like a wrung cloth. 'dual_quaternion' mixes rigid motions and\n"
    "    keeps the volume; scales are mixed by themselves and applied first.\n"
    "workers : int, default 1\n"
    "    Threads to use, -1 for all cores. The result has the same bits for any number.\n"
    "out : ndarray or (ndarray or None, ndarray or None), optional\n"
    "    C-contiguous float32 arrays for the results, a pair when `normals` are given. They may be the inputs themselves.\n\n"
    "Returns\n-------\n"
    "vertices : ndarray of float32, shape (..., V, 3)\n"
    "normals : ndarray of float32, shape (..., V, 3)\n"
    "    Only when `normals` are given; then the two come as a tuple.\n\n"
    "Raises\n------\n"
    "IndexError\n"
    "    A joint that the palette does not have.\n"
    "ValueError\n"
    "    A shape does not fit, a number is not finite, a weight is negative.\n\n"
    "Notes\n-----\n"
    "Linear: N. Magnenat-Thalmann, R. Laperriere, D. Thalmann, *Joint-dependent local deformations for hand animation and object\n"
    "grasping*, Graphics Interface (1988).\n\n"
    "Dual quaternions: L. Kavan, S. Collins, J. Zara, C. O'Sullivan, *Geometric skinning with approximate dual quaternion blending*,\n"
    "ACM Transactions on Graphics 27 (2008).\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> arm = ct.Skeleton([\"Arm\", \"Hand\"], [-1, 0], [(0, 0, 0), (1, 0, 0)])\n"
    ">>> half = 0.5 ** 0.5\n"
    ">>> palette = arm.palette(ct.Pose([(1, 0, 0, 0), (half, 0, 0, half)]))\n"
    ">>> ct.skin([(0.5, 0, 0), (2, 0, 0)], [(0,), (1,)], [(1,), (1,)], palette).round(3)\n"
    "array([[0.5, 0. , 0. ],\n"
    "       [1. , 1. , 0. ]], dtype=float32)");

static PyObject *skin(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    static const signature s = {"skin", 4, 4, {"vertices", "joints", "weights", "palette", "normals", "method", "workers", "out", NULL}};
    static const char *const methods[] = {"linear", "dual_quaternion", NULL};
    PyObject *values[8];
    int method = 0, workers;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (values[5] && to_choice(values[5], "skin: method", methods, &method) < 0) return NULL;
    if (to_workers(values[6], s.function, &workers) < 0) return NULL;

    mesh m = {0};
    PyObject *moved = NULL;
    if (take_inputs(&m, values) < 0 || take_outs(&m, values[7]) < 0 || keep_inputs_apart(&m) < 0 || take_skin(&m) < 0) goto done;

    core_call call;
    ct_error error;
    const ct_interrupt *interrupt = enter_core(&call, m.pose_count * m.skin.vertex_count);
    ct_status status = (method == 0 ? ct_skin_linear : ct_skin_dual_quaternion)(
        &m.skin, active_kernels(), m.pose_count, PyArray_DATA(m.inputs[PALETTE]), workers, interrupt, PyArray_DATA(m.moved),
        m.moved_normals ? PyArray_DATA(m.moved_normals) : NULL, &error);
    leave_core(&call);
    if (status != CT_OK)
        raise_error(&error, "skin");
    else
        moved = m.moved_normals ? PyTuple_Pack(2, m.moved, m.moved_normals) : Py_NewRef(m.moved);
done:
    release_mesh(&m);
    return moved;
}

static PyMethodDef skin_functions[] = {
    KEYWORD_METHOD("skin", skin),
    {NULL, NULL, 0, NULL},
};

int add_skin_functions(PyObject *module) { return PyModule_AddFunctions(module, skin_functions); }

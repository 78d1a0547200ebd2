#include "skeleton_methods.h"

#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "skeleton_type.h"

static PyObject *joint_array(const int32_t *joints, size_t count)
{
    const npy_intp length = (npy_intp)count;
    PyObject *array = PyArray_SimpleNew(1, &length, NPY_INT32);
    if (array) memcpy(PyArray_DATA((PyArrayObject *)array), joints, count * sizeof *joints);
    return array;
}

// Room for the index of every joint. Free with PyMem_Free.
static int32_t *room_for_joints(const ct_skeleton *core)
{
    int32_t *joints = PyMem_New(int32_t, core->joint_count);
    if (!joints) PyErr_NoMemory();
    return joints;
}

const char skeleton_index_doc[] = "index($self, name)\n--\n\n"
                                  "The index of a joint.\n\n"
                                  "Parameters\n----------\n"
                                  "name : str or int\n"
                                  "    A name, or an index, which is checked and given back.\n\n"
                                  "Returns\n-------\n"
                                  "int\n\n"
                                  "Raises\n------\n"
                                  "IndexError\n"
                                  "    No joint has the name (near names are listed), several have it (their indices are listed), or the\n"
                                  "    index is outside 0 to J - 1. Indices don't count from the end: -1 means no joint in `parents`.\n\n"
                                  "Examples\n--------\n"
                                  ">>> import canter as ct\n"
                                  ">>> leg = ct.Skeleton([\"Hips\", \"Knee\"], [-1, 0], [(0, 0.9, 0), (0, -0.4, 0)])\n"
                                  ">>> leg.index(\"Knee\")\n"
                                  "1";

PyObject *skeleton_index(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.index", 1, 1, {"name", NULL}};
    PyObject *values[1];
    size_t joint;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_joint((skeleton_object *)op, values[0], "Skeleton.index", "name", &joint) < 0) return NULL;
    return PyLong_FromSize_t(joint);
}

const char skeleton_chain_doc[] = "chain($self, root, tip)\n--\n\n"
                                  "The joints from one down to another below it.\n\n"
                                  "Parameters\n----------\n"
                                  "root, tip : str or int\n"
                                  "    The first and the last joint.\n\n"
                                  "Returns\n-------\n"
                                  "ndarray of int32\n"
                                  "    Both ends included, from the root down.\n\n"
                                  "Raises\n------\n"
                                  "ValueError\n"
                                  "    `root` is not above `tip`.\n"
                                  "IndexError\n"
                                  "    There is no such joint.";

PyObject *skeleton_chain(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.chain", 2, 2, {"root", "tip", NULL}};
    const skeleton_object *self = (skeleton_object *)op;
    PyObject *values[2];
    size_t root, tip, length;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_joint(self, values[0], "Skeleton.chain", "root", &root) < 0) return NULL;
    if (to_joint(self, values[1], "Skeleton.chain", "tip", &tip) < 0) return NULL;

    int32_t *joints = room_for_joints(self->core);
    if (!joints) return NULL;
    ct_error error;
    ct_status status = ct_skeleton_chain(self->core, root, tip, joints, &length, &error);
    PyObject *chain = status == CT_OK ? joint_array(joints, length) : raise_error(&error, "Skeleton.chain");
    PyMem_Free(joints);
    return chain;
}

const char skeleton_branch_doc[] = "branch($self, joint)\n--\n\n"
                                   "A joint and all below it.\n\n"
                                   "Parameters\n----------\n"
                                   "joint : str or int\n\n"
                                   "Returns\n-------\n"
                                   "ndarray of int32\n"
                                   "    Ascending; the joint itself is the first.\n\n"
                                   "Raises\n------\n"
                                   "IndexError\n"
                                   "    There is no such joint.";

PyObject *skeleton_branch(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.branch", 1, 1, {"joint", NULL}};
    const skeleton_object *self = (skeleton_object *)op;
    PyObject *values[1];
    size_t joint;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_joint(self, values[0], "Skeleton.branch", "joint", &joint) < 0) return NULL;

    int32_t *joints = room_for_joints(self->core);
    if (!joints) return NULL;
    PyObject *branch = joint_array(joints, ct_skeleton_branch(self->core, joint, joints));
    PyMem_Free(joints);
    return branch;
}

const char skeleton_children_doc[] = "children($self, joint)\n--\n\n"
                                     "The joints whose parent is this one.\n\n"
                                     "Parameters\n----------\n"
                                     "joint : str or int\n\n"
                                     "Returns\n-------\n"
                                     "ndarray of int32\n"
                                     "    Ascending, empty at the end of a limb. Tips are not joints.\n\n"
                                     "Raises\n------\n"
                                     "IndexError\n"
                                     "    There is no such joint.";

PyObject *skeleton_children(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.children", 1, 1, {"joint", NULL}};
    const skeleton_object *self = (skeleton_object *)op;
    PyObject *values[1];
    size_t joint;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_joint(self, values[0], "Skeleton.children", "joint", &joint) < 0) return NULL;

    int32_t *joints = room_for_joints(self->core);
    if (!joints) return NULL;
    size_t found = 0;
    for (size_t j = joint + 1; j < self->core->joint_count; ++j) {
        if (self->core->parents[j] == (int32_t)joint) joints[found++] = (int32_t)j;
    }
    PyObject *children = joint_array(joints, found);
    PyMem_Free(joints);
    return children;
}

const char skeleton_mask_doc[] =
    "mask($self, joint, *, depth=0, weight=1.0)\n--\n\n"
    "A weight for every joint: a joint and all below it, and no other.\n\n"
    "Parameters\n----------\n"
    "joint : str or int\n"
    "    Where the branch begins.\n"
    "depth : int, default 0\n"
    "    Over how many joints the weight rises: a joint d steps below the first weighs\n"
    "    ``weight * min(1, (d + 1) / depth)``. 0 or 1: full weight at once.\n"
    "weight : float, default 1.0\n"
    "    The full weight.\n\n"
    "Returns\n-------\n"
    "ndarray of float32, shape (J,)\n"
    "    The caller's to change.\n\n"
    "Raises\n------\n"
    "IndexError\n"
    "    There is no such joint.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> arm = ct.Skeleton([\"Chest\", \"Arm\", \"Hand\"], [-1, 0, 1], [(0, 1, 0), (0.2, 0, 0), (0.5, 0, 0)])\n"
    ">>> arm.mask(\"Arm\", depth=2)\n"
    "array([0. , 0.5, 1. ], dtype=float32)";

PyObject *skeleton_mask(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"Skeleton.mask", 1, 1, {"joint", "depth", "weight", NULL}};
    const skeleton_object *self = (skeleton_object *)op;
    PyObject *values[3];
    size_t joint, depth = 0;
    double weight = 1;
    if (parse(&s, args, count, names, values) < 0) return NULL;
    if (to_joint(self, values[0], "Skeleton.mask", "joint", &joint) < 0) return NULL;
    if (values[1] && to_size(values[1], "Skeleton.mask: depth", &depth) < 0) return NULL;
    if (values[2] && to_double(values[2], "Skeleton.mask: weight", &weight) < 0) return NULL;

    const npy_intp length = (npy_intp)self->core->joint_count;
    PyObject *mask = PyArray_SimpleNew(1, &length, NPY_FLOAT);
    if (mask) ct_skeleton_mask(self->core, joint, depth, (float)weight, PyArray_DATA((PyArrayObject *)mask));
    return mask;
}

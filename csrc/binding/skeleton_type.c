#include "skeleton_type.h"

#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "html.h"
#include "forward_kinematics.h"
#include "pose_type.h"
#include "skeleton_methods.h"

enum { WHERE_TEXT = 64 };

// The way back of text_of.
static PyObject *encode(PyObject *name) { return PyUnicode_AsEncodedString(name, "utf-8", "surrogateescape"); }

static PyObject *names_of(const ct_skeleton *core)
{
    PyObject *names = PyTuple_New((Py_ssize_t)core->joint_count);
    for (size_t j = 0; names && j < core->joint_count; ++j) {
        PyObject *name = text_of(core->names[j]);
        if (!name)
            Py_CLEAR(names);
        else
            PyTuple_SET_ITEM(names, (Py_ssize_t)j, name);
    }
    return names;
}

static PyArrayObject *inverse_bind_of(const ct_skeleton *core)
{
    const npy_intp shape[3] = {(npy_intp)core->joint_count, 4, 4};
    PyArrayObject *matrices = (PyArrayObject *)PyArray_SimpleNew(3, shape, NPY_FLOAT);
    if (!matrices) return NULL;
    ct_error error;
    if (ct_inverse_bind(core, active_kernels(), PyArray_DATA(matrices), &error) != CT_OK) {
        Py_DECREF(matrices);
        raise_error(&error, "Skeleton");
        return NULL;
    }
    return matrices;
}

skeleton_object *wrap_skeleton(module_state *state, ct_skeleton *core)
{
    skeleton_object *self = (skeleton_object *)state->skeleton_type->tp_alloc(state->skeleton_type, 0);
    if (!self) {
        ct_skeleton_destroy(core);
        return NULL;
    }
    self->core = core;
    if ((self->names = names_of(core)) && (self->inverse_bind = inverse_bind_of(core))) return self;
    Py_DECREF(self);
    return NULL;
}

skeleton_object *to_skeleton(module_state *state, PyObject *value, const char *where)
{
    if (PyObject_TypeCheck(value, state->skeleton_type)) return (skeleton_object *)value;
    PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.Skeleton", where, Py_TYPE(value)->tp_name);
    return NULL;
}

static int find_joint(const ct_skeleton *core, PyObject *name, const char *where, size_t *joint)
{
    // The text that a str keeps of itself is quick to get, but is not there for lone surrogates.
    Py_ssize_t length;
    PyObject *encoded = NULL;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
        PyErr_Clear();
        if (!(encoded = encode(name))) {
            if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
            PyErr_Clear();
            PyErr_Format(PyExc_IndexError, "%s: no joint %R", where, name);
            return -1;
        }
        text = PyBytes_AS_STRING(encoded);
        length = PyBytes_GET_SIZE(encoded);
    }
    ct_error error;
    ct_status status = ct_skeleton_find(core, text, (size_t)length, joint, &error);
    Py_XDECREF(encoded);
    if (status == CT_OK) return 0;
    raise_error(&error, where);
    return -1;
}

static int joint_of(const ct_skeleton *core, PyObject *value, const char *where, const char *name, size_t *joint)
{
    if (PyUnicode_Check(value)) return find_joint(core, value, where, joint);
    if (!PyIndex_Check(value) || PyBool_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s: %s is %R, expected the name or the index of a joint", where, name, value);
        return -1;
    }
    Py_ssize_t index = PyNumber_AsSsize_t(value, NULL); // clipped: out of range either way
    if (index == -1 && PyErr_Occurred()) return -1;
    if (index < 0 || (size_t)index >= core->joint_count) {
        PyErr_Format(PyExc_IndexError, "%s: %s is %S, expected 0 to %zu%s", where, name, value, core->joint_count - 1,
                     index < 0 ? "; indices don't count from the end, -1 means no joint" : "");
        return -1;
    }
    *joint = (size_t)index;
    return 0;
}

int to_joint(const skeleton_object *skeleton, PyObject *value, const char *where, const char *name, size_t *joint)
{
    return joint_of(skeleton->core, value, where, name, joint);
}

// ---- Skeleton(...) ----------------------------------------------------------------------------------------------------------------

// What Skeleton(...) was given, in the shape that the core takes. Everything is released by release_given.
typedef struct given {
    ct_skeleton_parts parts;
    PyObject *names; // tuple of bytes
    const char **name_pointers;
    size_t *name_lengths;
    PyArrayObject *parents, *offsets, *rotations;
    int32_t *tip_parents;
    float *tip_offsets;
} given;

static void release_given(given *g)
{
    Py_XDECREF(g->names);
    PyMem_Free(g->name_pointers);
    PyMem_Free(g->name_lengths);
    Py_XDECREF(g->parents);
    Py_XDECREF(g->offsets);
    Py_XDECREF(g->rotations);
    PyMem_Free(g->tip_parents);
    PyMem_Free(g->tip_offsets);
}

static int take_names(given *g, PyObject *value)
{
    PyObject *names = to_tuple(value, "Skeleton: names", "a sequence of str");
    if (!names) return -1;
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    g->parts.joint_count = (size_t)count;
    g->names = PyTuple_New(count);
    g->name_pointers = PyMem_New(const char *, (size_t)count);
    g->name_lengths = PyMem_New(size_t, (size_t)count);
    if (g->names && (!g->name_pointers || !g->name_lengths)) PyErr_NoMemory();
    for (Py_ssize_t j = 0; !PyErr_Occurred() && j < count; ++j) {
        PyObject *name = PyTuple_GET_ITEM(names, j);
        if (!PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError, "Skeleton: names[%zd] is %R, expected a str", j, name);
            break;
        }
        PyObject *text = encode(name);
        if (!text) {
            if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) break;
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "Skeleton: names[%zd] is %R, which has a lone surrogate and is no text", j, name);
            break;
        }
        PyTuple_SET_ITEM(g->names, j, text);
        g->name_pointers[j] = PyBytes_AS_STRING(text);
        g->name_lengths[j] = (size_t)PyBytes_GET_SIZE(text);
    }
    Py_DECREF(names);
    g->parts.names = g->name_pointers;
    g->parts.name_lengths = g->name_lengths;
    return PyErr_Occurred() ? -1 : 0;
}

static int take_joints(given *g, PyObject *parents, PyObject *offsets, PyObject *rotations)
{
    npy_intp shape[2] = {(npy_intp)g->parts.joint_count, 3};
    if (!(g->parents = to_array(parents, NPY_INT32, "Skeleton: parents", 1, shape, false))) return -1;
    if (!(g->offsets = to_array(offsets, NPY_FLOAT, "Skeleton: offsets", 2, shape, false))) return -1;
    g->parts.parents = PyArray_DATA(g->parents);
    g->parts.offsets = PyArray_DATA(g->offsets);
    if (!rotations || rotations == Py_None) return 0;

    shape[1] = 4;
    if (!(g->rotations = to_array(rotations, NPY_FLOAT, "Skeleton: rotations", 2, shape, false))) return -1;
    g->parts.rotations = PyArray_DATA(g->rotations);
    return 0;
}

static int take_tip(given *g, const ct_skeleton *joints, PyObject *value, Py_ssize_t t)
{
    char where[WHERE_TEXT];
    PyOS_snprintf(where, sizeof where, "Skeleton: tips[%zd]", t);
    PyObject *pair = to_tuple(value, where, "a pair (parent, offset)");
    if (!pair) return -1;

    const npy_intp three = 3;
    size_t parent;
    PyArrayObject *offset = NULL;
    if (PyTuple_GET_SIZE(pair) != 2) {
        PyErr_Format(PyExc_ValueError, "%s has %zd parts, expected a pair (parent, offset)", where, PyTuple_GET_SIZE(pair));
    } else if (joint_of(joints, PyTuple_GET_ITEM(pair, 0), where, "parent", &parent) == 0 &&
               (offset = to_array(PyTuple_GET_ITEM(pair, 1), NPY_FLOAT, where, 1, &three, false))) {
        g->tip_parents[t] = (int32_t)parent;
        memcpy(g->tip_offsets + 3 * t, PyArray_DATA(offset), 3 * sizeof(float));
    }
    Py_XDECREF(offset);
    Py_DECREF(pair);
    return offset ? 0 : -1;
}

// `joints` is the skeleton without its tips, in which their parents are looked up.
static int take_tips(given *g, const ct_skeleton *joints, PyObject *value)
{
    PyObject *tips = to_tuple(value, "Skeleton: tips", "a sequence of pairs (parent, offset)");
    if (!tips) return -1;
    Py_ssize_t count = PyTuple_GET_SIZE(tips);
    g->tip_parents = PyMem_New(int32_t, (size_t)count);
    g->tip_offsets = PyMem_New(float, 3 * (size_t)count);
    if (!g->tip_parents || !g->tip_offsets) PyErr_NoMemory();
    for (Py_ssize_t t = 0; !PyErr_Occurred() && t < count; ++t) take_tip(g, joints, PyTuple_GET_ITEM(tips, t), t);
    Py_DECREF(tips);
    g->parts.tip_count = (size_t)count;
    g->parts.tip_parents = g->tip_parents;
    g->parts.tip_offsets = g->tip_offsets;
    return PyErr_Occurred() ? -1 : 0;
}

static ct_skeleton *create(const ct_skeleton_parts *parts)
{
    ct_skeleton *core = NULL;
    ct_allocator allocator = python_allocator();
    ct_error error;
    if (ct_skeleton_create(&allocator, parts, &core, &error) != CT_OK) raise_error(&error, "Skeleton");
    return core;
}

static PyObject *skeleton_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"Skeleton", 3, 3, {"names", "parents", "offsets", "rotations", "tips", NULL}};
    PyObject *values[5];
    module_state *state = state_of(type);
    if (!state || parse_new(&s, args, keywords, values) < 0) return NULL;

    given g = {0};
    ct_skeleton *core = NULL;
    if (take_names(&g, values[0]) < 0 || take_joints(&g, values[1], values[2], values[3]) < 0) goto done;
    core = create(&g.parts);
    if (core && values[4] && values[4] != Py_None) {
        int taken = take_tips(&g, core, values[4]);
        ct_skeleton_destroy(core);
        core = taken == 0 ? create(&g.parts) : NULL;
    }
done:
    release_given(&g);
    return core ? (PyObject *)wrap_skeleton(state, core) : NULL;
}

// ---- attributes -------------------------------------------------------------------------------------------------------------------

static PyObject *view(PyObject *op, int type, int rank, npy_intp width, const void *data)
{
    const npy_intp shape[2] = {(npy_intp)((skeleton_object *)op)->core->joint_count, width};
    return view_of(op, type, rank, shape, NULL, data);
}

static PyObject *get_names(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef(((skeleton_object *)op)->names);
}

static PyObject *get_parents(PyObject *op, void *closure)
{
    (void)closure;
    return view(op, NPY_INT32, 1, 0, ((skeleton_object *)op)->core->parents);
}

static PyObject *get_offsets(PyObject *op, void *closure)
{
    (void)closure;
    return view(op, NPY_FLOAT, 2, 3, ((skeleton_object *)op)->core->offsets);
}

static PyObject *get_rotations(PyObject *op, void *closure)
{
    (void)closure;
    return view(op, NPY_FLOAT, 2, 4, ((skeleton_object *)op)->core->rotations);
}

static PyObject *get_tips(PyObject *op, void *closure)
{
    (void)closure;
    const ct_skeleton *core = ((skeleton_object *)op)->core;
    const npy_intp three = 3;
    PyObject *tips = PyTuple_New((Py_ssize_t)core->tip_count);
    for (size_t t = 0; tips && t < core->tip_count; ++t) {
        PyObject *offset = view_of(op, NPY_FLOAT, 1, &three, NULL, core->tip_offsets + 3 * t);
        PyObject *tip = Py_BuildValue("iN", (int)core->tip_parents[t], offset);
        if (!tip)
            Py_CLEAR(tips);
        else
            PyTuple_SET_ITEM(tips, (Py_ssize_t)t, tip);
    }
    return tips;
}

static PyObject *get_inverse_bind(PyObject *op, void *closure)
{
    (void)closure;
    PyArrayObject *matrices = ((skeleton_object *)op)->inverse_bind;
    return view_of(op, NPY_FLOAT, 3, PyArray_DIMS(matrices), NULL, PyArray_DATA(matrices));
}

static PyObject *get_rest(PyObject *op, void *closure)
{
    (void)closure;
    const ct_skeleton *core = ((skeleton_object *)op)->core;
    module_state *state = state_of(Py_TYPE(op));
    if (!state) return NULL;
    ct_layout layout = ct_layout_of(core->joint_count, true, false);
    pose_object *pose = new_pose(state->pose_type, core->joint_count, layout.component_count, 0, NULL);
    if (pose) memcpy(poses_of(pose).rows, core->rest, ct_row_length(layout) * sizeof(float));
    return (PyObject *)pose;
}

static Py_ssize_t skeleton_length(PyObject *op) { return (Py_ssize_t)((skeleton_object *)op)->core->joint_count; }

static PyObject *skeleton_repr(PyObject *op)
{
    const skeleton_object *self = (skeleton_object *)op;
    const ct_skeleton *core = self->core;
    size_t roots = 0;
    for (size_t j = 0; j < core->joint_count; ++j) roots += core->parents[j] < 0;

    // A name may be as long as it likes; the line is not.
    PyObject *name = PyUnicode_Substring(PyTuple_GET_ITEM(self->names, 0), 0, 40);
    if (!name) return NULL;
    const char *joints = core->joint_count == 1 ? "joint" : "joints", *tips = core->tip_count == 1 ? "tip" : "tips";
    PyObject *text =
        roots == 1 ? PyUnicode_FromFormat("<Skeleton: %zu %s, %zu %s, root %R>", core->joint_count, joints, core->tip_count, tips, name)
                   : PyUnicode_FromFormat("<Skeleton: %zu %s, %zu %s, %zu roots, the first %R>", core->joint_count, joints, core->tip_count,
                                          tips, roots, name);
    Py_DECREF(name);
    return text;
}

static PyObject *skeleton_compare(PyObject *a, PyObject *b, int operation)
{
    if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(a) != Py_TYPE(b)) Py_RETURN_NOTIMPLEMENTED;
    bool equal = ct_skeleton_equal(((skeleton_object *)a)->core, ((skeleton_object *)b)->core);
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

// Names tell characters apart, offsets tell their sizes apart (FNV-1a over the bits).
static Py_hash_t skeleton_hash(PyObject *op)
{
    const skeleton_object *self = (skeleton_object *)op;
    Py_hash_t names = PyObject_Hash(self->names);
    if (names == -1) return -1;
    size_t hash = (size_t)names;
    for (size_t i = 0; i < 3 * self->core->joint_count; ++i) {
        uint32_t bits;
        memcpy(&bits, self->core->offsets + i, sizeof bits);
        hash = (hash ^ bits) * (size_t)1099511628211u;
    }
    return (Py_hash_t)hash == -1 ? -2 : (Py_hash_t)hash;
}

// ---- pickling ---------------------------------------------------------------------------------------------------------------------

// Arrays pickle out of band by themselves. The tips' offsets travel as one array.
static PyObject *skeleton_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    const ct_skeleton *core = ((skeleton_object *)op)->core;
    const npy_intp tips[2] = {(npy_intp)core->tip_count, 3};
    PyObject *restore = PyObject_GetAttrString((PyObject *)Py_TYPE(op), "_from_parts");
    if (!restore) return NULL;
    return Py_BuildValue("N(ONNNNN)", restore, ((skeleton_object *)op)->names, get_parents(op, NULL), get_offsets(op, NULL),
                         get_rotations(op, NULL), view_of(op, NPY_INT32, 1, tips, NULL, core->tip_parents),
                         view_of(op, NPY_FLOAT, 2, tips, NULL, core->tip_offsets));
}

static PyObject *skeleton_from_parts(PyObject *type, PyObject *const *args, Py_ssize_t count)
{
    module_state *state = state_of((PyTypeObject *)type);
    if (!state) return NULL;
    if (count != 6) return PyErr_Format(PyExc_TypeError, "Skeleton._from_parts() takes 6 arguments, %zd were given", count);

    given g = {0};
    ct_skeleton *core = NULL;
    npy_intp tips[2] = {ANY, 3};
    PyArrayObject *tip_parents = NULL, *tip_offsets = NULL;
    if (take_names(&g, args[0]) < 0 || take_joints(&g, args[1], args[2], args[3]) < 0) goto done;
    if (!(tip_parents = to_array(args[4], NPY_INT32, "Skeleton: parents of tips", 1, tips, false))) goto done;
    tips[0] = PyArray_DIM(tip_parents, 0);
    if (!(tip_offsets = to_array(args[5], NPY_FLOAT, "Skeleton: offsets of tips", 2, tips, false))) goto done;
    g.parts.tip_count = (size_t)tips[0];
    g.parts.tip_parents = PyArray_DATA(tip_parents);
    g.parts.tip_offsets = PyArray_DATA(tip_offsets);
    core = create(&g.parts);
done:
    Py_XDECREF(tip_parents);
    Py_XDECREF(tip_offsets);
    release_given(&g);
    return core ? (PyObject *)wrap_skeleton(state, core) : NULL;
}

// Immutable: a copy is the thing itself.
static PyObject *skeleton_copy(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(op);
}

// ---- the type ---------------------------------------------------------------------------------------------------------------------

#define SKELETON_OWNED(DO)                                                                                                                 \
    DO(self->names);                                                                                                                       \
    DO(self->inverse_bind);
OWNER_TYPE(skeleton_object, SKELETON_OWNED, ct_skeleton_destroy(self->core))

static PyMethodDef skeleton_methods[] = {
    KEYWORD_METHOD("index", skeleton_index),
    KEYWORD_METHOD("chain", skeleton_chain),
    KEYWORD_METHOD("branch", skeleton_branch),
    KEYWORD_METHOD("children", skeleton_children),
    KEYWORD_METHOD("mask", skeleton_mask),
    KEYWORD_METHOD("mirror_map", skeleton_mirror_map),
    KEYWORD_METHOD("forward_kinematics", skeleton_forward_kinematics),
    KEYWORD_METHOD("matrices", skeleton_matrices),
    KEYWORD_METHOD("palette", skeleton_palette),
    KEYWORD_METHOD("tip_positions", skeleton_tip_positions),
    {"__reduce_ex__", skeleton_reduce, METH_O, NULL},
    {"__copy__", skeleton_copy, METH_NOARGS, NULL},
    {"__deepcopy__", skeleton_copy, METH_O, NULL},
    HTML_METHOD,
    {"_from_parts", (PyCFunction)(void (*)(void))skeleton_from_parts, METH_FASTCALL | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef skeleton_attributes[] = {
    {"names", get_names, NULL, "Tuple of str, one a joint.", NULL},
    {"parents", get_parents, NULL, "The parent of every joint, -1 for a root, shape (J,): a read-only view.", NULL},
    {"offsets", get_offsets, NULL, "Where every joint is in its parent's axes at rest, shape (J, 3): a read-only view.", NULL},
    {"rotations", get_rotations, NULL,
     "How every joint is turned in its parent's axes at rest, w, x, y, z, shape (J, 4): a read-only view.", NULL},
    {"tips", get_tips, NULL, "Tuple of (parent index, offset (3,)), one an end site: points that end a limb, not joints.", NULL},
    {"sides", skeleton_sides, NULL,
     "Tuple of 'left', 'right' or 'middle', one a joint: the side that its name tells (as in mirror_map, but a joint needs no partner), "
     "or\n"
     "else its parent's. A joint without a partner that carries joints of both sides is in the middle.",
     NULL},
    {"rest", get_rest, NULL, "The rest pose: rotations and offsets as a Pose.", NULL},
    {"inverse_bind", get_inverse_bind, NULL, "Inverse of the global matrices at rest, shape (J, 4, 4), read-only.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(
    skeleton_doc,
    "Skeleton(names, parents, offsets, *, rotations=None, tips=None)\n--\n\n"
    "Joints, their parents and their rest pose. Immutable, hashable, shared safely between threads.\n\n"
    "Parameters\n----------\n"
    "names : sequence of str, J of them\n"
    "    Any text. Names may repeat; such joints are then reached by index alone.\n"
    "parents : array_like of int, shape (J,)\n"
    "    A parent comes before its joints. -1 makes a root; there may be several.\n"
    "offsets : array_like, shape (J, 3)\n"
    "    Where each joint is in its parent's axes at rest. Any unit of length; zero-length bones are fine.\n"
    "rotations : array_like, shape (J, 4), optional\n"
    "    How each joint is turned in its parent's axes at rest: quaternions w, x, y, z. Identities by default.\n"
    "tips : sequence of (str or int, array_like of shape (3,)), optional\n"
    "    End sites: the joint that each ends, and where it is in that joint's axes.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A shape does not fit, a parent does not come before its joint, a number is not finite, a rotation is zero.\n"
    "IndexError\n"
    "    A tip ends a joint that does not exist.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> leg = ct.Skeleton(\n"
    "...     [\"Hips\", \"Knee\", \"Ankle\"], [-1, 0, 1], [(0, 0.9, 0), (0, -0.4, 0), (0, -0.4, 0)], tips=[(\"Ankle\", (0, 0, 0.1))]\n"
    "... )\n"
    ">>> leg\n"
    "<Skeleton: 3 joints, 1 tip, root 'Hips'>\n"
    ">>> positions, rotations = leg.forward_kinematics(leg.rest)\n"
    ">>> positions[2].round(3)\n"
    "array([0. , 0.1, 0. ], dtype=float32)");

static PyType_Slot skeleton_slots[] = {
    {Py_tp_new, skeleton_new},
    {Py_tp_doc, (void *)skeleton_doc},
    {Py_tp_dealloc, skeleton_object_dealloc},
    {Py_tp_traverse, skeleton_object_traverse},
    {Py_tp_repr, skeleton_repr},
    {Py_tp_richcompare, skeleton_compare},
    {Py_tp_hash, skeleton_hash},
    {Py_tp_methods, skeleton_methods},
    {Py_tp_getset, skeleton_attributes},
    {Py_sq_length, skeleton_length},
    {0, NULL},
};

static PyType_Spec skeleton_spec = {
    .name = "canter.Skeleton",
    .basicsize = sizeof(skeleton_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = skeleton_slots,
};

int add_skeleton_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &skeleton_spec, &state->skeleton_type);
}

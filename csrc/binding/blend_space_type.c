// canter.BlendSpace1D and canter.BlendSpace2D.
#include "blend_space_type.h"

#include <string.h>

#include "arguments.h"
#include "convert.h"
#include "core_call.h"
#include "html.h"

static const char *const methods[] = {"gradient_band", "gradient_band_polar", "delaunay", "two_1d", NULL}; // ct_blend_method, on a plane

static const ct_blend_space *core_of(PyObject *op) { return ((blend_space_object *)op)->core; }

blend_space_object *to_space(module_state *state, PyObject *value, const char *where)
{
    if (Py_TYPE(value) == state->blend_space_1d_type || Py_TYPE(value) == state->blend_space_2d_type) return (blend_space_object *)value;
    PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.BlendSpace1D or BlendSpace2D", where, Py_TYPE(value)->tp_name);
    return NULL;
}

static blend_space_object *wrap(PyTypeObject *type, ct_blend_space *core)
{
    blend_space_object *self = (blend_space_object *)type->tp_alloc(type, 0);
    if (self)
        self->core = core;
    else
        ct_blend_space_destroy(core);
    return self;
}

blend_space_object *wrap_space(module_state *state, ct_blend_space *core)
{
    return wrap(core->dimensions == 1 ? state->blend_space_1d_type : state->blend_space_2d_type, core);
}

// ------------------------------------------------------------------------------------------------------------------------ what both share

static PyObject *make(PyTypeObject *type, const char *function, ct_blend_method method, PyArrayObject *points)
{
    ct_allocator allocator = python_allocator();
    ct_blend_space *core = NULL;
    ct_error error;
    ct_status status =
        ct_blend_space_create(&allocator, active_kernels(), method, (size_t)PyArray_DIM(points, 0), PyArray_DATA(points), &core, &error);
    if (status != CT_OK) return raise_error(&error, function);
    return (PyObject *)wrap(type, core);
}

static PyObject *get_points(PyObject *op, void *closure)
{
    (void)closure;
    const ct_blend_space *core = core_of(op);
    const npy_intp shape[2] = {(npy_intp)core->sample_count, 2};
    return view_of(op, NPY_DOUBLE, (int)core->dimensions, shape, NULL, core->points);
}

static Py_ssize_t length(PyObject *op) { return (Py_ssize_t)core_of(op)->sample_count; }

static bool are_equal(const ct_blend_space *a, const ct_blend_space *b)
{
    if (a->method != b->method || a->sample_count != b->sample_count) return false;
    for (size_t i = 0; i < a->sample_count * a->dimensions; ++i) {
        if (a->points[i] != b->points[i]) return false;
    }
    return true;
}

static PyObject *compare(PyObject *op, PyObject *other, int operation)
{
    if (Py_TYPE(op) != Py_TYPE(other) || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong(are_equal(core_of(op), core_of(other)) == (operation == Py_EQ));
}

static Py_hash_t hash(PyObject *op)
{
    const ct_blend_space *core = core_of(op);
    size_t hash = 1 + (size_t)core->method;
    for (size_t i = 0; i < core->sample_count * core->dimensions; ++i) {
        double number = core->points[i] + 0.0; // -0 is 0
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        hash = (hash ^ (size_t)(bits ^ bits >> 32)) * (size_t)1099511628211u;
    }
    return (Py_hash_t)hash == -1 ? -2 : (Py_hash_t)hash;
}

// Immutable: a copy is the thing itself.
static PyObject *copy(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(op);
}

// Weights of the points of `value`, each a number or, on the plane, two.
static PyObject *weigh(PyObject *op, PyObject *value, const char *name, PyObject *out, const char *out_name)
{
    const ct_blend_space *core = core_of(op);
    const npy_intp pair[1] = {2};
    int rank = (int)core->dimensions - 1;
    PyArrayObject *points = to_numbers(value, NPY_DOUBLE, name, rank, pair, true);
    if (!points) return NULL;

    npy_intp shape[NPY_MAXDIMS + 1];
    int batch = PyArray_NDIM(points) - rank;
    PyArrayObject *weights = NULL;
    if (batch + 1 > NPY_MAXDIMS) {
        PyErr_Format(PyExc_ValueError, "%s would have more than %d dimensions", out_name, NPY_MAXDIMS);
    } else {
        for (int i = 0; i < batch; ++i) shape[i] = PyArray_DIM(points, i);
        shape[batch] = (npy_intp)core->sample_count;
        weights = to_out(out, NPY_DOUBLE, out_name, batch + 1, shape);
    }
    if (!weights || keep_apart(&points, weights) < 0) {
        Py_DECREF(points);
        Py_XDECREF(weights);
        return NULL;
    }
    core_call call;
    const ct_interrupt *interrupt = enter_core(&call, (size_t)PyArray_SIZE(weights));
    ct_status status = ct_blend_space_weights(core, (size_t)PyArray_SIZE(points) / core->dimensions, PyArray_DATA(points), interrupt,
                                              PyArray_DATA(weights));
    leave_core(&call);
    Py_DECREF(points);
    if (status != CT_OK) Py_CLEAR(weights); // the signal's own exception is set
    return (PyObject *)weights;
}

#define OWNED(DO)
OWNER_TYPE(blend_space_object, OWNED, ct_blend_space_destroy(self->core))

// --------------------------------------------------------------------------------------------------------------------------- the line

static PyObject *line_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"BlendSpace1D", 1, 1, {"positions", NULL}};
    PyObject *v[1];
    if (parse_new(&s, args, keywords, v) < 0) return NULL;
    const npy_intp shape[1] = {ANY};
    PyArrayObject *positions = to_numbers(v[0], NPY_DOUBLE, "BlendSpace1D: positions", 1, shape, false);
    PyObject *self = positions ? make(type, s.function, CT_LINEAR, positions) : NULL;
    Py_XDECREF(positions);
    return self;
}

static PyObject *line_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<BlendSpace1D: %zd sample%s>", length(op), length(op) == 1 ? "" : "s");
}

static PyObject *line_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    return Py_BuildValue("O(N)", Py_TYPE(op), get_points(op, NULL));
}

static const char line_weights_doc[] = "weights($self, x, *, out=None)\n--\n\n"
                                       "Weight of every sample at each place on the line.\n\n"
                                       "Linear between the two samples around a place; beyond the ends the last sample has it all.\n\n"
                                       "Parameters\n----------\n"
                                       "x : array_like, shape (...)\n"
                                       "    In the unit of the positions (often m/s).\n"
                                       "out : ndarray of float64, shape (..., S), optional\n\n"
                                       "Returns\n-------\n"
                                       "ndarray of float64, shape (..., S)\n"
                                       "    Non-negative, summing to 1 over the last axis; 1 at a sample.\n\n"
                                       "Raises\n------\n"
                                       "ValueError\n"
                                       "    A number is not finite, or `out` does not fit.\n\n"
                                       "Examples\n--------\n"
                                       ">>> import canter as ct\n"
                                       ">>> ct.BlendSpace1D([0, 1.4, 4]).weights([1.4, 2.0]).round(3)\n"
                                       "array([[0.   , 1.   , 0.   ],\n"
                                       "       [0.   , 0.769, 0.231]])";

static PyObject *line_weights(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"BlendSpace1D.weights", 1, 1, {"x", "out", NULL}};
    PyObject *v[2];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    return weigh(op, v[0], "BlendSpace1D.weights: x", v[1], "BlendSpace1D.weights: out");
}

static PyGetSetDef line_attributes[] = {
    {"positions", get_points, NULL, "Where the samples are, float64 (S,), as given: a read-only view.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef line_methods[] = {
    KEYWORD_METHOD("weights", line_weights),
    {"__reduce_ex__", line_reduce, METH_O, NULL},
    {"__copy__", copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy, METH_O, NULL},
    HTML_METHOD,
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(line_doc, "BlendSpace1D(positions)\n--\n\n"
                       "Samples on a line, say clips by their speed: which of them to mix for any place. Immutable, hashable.\n\n"
                       "Parameters\n----------\n"
                       "positions : array_like, shape (S,)\n"
                       "    Where each sample is, in any order and unit; at most 512.\n\n"
                       "Raises\n------\n"
                       "ValueError\n"
                       "    A number is not finite, there is no sample, or two are at the same place (nearer than 1e-7 of the extent).\n\n"
                       "Examples\n--------\n"
                       ">>> import canter as ct\n"
                       ">>> idle_walk_run = ct.BlendSpace1D([0, 1.3, 3.5])\n"
                       ">>> idle_walk_run.weights(2.4).round(3)\n"
                       "array([0. , 0.5, 0.5])");

static PyType_Slot line_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)line_doc},
    {Py_tp_new, line_new},
    {Py_tp_dealloc, blend_space_object_dealloc},
    {Py_tp_traverse, blend_space_object_traverse},
    {Py_tp_repr, line_repr},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, hash},
    {Py_tp_methods, line_methods},
    {Py_tp_getset, line_attributes},
    {Py_sq_length, length},
    {0, NULL},
};

static PyType_Spec line_spec = {
    .name = "canter.BlendSpace1D",
    .basicsize = sizeof(blend_space_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = line_slots,
};

// -------------------------------------------------------------------------------------------------------------------------- the plane

static PyObject *plane_of(PyTypeObject *type, PyObject *value, PyObject *choice)
{
    int method = CT_GRADIENT_BAND;
    if (choice && to_choice(choice, "BlendSpace2D: method", methods, &method) < 0) return NULL;
    const npy_intp shape[2] = {ANY, 2};
    PyArrayObject *points = to_numbers(value, NPY_DOUBLE, "BlendSpace2D: points", 2, shape, false);
    PyObject *self = points ? make(type, "BlendSpace2D", (ct_blend_method)method, points) : NULL;
    Py_XDECREF(points);
    return self;
}

static PyObject *plane_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"BlendSpace2D", 1, 1, {"points", "method", NULL}};
    PyObject *v[2];
    return parse_new(&s, args, keywords, v) < 0 ? NULL : plane_of(type, v[0], v[1]);
}

static PyObject *get_method(PyObject *op, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(methods[core_of(op)->method]);
}

static PyObject *get_triangles(PyObject *op, void *closure)
{
    (void)closure;
    const ct_blend_space *core = core_of(op);
    if (core->method != CT_DELAUNAY) Py_RETURN_NONE;
    const npy_intp shape[2] = {(npy_intp)core->triangles.triangle_count, 3};
    return view_of(op, NPY_INT32, 2, shape, NULL, core->triangles.triangles);
}

static PyObject *plane_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<BlendSpace2D: %zd sample%s, %s>", length(op), length(op) == 1 ? "" : "s", methods[core_of(op)->method]);
}

static PyObject *plane_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    PyObject *restore = PyObject_GetAttrString((PyObject *)Py_TYPE(op), "_from_parts");
    if (!restore) return NULL;
    return Py_BuildValue("N(NN)", restore, get_points(op, NULL), get_method(op, NULL));
}

static PyObject *plane_from_parts(PyObject *type, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) return PyErr_Format(PyExc_TypeError, "BlendSpace2D._from_parts() takes 2 arguments, %zd were given", count);
    return plane_of((PyTypeObject *)type, args[0], args[1]);
}

static const char plane_weights_doc[] = "weights($self, points, *, out=None)\n--\n\n"
                                        "Weight of every sample at each point of the plane.\n\n"
                                        "Parameters\n----------\n"
                                        "points : array_like, shape (..., 2)\n"
                                        "    In the units of the sample points (often m/s: sideways, forward).\n"
                                        "out : ndarray of float64, shape (..., S), optional\n\n"
                                        "Returns\n-------\n"
                                        "ndarray of float64, shape (..., S)\n"
                                        "    Non-negative, summing to 1 over the last axis; 1 at a sample.\n\n"
                                        "Raises\n------\n"
                                        "ValueError\n"
                                        "    A point is not finite, the last axis is not 2 long, or `out` does not fit.\n\n"
                                        "Notes\n-----\n"
                                        "Gradient band interpolation, R. S. Johansen, *Automated Semi-Procedural Animation* (2009),\n"
                                        "section 6.3.\n\n"
                                        "Examples\n--------\n"
                                        ">>> import canter as ct\n"
                                        ">>> ct.BlendSpace2D([(0, 0), (1, 0), (0, 1)]).weights((0.5, 0.25)).round(2)\n"
                                        "array([0.4, 0.4, 0.2])";

static PyObject *plane_weights(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"BlendSpace2D.weights", 1, 1, {"points", "out", NULL}};
    PyObject *v[2];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    return weigh(op, v[0], "BlendSpace2D.weights: points", v[1], "BlendSpace2D.weights: out");
}

static PyGetSetDef plane_attributes[] = {
    {"points", get_points, NULL, "Where the samples are, float64 (S, 2), as given: a read-only view.", NULL},
    {"method", get_method, NULL, "How weights are found, such as \"gradient_band\".", NULL},
    {"triangles", get_triangles, NULL,
     "The corners of the triangles between the samples, int32 (T, 3), a read-only view; none when all are on one line. None for methods\n"
     "other than \"delaunay\".",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef plane_methods[] = {
    KEYWORD_METHOD("weights", plane_weights),
    {"__reduce_ex__", plane_reduce, METH_O, NULL},
    {"__copy__", copy, METH_NOARGS, NULL},
    {"__deepcopy__", copy, METH_O, NULL},
    HTML_METHOD,
    {"_from_parts", (PyCFunction)(void (*)(void))plane_from_parts, METH_FASTCALL | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    plane_doc,
    "BlendSpace2D(points, *, method='gradient_band')\n--\n\n"
    "Samples on a plane, say clips by their velocity to the side and ahead: which of them to mix for any place. Immutable, hashable.\n\n"
    "Parameters\n----------\n"
    "points : array_like, shape (S, 2)\n"
    "    Where each sample is, in any order and unit; at most 512.\n"
    "method : {'gradient_band', 'gradient_band_polar', 'delaunay', 'two_1d'}, default 'gradient_band'\n"
    "    'gradient_band' takes samples anywhere. Its weight of a sample falls to 0 on the way to each other one.\n\n"
    "    'gradient_band_polar' does the same with lengths and angles from the origin, for clips by their velocity: one that is faster\n"
    "    does not leak into those of another direction.\n\n"
    "    'delaunay' mixes the three corners of the triangle around a place; outside of all, at the nearest place of their hull. Few\n"
    "    samples at a time, but their weights have creases at the sides of triangles.\n\n"
    "    'two_1d' mixes along each axis by itself and both by |x| : |y|. It is here to show what is wrong with it: the mix points\n"
    "    elsewhere than the query. For samples in the shape of a cross alone, with one at the origin.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A number is not finite, there is no sample, two are at the same place (nearer than 1e-7 of the extent), or 'two_1d' can't be\n"
    "    used with these samples.\n\n"
    "Notes\n-----\n"
    "Gradient bands: R. S. Johansen, *Automated Semi-Procedural Animation* (2009), section 6.3. Two things are added to the polar ones, "
    "so\n"
    "that no weight ever jumps: behind both samples of a pair, the angle between them comes back the other way; and when no sample\n"
    "is at the origin, angles fade within a tenth of the shortest sample's length, down to none at the origin.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> idle_ahead_back_left_right = [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)]\n"
    ">>> ct.BlendSpace2D(idle_ahead_back_left_right, method=\"gradient_band_polar\").weights((0.6, 0.3)).round(3)\n"
    "array([0.254, 0.   , 0.228, 0.   , 0.518])");

static PyType_Slot plane_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)plane_doc},
    {Py_tp_new, plane_new},
    {Py_tp_dealloc, blend_space_object_dealloc},
    {Py_tp_traverse, blend_space_object_traverse},
    {Py_tp_repr, plane_repr},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, hash},
    {Py_tp_methods, plane_methods},
    {Py_tp_getset, plane_attributes},
    {Py_sq_length, length},
    {0, NULL},
};

static PyType_Spec plane_spec = {
    .name = "canter.BlendSpace2D",
    .basicsize = sizeof(blend_space_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = plane_slots,
};

int add_blend_space_types(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    if (add_type(module, &line_spec, &state->blend_space_1d_type) < 0) return -1;
    return add_type(module, &plane_spec, &state->blend_space_2d_type);
}

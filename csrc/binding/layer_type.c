#include "layer_type.h"

#include "additive_clip_type.h"
#include "arguments.h"
#include "convert.h"
#include "pose_type.h"
#include "source_type.h"

enum { SOURCE, MASK, WEIGHT, MODE, SPACE, ROOT, PARAMETER_COUNT };

static const char *const modes[] = {"override", "additive", NULL};
static const char *const spaces[] = {"local", "mesh", NULL};

static bool is_one_of(PyObject *value, PyTypeObject *a, PyTypeObject *b)
{
    return PyObject_TypeCheck(value, a) || PyObject_TypeCheck(value, b);
}

static int fail_source(PyObject *value, bool additive, const char *advice)
{
    PyErr_Format(PyExc_TypeError, "Layer: source is %.100s, expected %s%s", Py_TYPE(value)->tp_name,
                 additive ? "an AdditiveClip or a PoseDelta in mode 'additive'" : "a pose source, a Clip or a Pose in mode 'override'",
                 advice);
    return -1;
}

// What the mode can use, and a single pose or delta.
static int take_source(layer_object *self, module_state *state, PyObject *value)
{
    bool is_additive = is_one_of(value, state->additive_clip_type, state->pose_delta_type);
    bool is_pose = is_one_of(value, state->clip_type, state->pose_type) || PyObject_TypeCheck(value, state->source_type);
    if (self->additive && !is_additive) {
        return fail_source(value, true, is_pose ? "; additive(clip, reference) makes one, of what a clip has beside a pose" : "");
    }
    if (!self->additive && !is_pose) return fail_source(value, false, is_additive ? "; mode='additive' adds it" : "");
    if (is_one_of(value, state->pose_type, state->pose_delta_type) && batch_rank((pose_object *)value) != 0) {
        PyErr_Format(PyExc_ValueError, "Layer: source is %R, expected a single %s", value, self->additive ? "delta" : "pose");
        return -1;
    }
    if (PyObject_TypeCheck(value, state->source_type) && !to_source_object(state, value, "Layer: source")) return -1;
    self->source = Py_NewRef(value);
    return 0;
}

static int take_mask(layer_object *self, PyObject *value)
{
    if (!value || value == Py_None) return 0;
    const npy_intp shape[1] = {ANY};
    PyArrayObject *given = to_array(value, NPY_FLOAT, "Layer: mask", 1, shape, false);
    self->mask = given ? (PyArrayObject *)PyArray_NewCopy(given, NPY_CORDER) : NULL;
    Py_XDECREF(given);
    if (!self->mask) return -1;
    PyArray_CLEARFLAGS(self->mask, NPY_ARRAY_WRITEABLE);
    self->options.mask = PyArray_DATA(self->mask);
    return 0;
}

static int take_options(layer_object *self, PyObject *const *v)
{
    module_state *state = state_of(Py_TYPE(self));
    int mode = 0, space = 0;
    if (v[MODE] && to_choice(v[MODE], "Layer: mode", modes, &mode) < 0) return -1;
    if (v[SPACE] && to_choice(v[SPACE], "Layer: space", spaces, &space) < 0) return -1;
    self->additive = mode == 1;
    self->options = (ct_layer){.in_mesh_space = space == 1, .weight = {.fixed = 1}};
    if (take_source(self, state, v[SOURCE]) < 0 || take_mask(self, v[MASK]) < 0) return -1;
    if (v[WEIGHT] && to_amount(state, v[WEIGHT], "Layer: weight", &self->options.weight) < 0) return -1;
    self->weight = Py_XNewRef(v[WEIGHT]);
    if (v[ROOT] && to_bool(v[ROOT], "Layer: root", &self->options.moves) < 0) return -1;
    if (self->additive && self->options.moves) {
        PyErr_SetString(PyExc_ValueError, "Layer: root is True in mode 'additive', but what is added never moves the character");
        return -1;
    }
    ct_delta_side side = CT_SIDE_LOCAL;
    if (PyObject_TypeCheck(self->source, state->pose_delta_type)) side = ((pose_object *)self->source)->side;
    if (PyObject_TypeCheck(self->source, state->additive_clip_type)) side = ((additive_clip_object *)self->source)->core.side;
    size_t joint_count = self->mask ? (size_t)PyArray_DIM(self->mask, 0) : 0;
    ct_error error;
    if (ct_layer_check(&self->options, self->additive, side, joint_count, "Layer", &error) == CT_OK) return 0;
    raise_error(&error, NULL);
    return -1;
}

static PyObject *layer_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"Layer", 1, 1, {"source", "mask", "weight", "mode", "space", "root", NULL}};
    PyObject *v[PARAMETER_COUNT];
    if (parse_new(&s, args, keywords, v) < 0) return NULL;
    layer_object *self = (layer_object *)type->tp_alloc(type, 0);
    if (self && take_options(self, v) < 0) Py_CLEAR(self);
    return (PyObject *)self;
}

#define LAYER_OWNED(DO)                                                                                                                    \
    DO(self->source);                                                                                                                      \
    DO(self->mask);                                                                                                                        \
    DO(self->weight);
OWNER_TYPE(layer_object, LAYER_OWNED, (void)0)

static PyObject *get_source(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef(((layer_object *)op)->source);
}

static PyObject *get_mask(PyObject *op, void *closure)
{
    (void)closure;
    const layer_object *self = (layer_object *)op;
    if (!self->mask) Py_RETURN_NONE;
    return view_of(op, NPY_FLOAT, 1, PyArray_DIMS(self->mask), NULL, PyArray_DATA(self->mask));
}

static PyObject *get_weight(PyObject *op, void *closure)
{
    (void)closure;
    const layer_object *self = (layer_object *)op;
    return self->weight ? Py_NewRef(self->weight) : PyFloat_FromDouble(1);
}

static PyObject *get_mode(PyObject *op, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(modes[((layer_object *)op)->additive]);
}

static PyObject *get_space(PyObject *op, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(spaces[((layer_object *)op)->options.in_mesh_space]);
}

static PyObject *get_moves(PyObject *op, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((layer_object *)op)->options.moves);
}

static PyObject *layer_repr(PyObject *op)
{
    const layer_object *self = (layer_object *)op;
    PyObject *weight = get_weight(op, NULL);
    PyObject *text = weight ? PyUnicode_FromFormat("<Layer: %s%s, weight %.80S%s, %.200R>", modes[self->additive],
                                                   self->options.in_mesh_space ? " in mesh space" : "", weight,
                                                   self->mask ? ", masked" : "", self->source)
                            : NULL;
    Py_XDECREF(weight);
    return text;
}

PyDoc_STRVAR(
    layer_doc,
    "Layer(source, *, mask=None, weight=1.0, mode='override', space='local', root=False)\n--\n\n"
    "One layer of a LayerStack: a source, and how it goes on top of what is below. Immutable.\n\n"
    "Parameters\n----------\n"
    "source : PoseSource, Clip, Pose, AdditiveClip or PoseDelta\n"
    "    What it shows. Mode 'override' takes a pose source, a Clip (a ClipPlayer is made of it) or a single Pose (held); mode\n"
    "    'additive' takes an AdditiveClip (played: it loops when it says so) or a single PoseDelta (held), and nothing else.\n"
    "mask : array_like, shape (J,), optional\n"
    "    How much of the layer each joint has: 0 to 1, of an additive anything. 1 everywhere by default. See Skeleton.mask; masks\n"
    "    combine by arithmetic.\n"
    "weight : float or param, default 1.0\n"
    "    How much of the layer there is, times the mask: 0 to 1 (met within 1e-6), of an additive anything up to 1000 either way.\n"
    "mode : {'override', 'additive'}, default 'override'\n"
    "    Take the place of what is below, or be added to it.\n"
    "space : {'local', 'mesh'}, default 'local'\n"
    "    What rotations are relative to: the joint's parent, or the character. In mesh space a joint of an override keeps its\n"
    "    direction whatever the joints below and above it do, and a delta turns about the character's axes as they are when the\n"
    "    body is at rest. Translations and scales are mixed as in local space.\n"
    "root : bool, default False\n"
    "    The layer's root motion takes the place of that below, by its weight, whatever the mask. The first layer of a stack\n"
    "    always moves the character when it is an override; an additive layer never does.\n\n"
    "Raises\n------\n"
    "TypeError\n"
    "    The source is not of a kind that the mode takes.\n"
    "ValueError\n"
    "    A weight or a mask is out of bounds or not finite, or deltas of side 'local' are to be added in mesh space.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> walk, wave = ct.examples.walk(), ct.examples.wave()\n"
    ">>> ct.Layer(wave, mask=walk.skeleton.mask('Spine', depth=3), weight=ct.param('waving')).weight\n"
    "param('waving')\n"
    ">>> lean = ct.additive(ct.examples.lean(), walk.skeleton.rest)\n"
    ">>> ct.Layer(lean, mode='additive', weight=0.5).mode\n"
    "'additive'");

static PyGetSetDef layer_attributes[] = {
    {"source", get_source, NULL, "What it shows, as it was given.", NULL},
    {"mask", get_mask, NULL, "How much of it each joint has, float32 (J,), a read-only view; None: all of it.", NULL},
    {"weight", get_weight, NULL, "How much of it there is: a number or a param.", NULL},
    {"mode", get_mode, NULL, "'override' or 'additive'.", NULL},
    {"space", get_space, NULL, "'local' or 'mesh'.", NULL},
    {"root", get_moves, NULL, "Was it asked to move the character?", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot layer_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)layer_doc},
    {Py_tp_new, layer_new},
    {Py_tp_dealloc, layer_object_dealloc},
    {Py_tp_traverse, layer_object_traverse},
    {Py_tp_repr, layer_repr},
    {Py_tp_getset, layer_attributes},
    {0, NULL},
};

static PyType_Spec layer_spec = {
    .name = "canter.Layer",
    .basicsize = sizeof(layer_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = layer_slots,
};

int add_layer_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &layer_spec, &state->layer_type);
}

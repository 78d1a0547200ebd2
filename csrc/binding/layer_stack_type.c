// canter.LayerStack.
#include "additive_clip_type.h"
#include "arguments.h"
#include "clip_player.h"
#include "convert.h"
#include "held_pose.h"
#include "layer_type.h"
#include "pose_type.h"
#include "source_type.h"

// What the stack makes of a layer's source when that is none itself; one of them, or neither.
typedef struct made_source {
    ct_held_pose *held;
    ct_clip_player *player;
} made_source;

typedef struct layer_stack_object {
    source_object head;
    ct_layer_stack *core;
    PyObject *layers;  // tuple of Layer
    made_source *made; // [made_count], one a layer
    size_t made_count;
} layer_stack_object;

static int check_mask(const layer_object *layer, const ct_skeleton *skeleton, const char *where)
{
    if (!layer->mask || (size_t)PyArray_DIM(layer->mask, 0) == skeleton->joint_count) return 0;
    PyErr_Format(PyExc_ValueError, "%s: mask has %zd numbers, the skeleton has %zu joints", where, (Py_ssize_t)PyArray_DIM(layer->mask, 0),
                 skeleton->joint_count);
    return -1;
}

// A source of the core for what is no pose source; NULL with an error.
static ct_source *hold_or_play(module_state *state, PyObject *value, const ct_skeleton *skeleton, made_source *made, ct_error *error)
{
    const ct_allocator allocator = python_allocator();
    if (PyObject_TypeCheck(value, state->additive_clip_type)) {
        const ct_additive_clip *clip = &((additive_clip_object *)value)->core;
        const ct_clip_player_options options = {.clip = clip->frames,
                                                .additive = true,
                                                .side = clip->side,
                                                .rate = {.fixed = 1},
                                                .wrap = clip->frames->looping ? CT_LOOP : CT_CLAMP,
                                                .what = value};
        if (clip->frames->frame_count == 0)
            return ct_fail(error, CT_BAD_VALUE, "the clip has no frames, so there is nothing to play"), NULL;
        ct_clip_player_create(&allocator, active_kernels(), &options, &made->player, error);
        return made->player ? &made->player->source : NULL;
    }
    if (PyObject_TypeCheck(value, state->pose_delta_type))
        ct_held_delta_create(&allocator, skeleton, deltas_of((pose_object *)value), &made->held, error);
    else
        ct_held_pose_create(&allocator, skeleton, poses_of((pose_object *)value), &made->held, error);
    return made->held ? &made->held->source : NULL;
}

// *child: what is to be kept for it, the pose source that it is or that was made of a Clip; else it stays NULL.
static int take_layer(layer_stack_object *self, size_t index, const ct_skeleton *skeleton, ct_layer *out, PyObject **child)
{
    module_state *state = state_of(Py_TYPE(self));
    PyObject *value = PyTuple_GET_ITEM(self->layers, (Py_ssize_t)index);
    char where[48];
    PyOS_snprintf(where, sizeof where, "LayerStack: layer %zu", index);
    if (!PyObject_TypeCheck(value, state->layer_type)) {
        PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.Layer", where, Py_TYPE(value)->tp_name);
        return -1;
    }
    const layer_object *layer = (layer_object *)value;
    if (check_mask(layer, skeleton, where) < 0) return -1;
    *out = layer->options;
    if (!layer->additive && !PyObject_TypeCheck(layer->source, state->pose_type)) {
        source_object *source = source_of(state, layer->source, where);
        *child = (PyObject *)source;
        if (!source || check_idle(source, where) < 0) return -1;
        out->source = source->core;
        return 0;
    }
    ct_error error;
    out->source = hold_or_play(state, layer->source, skeleton, &self->made[index], &error);
    if (out->source) return 0;
    raise_error(&error, where);
    return -1;
}

static int make_core(layer_stack_object *self, const ct_skeleton *skeleton, ct_layer *layers, PyObject *children)
{
    for (size_t i = 0; i < self->made_count; ++i) {
        PyObject *child = NULL;
        int result = take_layer(self, i, skeleton, &layers[i], &child);
        PyTuple_SET_ITEM(children, (Py_ssize_t)i, child ? child : Py_NewRef(Py_None));
        if (result < 0) return -1;
    }
    const ct_allocator allocator = python_allocator();
    ct_error error;
    if (ct_layer_stack_create(&allocator, active_kernels(), skeleton, self->made_count, layers, &self->core, &error) == CT_OK) return 0;
    raise_error(&error, NULL);
    return -1;
}

static void release_made(layer_stack_object *self)
{
    for (size_t i = 0; i < self->made_count; ++i) {
        ct_held_pose_destroy(self->made[i].held);
        ct_clip_player_destroy(self->made[i].player);
    }
    PyMem_Free(self->made);
    self->made = NULL;
    self->made_count = 0;
}

static int stack_init(PyObject *op, PyObject *args, PyObject *keywords)
{
    static const signature s = {"LayerStack", 2, 2, {"skeleton", "layers", NULL}};
    PyObject *v[2];
    layer_stack_object *self = (layer_stack_object *)op;
    if (source_begin(&self->head, s.function) < 0 || parse_new(&s, args, keywords, v) < 0) return -1;
    skeleton_object *skeleton = to_skeleton(state_of(Py_TYPE(op)), v[0], "LayerStack: skeleton");
    PyObject *given = skeleton ? to_tuple(v[1], "LayerStack: layers", "a sequence of Layer") : NULL;
    if (!given) return -1;
    Py_XSETREF(self->layers, given);

    size_t count = (size_t)PyTuple_GET_SIZE(self->layers);
    PyObject *children = PyTuple_New((Py_ssize_t)count);
    ct_layer *layers = PyMem_Calloc(count + 1, sizeof *layers);
    self->made = PyMem_Calloc(count + 1, sizeof *self->made);
    self->made_count = self->made ? count : 0;
    int result = -1;
    if (!children || !layers || !self->made)
        PyErr_NoMemory();
    else
        result = make_core(self, skeleton->core, layers, children);
    if (result == 0)
        source_finish(&self->head, &self->core->source, skeleton, children);
    else
        release_made(self);
    PyMem_Free(layers);
    Py_XDECREF(children);
    return result;
}

static void release_stack(layer_stack_object *self)
{
    source_release(&self->head);
    ct_layer_stack_destroy(self->core);
    release_made(self);
}

#define STACK_OWNED(DO) SOURCE_OWNED(DO) DO(self->layers);
OWNER_TYPE(layer_stack_object, STACK_OWNED, release_stack(self))

static PyObject *get_layers(PyObject *op, void *closure)
{
    (void)closure;
    const source_object *made = to_source_object(state_of(Py_TYPE(op)), op, "LayerStack");
    return made ? Py_NewRef(((layer_stack_object *)op)->layers) : NULL;
}

static PyObject *stack_repr(PyObject *op)
{
    const layer_stack_object *self = (layer_stack_object *)op;
    if (!self->core) return PyUnicode_FromString("<LayerStack: not made>");
    Py_ssize_t count = PyTuple_GET_SIZE(self->layers);
    return PyUnicode_FromFormat("<LayerStack: %zd layer%s, %zu joints>", count, count == 1 ? "" : "s",
                                self->core->source.skeleton->joint_count);
}

PyDoc_STRVAR(
    stack_doc,
    "LayerStack(skeleton, layers)\n--\n\n"
    "A pose source of layers on top of each other: an upper body over legs, a lean over a run.\n\n"
    "It begins with the rest pose; each layer, in the order of the list, then changes what is below it, by its weight times its\n"
    "mask at every joint. An override takes its place: rotations by nlerp the short way, translations and scales linearly; a\n"
    "joint at 0 keeps the bits below, at 1 it has those of the layer. An additive is added to it, as by `add`.\n\n"
    "Parameters\n----------\n"
    "skeleton : Skeleton\n"
    "    That of all sources.\n"
    "layers : sequence of Layer\n"
    "    The first is mostly a full override, such as a walk. Without any the stack shows the rest pose.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A source has another skeleton or is part of another source already, or a mask has another number of joints.\n"
    "    Of `update`: also a parameter that gives a layer a weight out of bounds.\n\n"
    "Notes\n-----\n"
    "The character moves as the first layer says, if that is an override; further override layers with `root=True` take the place\n"
    "of that motion by their weights. Every layer's clock runs, whatever its weight. What was played of the clips counts by the\n"
    "layer's weight times the largest number of its mask; an override without a mask takes its weight from those below.\n\n"
    "Examples\n--------\n"
    ">>> import canter as ct\n"
    ">>> walk, wave = ct.examples.walk(), ct.examples.wave()\n"
    ">>> upper_body = walk.skeleton.mask('Spine', depth=3)\n"
    ">>> waving = ct.Layer(wave, mask=upper_body, weight=ct.param('waving'))\n"
    ">>> stack = ct.LayerStack(walk.skeleton, [ct.Layer(walk), waving])\n"
    ">>> stack.update(1 / 60, {'waving': 0.8}).pose\n"
    "<Pose: 18 joints>");

static PyGetSetDef stack_attributes[] = {
    {"layers", get_layers, NULL, "The layers, a tuple of Layer, in the order in which they are applied.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot stack_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)stack_doc},
    {Py_tp_init, stack_init},
    {Py_tp_dealloc, layer_stack_object_dealloc},
    {Py_tp_traverse, layer_stack_object_traverse},
    {Py_tp_repr, stack_repr},
    {Py_tp_getset, stack_attributes},
    {0, NULL},
};

static PyType_Spec stack_spec = {
    .name = "canter.LayerStack",
    .basicsize = sizeof(layer_stack_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = stack_slots,
};

int add_layer_stack_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_source_type(module, &stack_spec, &state->layer_stack_type);
}

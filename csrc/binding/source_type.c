#include "source_type.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "arguments.h"
#include "clip_player_type.h"
#include "clip_type.h"
#include "convert.h"
#include "frame_type.h"

// The last part of the type's name, for messages.
static const char *type_name(PyObject *op)
{
    const char *name = Py_TYPE(op)->tp_name, *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

// ---------------------------------------------------------------------------------------------------------- what types in C call

int add_source_type(PyObject *module, PyType_Spec *spec, PyTypeObject **slot)
{
    module_state *state = PyModule_GetState(module);
    *slot = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, (PyObject *)state->source_type);
    return *slot ? PyModule_AddType(module, *slot) : -1;
}

int source_begin(source_object *self, const char *type)
{
    if (!self->begun) {
        self->begun = true;
        return 0;
    }
    PyErr_Format(PyExc_RuntimeError,
                 self->core ? "%s: this one is made already; make a new one" : "%s: this one could not be made before; make a new one",
                 type);
    return -1;
}

void source_finish(source_object *self, ct_source *core, skeleton_object *skeleton, PyObject *children)
{
    self->core = core;
    self->skeleton = (skeleton_object *)Py_NewRef((PyObject *)skeleton);
    self->children = Py_XNewRef(children);
    for (Py_ssize_t i = 0; children && i < PyTuple_GET_SIZE(children); ++i) {
        if (PyTuple_GET_ITEM(children, i) == Py_None) continue;
        // Its parameters get other slots now.
        source_object *child = (source_object *)PyTuple_GET_ITEM(children, i);
        ct_stage_destroy(child->stage);
        child->stage = NULL;
    }
}

void source_release(source_object *self)
{
    ct_stage_destroy(self->stage);
    self->stage = NULL;
    if (self->core) ct_source_release_children(self->core);
}

source_object *to_source_object(module_state *state, PyObject *value, const char *where)
{
    if (!PyObject_TypeCheck(value, state->source_type)) {
        PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a pose source or a Clip", where, Py_TYPE(value)->tp_name);
        return NULL;
    }
    source_object *source = (source_object *)value;
    if (source->core) return source;
    PyErr_Format(PyExc_RuntimeError, "%s is a %.100s that was never made; call super().__init__(skeleton) in its __init__", where,
                 Py_TYPE(value)->tp_name);
    return NULL;
}

source_object *source_of(module_state *state, PyObject *value, const char *where)
{
    if (PyObject_TypeCheck(value, state->clip_type)) {
        return (source_object *)PyObject_CallOneArg((PyObject *)state->clip_player_type, value);
    }
    source_object *source = to_source_object(state, value, where);
    return source ? (source_object *)Py_NewRef((PyObject *)source) : NULL;
}

int check_idle(const source_object *self, const char *where)
{
    const ct_source *core = self->core;
    while (core && !core->busy) core = core->parent;
    if (!core) return 0;
    PyErr_Format(PyExc_RuntimeError, "%s: an update of this source%s is going on; sources are for one thread at a time", where,
                 core == self->core ? "" : ", as part of another,");
    return -1;
}

// ------------------------------------------------------------------------------------------------------------------------ update

ct_stage *stage_of(source_object *self)
{
    if (self->core->parent) {
        PyErr_Format(PyExc_ValueError, "%s.update: the source is part of another, which moves it on; update that one",
                     type_name((PyObject *)self));
        return NULL;
    }
    if (self->stage) return self->stage;
    ct_allocator allocator = python_allocator();
    ct_stage *stage;
    ct_error error;
    if (ct_stage_create(&allocator, self->core, &stage, &error) != CT_OK) {
        raise_error(&error, type_name((PyObject *)self));
        return NULL;
    }
    PyObject *names = PyTuple_New((Py_ssize_t)stage->parameters.count);
    for (size_t i = 0; names && i < stage->parameters.count; ++i) {
        PyObject *name = PyUnicode_FromString(stage->parameters.names[i]);
        if (name)
            PyTuple_SET_ITEM(names, (Py_ssize_t)i, name);
        else
            Py_CLEAR(names);
    }
    if (!names) {
        ct_stage_destroy(stage);
        return NULL;
    }
    Py_XSETREF(self->parameter_names, names);
    self->stage = stage;
    return stage;
}

int fail_missing(const source_object *self, PyObject *params, PyObject *name)
{
    PyObject *keys = PyMapping_Keys(params), *given = keys ? PyObject_Str(keys) : NULL;
    if (given)
        PyErr_Format(PyExc_ValueError, "%s.update: params has no %R, which steers this source; it has %.200U", type_name((PyObject *)self),
                     name, given);
    Py_XDECREF(keys);
    Py_XDECREF(given);
    return -1;
}

int check_params(PyObject *params, const char *where)
{
    // Sequences have items too, but no keys.
    int good = PyDict_Check(params) || (PyMapping_Check(params) && PyObject_HasAttrString(params, "keys"));
    if (!good)
        PyErr_Format(PyExc_TypeError, "%s: params is %.100s, expected a mapping of names to numbers", where, Py_TYPE(params)->tp_name);
    return good ? 0 : -1;
}

int take_parameter(const source_object *self, PyObject *params, PyObject *name, double *out)
{
    PyObject *value = NULL;
    if (PyDict_CheckExact(params)) {
        value = Py_XNewRef(PyDict_GetItemWithError(params, name));
        if (!value && PyErr_Occurred()) return -1;
    } else {
        value = PyObject_GetItem(params, name);
        if (!value && !PyErr_ExceptionMatches(PyExc_KeyError)) return -1;
        PyErr_Clear();
    }
    if (!value) return fail_missing(self, params, name);
    int result = 0;
    if (PyFloat_CheckExact(value) && isfinite(PyFloat_AS_DOUBLE(value))) {
        *out = PyFloat_AS_DOUBLE(value);
    } else {
        char where[96];
        const char *text = PyUnicode_AsUTF8(name);
        PyOS_snprintf(where, sizeof where, "params['%.60s']", text ? text : "?");
        result = to_double(value, where, out);
    }
    Py_DECREF(value);
    return result;
}

static PyObject *update_frame(source_object *self, ct_stage *stage, double dt, PyObject *params)
{
    module_state *state = state_of(Py_TYPE(self));
    for (size_t i = 0; i < stage->parameters.count; ++i) {
        if (take_parameter(self, params, PyTuple_GET_ITEM(self->parameter_names, (Py_ssize_t)i), &stage->values[i]) < 0) return NULL;
    }
    const ct_layout layout = self->core->layout; // no source that is an object shows deltas
    pose_object *pose = new_pose(state->pose_type, layout.joint_count, layout.component_count, 0, NULL);
    if (!pose) return NULL;
    ct_frame frame;
    ct_error error;
    if (ct_stage_update(stage, dt, params, poses_of(pose).rows, &frame, &error) == CT_OK) return (PyObject *)new_frame(state, pose, &frame);
    Py_DECREF(pose);
    return raise_error(&error, NULL);
}

static int to_dt(PyObject *value, const char *where, double *dt)
{
    char name[64];
    PyOS_snprintf(name, sizeof name, "%.40s.update: dt", where);
    if (to_double(value, name, dt) < 0) return -1;
    if (*dt >= 0) return 0;
    PyErr_Format(PyExc_ValueError, "%s is %R, expected seconds, 0 or more (a negative rate plays backward)", name, value);
    return -1;
}

static bool is_foreign(const source_object *self);

static PyObject *source_update(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const signature s = {"update", 2, 1, {"dt", "params", NULL}};
    PyObject *v[2];
    double dt;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    source_object *self = (source_object *)op;
    if (!to_source_object(state_of(Py_TYPE(op)), op, type_name(op)) || to_dt(v[0], type_name(op), &dt) < 0) return NULL;
    if (is_foreign(self)) {
        return PyErr_Format(PyExc_NotImplementedError,
                            "%s has no update of its own; a source written in Python defines update(self, dt, params), which returns a "
                            "Pose or a Frame",
                            type_name(op));
    }
    PyObject *params = v[1] ? v[1] : Py_None;
    char where[64];
    PyOS_snprintf(where, sizeof where, "%.40s.update", type_name(op));
    if ((params != Py_None && check_params(params, where) < 0) || check_idle(self, type_name(op)) < 0) return NULL;
    self->core->busy = true;
    ct_stage *stage = stage_of(self);
    PyObject *none = params == Py_None ? PyDict_New() : NULL; // for sources written in Python
    PyObject *frame = stage && (none || params != Py_None) ? update_frame(self, stage, dt, none ? none : params) : NULL;
    Py_XDECREF(none);
    self->core->busy = false;
    return frame;
}

static PyObject *source_reset(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    source_object *self = (source_object *)op;
    if (!to_source_object(state_of(Py_TYPE(op)), op, type_name(op))) return NULL;
    if (is_foreign(self)) Py_RETURN_NONE; // nothing of its own to reset
    if (check_idle(self, type_name(op)) < 0) return NULL;
    self->core->busy = true;
    ct_source_reset(self->core);
    self->core->busy = false;
    if (PyErr_Occurred()) return NULL; // of a source written in Python
    Py_RETURN_NONE;
}

// ------------------------------------------------------------------------------------------------------- sources written in Python

typedef struct foreign_source {
    ct_source core;
    source_object *owner; // borrowed: it owns this
} foreign_source;

// The parts of a pose in the layout of the source; what is missing is as at rest.
static int write_pose(const ct_source *core, const pose_object *pose, const char *name, float *row)
{
    ct_poses given = poses_of(pose);
    if (given.layout.joint_count != core->layout.joint_count) {
        PyErr_Format(PyExc_ValueError, "%s.update gave a pose of %zu joints, its skeleton has %zu", name, given.layout.joint_count,
                     core->layout.joint_count);
        return -1;
    }
    if (ct_has_scales(given.layout) && !ct_has_scales(core->layout)) {
        PyErr_Format(PyExc_ValueError, "%s.update gave a pose with scales; make the source with scales=True", name);
        return -1;
    }
    size_t length = ct_row_length(core->layout), known = ct_row_length(given.layout),
           rest = CT_COMPONENTS_TRANSLATION * core->layout.stride;
    for (size_t i = 0; i < length; ++i) row[i] = i < known ? given.rows[i] : i < rest ? core->skeleton->rest[i] : 1;
    return 0;
}

static int take_answer(foreign_source *self, PyObject *answer, ct_frame *out)
{
    module_state *state = state_of(Py_TYPE(self->owner));
    const char *name = type_name((PyObject *)self->owner);
    bool is_frame = Py_IS_TYPE(answer, state->frame_type);
    PyObject *pose = is_frame ? (PyObject *)((frame_object *)answer)->pose : answer;
    if (!PyObject_TypeCheck(pose, state->pose_type) || batch_rank((pose_object *)pose) != 0) {
        PyErr_Format(PyExc_TypeError, "%s.update gave %R, expected a single Pose, or a Frame of one", name, answer);
        return -1;
    }
    if (write_pose(&self->core, (pose_object *)pose, name, out->row) < 0) return -1;
    if (!is_frame) return 0;
    out->root = ((frame_object *)answer)->root;
    Py_XSETREF(self->owner->shown, Py_NewRef(answer));
    out->played[out->played_count++] = (ct_played){.what = answer, .weight = 1};
    return 0;
}

// Part of a source in C: the method of the Python type is called.
static ct_status update_foreign(ct_source *core, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *error)
{
    (void)scratch;
    foreign_source *self = (foreign_source *)core;
    out->root = (ct_root_delta){0};
    PyObject *answer = PyObject_CallMethod((PyObject *)self->owner, "update", "dO", step->dt, (PyObject *)step->context);
    int result = answer ? take_answer(self, answer, out) : -1;
    Py_XDECREF(answer);
    return result == 0 ? CT_OK : ct_fail(error, CT_INTERRUPTED, "an exception of Python");
}

static void reset_foreign(ct_source *core)
{
    if (PyErr_Occurred()) return; // of one reset before
    PyObject *answer = PyObject_CallMethod((PyObject *)((foreign_source *)core)->owner, "reset", NULL);
    Py_XDECREF(answer);
}

static const ct_source_ops foreign_ops = {update_foreign, reset_foreign, NULL};

static bool is_foreign(const source_object *self) { return self->core->ops == &foreign_ops; }

static int source_init(PyObject *op, PyObject *args, PyObject *keywords)
{
    static const signature s = {"PoseSource", 1, 1, {"skeleton", "scales", NULL}};
    PyObject *v[2];
    source_object *self = (source_object *)op;
    bool scales = false;
    if (source_begin(self, s.function) < 0 || parse_new(&s, args, keywords, v) < 0) return -1;
    skeleton_object *skeleton = to_skeleton(state_of(Py_TYPE(op)), v[0], "PoseSource: skeleton");
    if (!skeleton || (v[1] && to_bool(v[1], "PoseSource: scales", &scales) < 0)) return -1;
    foreign_source *source = PyMem_Calloc(1, sizeof *source);
    if (!source) return PyErr_NoMemory(), -1;
    source->owner = self;
    source->core = (ct_source){.ops = &foreign_ops,
                               .skeleton = skeleton->core,
                               .layout = ct_layout_of(skeleton->core->joint_count, true, scales),
                               .foreign = true,
                               .played_most = 1};
    source_finish(self, &source->core, skeleton, NULL);
    return 0;
}

// What was shown may hold the source again.
static int source_clear(PyObject *op)
{
    Py_CLEAR(((source_object *)op)->shown);
    return 0;
}

static void release_foreign(source_object *self)
{
    source_release(self);
    PyMem_Free(self->core);
    self->core = NULL;
}

#define FOREIGN_OWNED(DO)                                                                                                                  \
    DO(self->skeleton);                                                                                                                    \
    DO(self->children);                                                                                                                    \
    DO(self->parameter_names);                                                                                                             \
    DO(self->shown);
OWNER_TYPE(source_object, FOREIGN_OWNED, release_foreign(self))

static PyObject *get_skeleton(PyObject *op, void *closure)
{
    (void)closure;
    source_object *self = to_source_object(state_of(Py_TYPE(op)), op, type_name(op));
    return self ? Py_NewRef((PyObject *)self->skeleton) : NULL;
}

PyDoc_STRVAR(source_doc,
             "PoseSource(skeleton, *, scales=False)\n--\n\n"
             "Whatever shows a pose each frame: the base of ClipPlayer, BlendPlayer, LayerStack and of sources written in Python.\n\n"
             "Derive from it and define `update(self, dt, params)`, which returns a Pose or a Frame, and `reset(self)` when there is\n"
             "something to reset. Such a source can be a layer or part of any other source.\n\n"
             "Parameters\n----------\n"
             "skeleton : Skeleton\n"
             "    Of the poses.\n"
             "scales : bool, default False\n"
             "    The poses may have scales.\n\n"
             "Notes\n-----\n"
             "A source belongs to one other at most, which moves it on, and is for one thread at a time. Poses are on the spot: the\n"
             "character at the origin, facing +Z; where it goes is told by `Frame.root`.\n\n"
             "Examples\n--------\n"
             ">>> import canter as ct\n"
             ">>> class Held(ct.PoseSource):\n"
             "...     def __init__(self, skeleton, pose):\n"
             "...         super().__init__(skeleton)\n"
             "...         self.pose = pose\n"
             "...     def update(self, dt, params):\n"
             "...         return self.pose\n"
             ">>> walk = ct.examples.walk()\n"
             ">>> Held(walk.skeleton, walk[0]).update(0.1, {})\n"
             "<Pose: 18 joints>");

static const char source_update_doc[] = "update($self, dt, params=None)\n--\n\n"
                                        "Move on, then show.\n\n"
                                        "Parameters\n----------\n"
                                        "dt : float\n"
                                        "    Seconds since the last update, 0 or more.\n"
                                        "params : mapping of str to float, optional\n"
                                        "    What steers the source; names that it does not ask for are ignored.\n\n"
                                        "Returns\n-------\n"
                                        "Frame\n\n"
                                        "Raises\n------\n"
                                        "ValueError\n"
                                        "    dt is negative or not finite, a parameter is missing, or the source is part of another.\n"
                                        "RuntimeError\n"
                                        "    An update is going on, in another thread or up the stack.";

PyDoc_STRVAR(source_reset_doc, "reset($self, /)\n--\n\n"
                               "Back to the beginning, with all that it is made of.");

static PyMethodDef source_methods[] = {
    KEYWORD_METHOD("update", source_update),
    {"reset", source_reset, METH_NOARGS, source_reset_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef source_attributes[] = {
    {"skeleton", get_skeleton, NULL, "The Skeleton of its poses.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot source_slots[] = {
    {Py_tp_doc, (void *)(uintptr_t)source_doc},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, source_init},
    {Py_tp_dealloc, source_object_dealloc},
    {Py_tp_traverse, source_object_traverse},
    {Py_tp_clear, source_clear},
    {Py_tp_methods, source_methods},
    {Py_tp_getset, source_attributes},
    {0, NULL},
};

static PyType_Spec source_spec = {
    .name = "canter.PoseSource",
    .basicsize = sizeof(source_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_BASETYPE,
    .slots = source_slots,
};

int add_pose_source_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &source_spec, &state->source_type);
}

#include "frame_type.h"

#include "arguments.h"
#include "clip_type.h"
#include "clip_labels.h"
#include "convert.h"
#include "frame_tracks.h"

// ------------------------------------------------------------------------------------------------------------------- root deltas

static PyStructSequence_Field delta_fields[] = {
    {"translation",
     "Over the ground, in the character's axes where it began: x to its left, z ahead. float64 (3,), or (..., 3) of many steps."},
    {"turn", "Radians, positive to the left: a float, or an array (...)."},
    {NULL, NULL},
};

static PyStructSequence_Desc delta_description = {
    .name = "canter.RootDelta",
    .doc = "How the character moves on the ground in a step: (translation, turn).",
    .fields = delta_fields,
    .n_in_sequence = 2,
};

PyObject *root_delta_of(module_state *state, PyObject *translation, PyObject *turn)
{
    PyObject *object = translation && turn ? PyStructSequence_New(state->root_delta_type) : NULL;
    if (!object) {
        Py_XDECREF(translation);
        Py_XDECREF(turn);
        return NULL;
    }
    PyStructSequence_SetItem(object, 0, translation);
    PyStructSequence_SetItem(object, 1, turn);
    return object;
}

static PyObject *root_delta_object(module_state *state, ct_root_delta delta)
{
    const npy_intp three = 3;
    PyObject *translation = PyArray_SimpleNew(1, &three, NPY_DOUBLE);
    if (!translation) return NULL;
    double *numbers = PyArray_DATA((PyArrayObject *)translation);
    numbers[0] = delta.translation.x, numbers[1] = delta.translation.y, numbers[2] = delta.translation.z;
    return root_delta_of(state, translation, PyFloat_FromDouble(delta.turn));
}

int to_root_delta(PyObject *value, const char *where, ct_root_delta *delta)
{
    *delta = (ct_root_delta){0};
    if (!value || value == Py_None) return 0;
    if (!PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 2) {
        PyErr_Format(PyExc_TypeError, "%s is %R, expected a RootDelta, (translation, turn)", where, value);
        return -1;
    }
    const npy_intp three = 3;
    PyArrayObject *translation = to_array(PyTuple_GET_ITEM(value, 0), NPY_DOUBLE, where, 1, &three, false);
    int result = translation ? check_finite(translation, where) : -1;
    if (result == 0) {
        const double *t = PyArray_DATA(translation);
        delta->translation = (ct_vector){t[0], t[1], t[2]};
        result = to_double(PyTuple_GET_ITEM(value, 1), where, &delta->turn);
    }
    Py_XDECREF(translation);
    return result;
}

// ------------------------------------------------------------------------------------------------------------------------ frames

static void append_played(frame_object *self, const ct_played *played, double weight)
{
    ct_played *added = &self->played[self->played_count++];
    *added = *played;
    added->weight *= weight;
    Py_INCREF((PyObject *)added->what);
}

// A frame that a source written in Python passes on, such as the last one shown: it stands for what was played in it. NULL: none.
static const frame_object *passed_on(module_state *state, const ct_played *played)
{
    const frame_object *frame = Py_IS_TYPE((PyObject *)played->what, state->frame_type) ? played->what : NULL;
    return frame && !frame->curves ? frame : NULL;
}

// Of what was passed on the parts are taken: frames that held frames would become a chain, frame after frame.
static bool take_played(module_state *state, frame_object *self, size_t count, const ct_played *played)
{
    size_t room = 0;
    for (size_t i = 0; i < count; ++i) {
        const frame_object *frame = passed_on(state, &played[i]);
        room += frame ? frame->played_count : 1;
    }
    if (room == 0) return true;
    self->played = PyMem_Malloc(room * sizeof *played);
    if (!self->played) return PyErr_NoMemory(), false;
    for (size_t i = 0; i < count; ++i) {
        const frame_object *frame = passed_on(state, &played[i]);
        if (!frame) append_played(self, &played[i], 1);
        for (size_t k = 0; frame && k < frame->played_count; ++k) {
            if (frame->played[k].weight * played[i].weight > 0) append_played(self, &frame->played[k], played[i].weight);
        }
    }
    return true;
}

frame_object *new_frame(module_state *state, pose_object *pose, const ct_frame *frame)
{
    if (!pose) return NULL;
    frame_object *self = (frame_object *)state->frame_type->tp_alloc(state->frame_type, 0);
    if (!self) {
        Py_DECREF(pose);
        return NULL;
    }
    self->pose = pose;
    self->root = frame->root;
    if (take_played(state, self, frame->played_count, frame->played)) return self;
    Py_DECREF(self);
    return NULL;
}

// Those that a source written in Python gives.
static PyObject *to_events(PyObject *value)
{
    if (!value) return PyTuple_New(0);
    PyObject *events = to_tuple(value, "Frame: events", "a sequence of Event"), *type = events ? event_type() : NULL;
    for (Py_ssize_t i = 0; type && events && i < PyTuple_GET_SIZE(events); ++i) {
        PyObject *event = PyTuple_GET_ITEM(events, i);
        char where[48];
        double number;
        PyOS_snprintf(where, sizeof where, "Frame: events[%zd]", i);
        int fits = PyObject_IsInstance(event, type);
        if (fits == 1 && PyTuple_GET_SIZE(event) == EVENT_FIELDS && PyUnicode_Check(PyTuple_GET_ITEM(event, EVENT_NAME))) {
            if (to_double(PyTuple_GET_ITEM(event, EVENT_TIME), where, &number) < 0 ||
                to_double(PyTuple_GET_ITEM(event, EVENT_WEIGHT), where, &number) < 0)
                Py_CLEAR(events);
        } else {
            if (fits >= 0) PyErr_Format(PyExc_TypeError, "%s is %R, expected a canter.Event with a str as its name", where, event);
            Py_CLEAR(events);
        }
    }
    if (!type) Py_CLEAR(events);
    Py_XDECREF(type);
    return events;
}

static PyObject *frame_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static const signature s = {"Frame", 3, 1, {"pose", "root", "events", "curves", NULL}};
    PyObject *v[4];
    ct_frame frame = {0};
    if (parse_new(&s, args, keywords, v) < 0) return NULL;
    module_state *state = state_of(type);
    if (!PyObject_TypeCheck(v[0], state->pose_type) || batch_rank((pose_object *)v[0]) != 0) {
        return PyErr_Format(PyExc_TypeError, "Frame: pose is %R, expected a single Pose", v[0]);
    }
    if (to_root_delta(v[1], "Frame: root", &frame.root) < 0) return NULL;
    frame_object *self = new_frame(state, (pose_object *)Py_NewRef(v[0]), &frame);
    if (self && ((self->events = to_events(v[2])) && (self->curves = to_curve_values(v[3])))) return (PyObject *)self;
    Py_XDECREF(self);
    return NULL;
}

static PyObject *get_pose(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((frame_object *)op)->pose);
}

static PyObject *get_root(PyObject *op, void *closure)
{
    (void)closure;
    return root_delta_object(state_of(Py_TYPE(op)), ((frame_object *)op)->root);
}

static PyObject *get_events(PyObject *op, void *closure)
{
    (void)closure;
    frame_object *self = (frame_object *)op;
    if (!self->events) {
        told_list list = {0};
        PyObject *events = NULL;
        if (tell_played(state_of(Py_TYPE(op)), self->played_count, self->played, &list)) {
            PyObject *listed = list_of_events(&list);
            events = listed ? PyList_AsTuple(listed) : NULL;
            Py_XDECREF(listed);
        }
        release_told(&list);
        if (!events) return NULL;
        Py_XSETREF(self->events, events);
    }
    return Py_NewRef(self->events);
}

static PyObject *get_curves(PyObject *op, void *closure)
{
    (void)closure;
    frame_object *self = (frame_object *)op;
    // A frame is part of itself where its curves were given.
    ct_played itself = {.what = self, .weight = 1};
    return self->curves ? curves_of_played(state_of(Py_TYPE(op)), 1, &itself)
                        : curves_of_played(state_of(Py_TYPE(op)), self->played_count, self->played);
}

static PyObject *frame_repr(PyObject *op)
{
    const frame_object *self = (frame_object *)op;
    return PyUnicode_FromFormat("<Frame: %zu joints, %zu clip%s>", self->pose->joint_count, self->played_count,
                                self->played_count == 1 ? "" : "s");
}

static void release_played(frame_object *self)
{
    for (size_t i = 0; i < self->played_count; ++i) Py_DECREF((PyObject *)self->played[i].what);
    self->played_count = 0;
    PyMem_Free(self->played);
}

static int frame_traverse(PyObject *op, visitproc visit, void *arg)
{
    frame_object *self = (frame_object *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->pose);
    Py_VISIT(self->events);
    Py_VISIT(self->curves);
    for (size_t i = 0; i < self->played_count; ++i) Py_VISIT((PyObject *)self->played[i].what);
    return 0;
}

static void frame_dealloc(PyObject *op)
{
    frame_object *self = (frame_object *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    Py_CLEAR(self->pose);
    Py_CLEAR(self->events);
    Py_CLEAR(self->curves);
    release_played(self);
    type->tp_free(op);
    Py_DECREF(type);
}

PyDoc_STRVAR(frame_doc,
             "Frame(pose, root=None, events=(), *, curves=None)\n--\n\n"
             "What a pose source shows after an update. Made by sources; a source written in Python may give one too. Immutable.\n\n"
             "Parameters\n----------\n"
             "pose : Pose\n"
             "    A single one, on the spot: the character at the origin, facing +Z.\n"
             "root : RootDelta or (translation, turn), optional\n"
             "    How the character moved on the ground in the step, in its own axes where it began.\n"
             "events : sequence of Event, optional\n"
             "    What happened in the step, in that order.\n"
             "curves : mapping of str to array_like, shape () or (n,), optional\n"
             "    Named numbers that go along with the pose, as Clip.curves has them for each frame: four are a rotation.\n\n"
             "Raises\n------\n"
             "TypeError, ValueError\n"
             "    A part is not what it should be; the message says which.");

static PyGetSetDef frame_attributes[] = {
    {"pose", get_pose, NULL, "The Pose on the spot: the character at the origin, facing +Z.", NULL},
    {"root", get_root, NULL, "How the character moved on the ground in this step: a RootDelta, (translation, turn).", NULL},
    {"events", get_events, NULL,
     "What happened in this step, in that order: a tuple of Event, of all clips that were played with weight. The same event of several "
     "clips (the first, the second, ... of a name in the step) is one, of which the weights are added, to 1 at most; its time is that of "
     "the clip with most weight. Those that a source written in Python gives are at the end of the step.",
     NULL},
    {"curves", get_curves, NULL,
     "The curves of all clips that are played, blended: a dict of str to float32, () or (n,). Each is the mean over the clips that have "
     "it, by weight; rotations (n = 4) blend as those of joints do.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot frame_slots[] = {
    {Py_tp_new, frame_new},
    {Py_tp_doc, (void *)(uintptr_t)frame_doc},
    {Py_tp_dealloc, frame_dealloc},
    {Py_tp_traverse, frame_traverse},
    {Py_tp_repr, frame_repr},
    {Py_tp_getset, frame_attributes},
    {0, NULL},
};

static PyType_Spec frame_spec = {
    .name = "canter.Frame",
    .basicsize = sizeof(frame_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = frame_slots,
};

int add_frame_types(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    state->root_delta_type = PyStructSequence_NewType(&delta_description);
    if (!state->root_delta_type || PyModule_AddType(module, state->root_delta_type) < 0) return -1;
    return add_type(module, &frame_spec, &state->frame_type);
}

#include "clip_type.h"

#include <math.h>
#include <string.h>

#include "arguments.h"
#include "clip_labels.h"
#include "clip_methods.h"
#include "convert.h"
#include "core_call.h"
#include "html.h"
#include "pose_type.h"
#include "root_motion.h"

static clip_object *allocate_clip(module_state *state, skeleton_object *skeleton, const clip_labels *labels)
{
    clip_object *clip = (clip_object *)state->clip_type->tp_alloc(state->clip_type, 0);
    if (!clip) return NULL;
    clip->skeleton = (skeleton_object *)Py_NewRef((PyObject *)skeleton);
    if (labels) clip->labels = *labels;
    if (complete_labels(&clip->labels)) return clip;
    Py_DECREF(clip);
    return NULL;
}

clip_object *wrap_clip(module_state *state, ct_clip *core, skeleton_object *skeleton, const clip_labels *labels)
{
    clip_object *clip = allocate_clip(state, skeleton, labels);
    if (clip)
        clip->core = core;
    else
        ct_clip_destroy(core);
    return clip;
}

clip_object *share_clip(module_state *state, clip_object *from, skeleton_object *skeleton, double frame_time, bool looping,
                        const clip_labels *labels)
{
    clip_object *clip = allocate_clip(state, skeleton, labels);
    if (!clip) return NULL;
    clip->rows_owner = Py_NewRef(from->rows_owner ? from->rows_owner : (PyObject *)from);
    clip->shared = *from->core;
    clip->shared.skeleton = skeleton->core;
    clip->shared.frame_time = frame_time;
    clip->shared.looping = looping;
    clip->core = &clip->shared;
    return clip;
}

clip_object *to_clip(module_state *state, PyObject *value, const char *where)
{
    if (PyObject_TypeCheck(value, state->clip_type)) return (clip_object *)value;
    PyErr_Format(PyExc_TypeError, "%s is %.100s, expected a canter.Clip", where, Py_TYPE(value)->tp_name);
    return NULL;
}

ct_poses poses_of_clip(const clip_object *clip) { return (ct_poses){clip->core->layout, clip->core->frame_count, clip->core->rows}; }

size_t work_of(const clip_object *clip) { return clip->core->frame_count * clip->core->layout.joint_count; }

double usual_rate(double frame_time)
{
    static const double rates[] = {23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 100, 119.88, 120, 125, 240};
    static const double tolerance = 0.0005;
    double rate = 1 / frame_time, nearest = rate;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        bool nearer = nearest == rate || fabs(rates[i] - rate) < fabs(nearest - rate);
        if (nearer && fabs(rates[i] - rate) <= tolerance * rates[i]) nearest = rates[i];
    }
    return nearest;
}

// ---------------------------------------------------------------------------------------------------------------- construction

// The frame time that fps or frame_time gives; `given` counts how many of them there were.
static int to_frame_time(PyObject *fps, PyObject *frame_time, int *given, double *out)
{
    *given = 0;
    if (fps && fps != Py_None) {
        if (to_positive(fps, "Clip: fps", out) < 0) return -1;
        *out = 1 / *out;
        ++*given;
    }
    if (frame_time && frame_time != Py_None) {
        if (to_positive(frame_time, "Clip: frame_time", out) < 0) return -1;
        ++*given;
    }
    if (*given < 2) return 0;
    PyErr_SetString(PyExc_TypeError, "Clip: fps and frame_time were both given; give one");
    return -1;
}

// Translations may be those of all joints (F, J, 3) or of the root alone (F, 3).
static PyArrayObject *to_translations(PyObject *value, npy_intp frames, npy_intp joints)
{
    PyArrayObject *given = (PyArrayObject *)PyArray_FROM_O(value);
    if (!given) return NULL;
    npy_intp of_root[2] = {frames, 3}, of_joints[3] = {frames, joints, 3};
    bool root = PyArray_NDIM(given) == 2;
    PyArrayObject *array = to_array((PyObject *)given, NPY_FLOAT, "Clip: translations", root ? 2 : 3, root ? of_root : of_joints, false);
    Py_DECREF(given);
    return array;
}

// Every joint where the rest pose has it, and the root, if `path` (F, 3) is given, there.
static void write_rest_translations(ct_clip *core, const float *path)
{
    const size_t n = core->layout.stride;
    for (size_t i = 0; i < core->frame_count; ++i) {
        float *t = ct_clip_row(core, i) + CT_TRANSLATION * n;
        memcpy(t, core->skeleton->rest + CT_TRANSLATION * n, 3 * n * sizeof *t);
        for (size_t c = 0; path && c < 3; ++c) t[c * n] = path[3 * i + c];
    }
}

static void write_rows(ct_clip *core, PyArrayObject *rotations, PyArrayObject *translations, PyArrayObject *scales)
{
    ct_layout_write(core->layout, CT_ROTATION, core->frame_count, PyArray_DATA(rotations), core->rows);
    if (translations && PyArray_NDIM(translations) == 3) {
        ct_layout_write(core->layout, CT_TRANSLATION, core->frame_count, PyArray_DATA(translations), core->rows);
    } else {
        write_rest_translations(core, translations ? PyArray_DATA(translations) : NULL);
    }
    if (scales) ct_layout_write(core->layout, CT_SCALE, core->frame_count, PyArray_DATA(scales), core->rows);
}

static ct_clip *core_of_arrays(skeleton_object *skeleton, PyObject *const *values, double frame_time, bool looping)
{
    npy_intp joints = (npy_intp)skeleton->core->joint_count;
    npy_intp shape[3] = {ANY, joints, 4};
    PyArrayObject *translations = NULL, *scales = NULL;
    ct_clip *core = NULL;
    PyArrayObject *rotations = to_array(values[0], NPY_FLOAT, "Clip: rotations", 3, shape, false);
    if (!rotations) return NULL;
    shape[0] = PyArray_DIM(rotations, 0);
    shape[2] = 3;
    if (values[1] && values[1] != Py_None && !(translations = to_translations(values[1], shape[0], joints))) goto done;
    if (values[2] && values[2] != Py_None && !(scales = to_array(values[2], NPY_FLOAT, "Clip: scales", 3, shape, false))) goto done;

    ct_allocator allocator = python_allocator();
    ct_error error;
    ct_status status = ct_clip_create(&allocator, skeleton->core, (size_t)shape[0], frame_time, looping, scales != NULL, &core, &error);
    if (status == CT_OK) {
        core_call call;
        enter_core(&call, (size_t)shape[0] * (size_t)joints);
        write_rows(core, rotations, translations, scales);
        status = ct_clip_finish(core, &error);
        leave_core(&call);
    }
    if (status != CT_OK) {
        raise_error(&error, "Clip");
        ct_clip_destroy(core);
        core = NULL;
    }
done:
    Py_XDECREF(rotations);
    Py_XDECREF(translations);
    Py_XDECREF(scales);
    return core;
}

// Where markers may lie: on a loop's way back to the start too.
static double end_of(const ct_clip *core, double frame_time, bool looping)
{
    double end = looping ? ct_clip_period(core) : ct_clip_duration(core);
    return end / core->frame_time * frame_time;
}

static PyObject *clip_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    enum { SKELETON, ROTATIONS, TRANSLATIONS, SCALES, FPS, FRAME_TIME, LOOPING, NAME, MARKERS, TAGS, CURVES, PARAMETER_COUNT };
    static const signature s = {
        "Clip",
        3,
        2,
        {"skeleton", "rotations", "translations", "scales", "fps", "frame_time", "looping", "name", "markers", "tags", "curves", NULL}};
    PyObject *v[PARAMETER_COUNT];
    if (parse_new(&s, args, keywords, v) < 0) return NULL;

    module_state *state = state_of(type);
    skeleton_object *skeleton = to_skeleton(state, v[SKELETON], "Clip: skeleton");
    int given;
    double frame_time;
    bool looping = false;
    if (!skeleton || to_frame_time(v[FPS], v[FRAME_TIME], &given, &frame_time) < 0) return NULL;
    if (given == 0) {
        PyErr_SetString(PyExc_TypeError, "Clip: give fps (frames a second) or frame_time (seconds)");
        return NULL;
    }
    if (v[LOOPING] && to_bool(v[LOOPING], "Clip: looping", &looping) < 0) return NULL;

    ct_clip *core = core_of_arrays(skeleton, &v[ROTATIONS], frame_time, looping);
    if (!core) return NULL;
    clip_labels labels = {.name = NULL};
    clip_object *clip = NULL;
    if ((labels.name = to_name(v[NAME])) && (labels.markers = to_markers(v[MARKERS], end_of(core, frame_time, looping))) &&
        (labels.tags = to_tags(v[TAGS])) && (labels.curves = to_curves(v[CURVES], core->frame_count))) {
        clip = wrap_clip(state, core, skeleton, &labels);
    } else {
        ct_clip_destroy(core);
    }
    release_labels(&labels);
    return (PyObject *)clip;
}

static PyObject *clip_replace(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    enum { SKELETON, NAME, LOOPING, MARKERS, TAGS, CURVES, FPS, FRAME_TIME, SOURCE, PARAMETER_COUNT };
    static const signature s = {
        "Clip.replace", 0, 0, {"skeleton", "name", "looping", "markers", "tags", "curves", "fps", "frame_time", "source", NULL}};
    PyObject *v[PARAMETER_COUNT];
    if (parse(&s, args, count, names, v) < 0) return NULL;

    clip_object *self = (clip_object *)op;
    module_state *state = state_of(Py_TYPE(op));
    skeleton_object *skeleton = v[SKELETON] ? to_skeleton(state, v[SKELETON], "Clip.replace: skeleton") : self->skeleton;
    if (!skeleton) return NULL;
    if (skeleton->core->joint_count != self->core->layout.joint_count) {
        return PyErr_Format(PyExc_ValueError, "Clip.replace: skeleton has %zu joints, the clip has %zu", skeleton->core->joint_count,
                            self->core->layout.joint_count);
    }
    bool looping = self->core->looping;
    int given;
    double frame_time = self->core->frame_time;
    if (v[LOOPING] && to_bool(v[LOOPING], "Clip: looping", &looping) < 0) return NULL;
    if (to_frame_time(v[FPS], v[FRAME_TIME], &given, &frame_time) < 0) return NULL;
    ct_error error;
    if (ct_clip_check_time(self->core->frame_count, frame_time, &error) != CT_OK) return raise_error(&error, "Clip.replace");

    double end = end_of(self->core, frame_time, looping);
    const clip_labels *old = &self->labels;
    clip_labels labels = {.name = NULL};
    clip_object *clip = NULL;
    if ((labels.name = v[NAME] ? to_name(v[NAME]) : Py_NewRef(old->name)) &&
        (labels.markers =
             v[MARKERS] ? to_markers(v[MARKERS], end) : move_markers(old->markers, 0, frame_time / self->core->frame_time, end)) &&
        (labels.tags = v[TAGS] ? to_tags(v[TAGS]) : Py_NewRef(old->tags)) &&
        (labels.curves = v[CURVES] ? to_curves(v[CURVES], self->core->frame_count) : Py_NewRef(old->curves)) &&
        (labels.source = v[SOURCE] ? to_source(v[SOURCE]) : Py_NewRef(old->source))) {
        clip = share_clip(state, self, skeleton, frame_time, looping, &labels);
    }
    release_labels(&labels);
    return (PyObject *)clip;
}

// ------------------------------------------------------------------------------------------------------------------ attributes

typedef struct part {
    int first, width;
} part;

static part rotations = {CT_ROTATION, 4};
static part translations = {CT_TRANSLATION, 3};
static part scales = {CT_SCALE, 3};

static PyObject *get_part(PyObject *op, void *closure)
{
    const part *p = closure;
    const ct_clip *core = ((clip_object *)op)->core;
    if ((size_t)(p->first + p->width) > core->layout.component_count) Py_RETURN_NONE;
    npy_intp shape[3] = {(npy_intp)core->frame_count, (npy_intp)core->layout.joint_count, p->width};
    npy_intp strides[3] = {(npy_intp)(ct_row_length(core->layout) * sizeof(float)), sizeof(float),
                           (npy_intp)(core->layout.stride * sizeof(float))};
    return view_of(op, NPY_FLOAT, 3, shape, strides, core->rows + (size_t)p->first * core->layout.stride);
}

PyArrayObject *view_rows(PyObject *owner, const ct_clip *core)
{
    const ct_layout layout = core->layout;
    npy_intp shape[3] = {(npy_intp)core->frame_count, (npy_intp)layout.component_count, (npy_intp)layout.stride};
    npy_intp strides[3] = {(npy_intp)(ct_row_length(layout) * sizeof(float)), (npy_intp)(layout.stride * sizeof(float)), sizeof(float)};
    return (PyArrayObject *)view_of(owner, NPY_FLOAT, 3, shape, strides, core->rows);
}

static PyObject *get_poses(PyObject *op, void *closure)
{
    (void)closure;
    clip_object *self = (clip_object *)op;
    return (PyObject *)wrap_rows(state_of(Py_TYPE(op))->pose_type, (PyObject *)view_rows(op, self->core), self->core->layout.joint_count);
}

static PyObject *get_skeleton(PyObject *op, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((clip_object *)op)->skeleton);
}

static PyObject *get_label(PyObject *op, void *closure) { return Py_NewRef(*(PyObject **)((char *)op + (size_t)(uintptr_t)closure)); }

static PyObject *get_mapping(PyObject *op, void *closure)
{
    PyObject *views = view_labels(*(PyObject **)((char *)op + (size_t)(uintptr_t)closure), op);
    PyObject *proxy = views ? PyDictProxy_New(views) : NULL;
    Py_XDECREF(views);
    return proxy;
}

static PyObject *get_frame_time(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(((clip_object *)op)->core->frame_time);
}

static PyObject *get_fps(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(usual_rate(((clip_object *)op)->core->frame_time));
}

static PyObject *get_duration(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(ct_clip_duration(((clip_object *)op)->core));
}

static PyObject *get_period(PyObject *op, void *closure)
{
    (void)closure;
    return PyFloat_FromDouble(ct_clip_period(((clip_object *)op)->core));
}

static PyObject *get_speed(PyObject *op, void *closure)
{
    (void)closure;
    clip_object *self = (clip_object *)op;
    double speed = 0;
    ct_error error;
    if (ct_clip_speed(self->core, active_kernels(), CT_PLUS_Y, &speed, &error) != CT_OK) return raise_error(&error, "Clip.speed");
    return PyFloat_FromDouble(speed);
}

static PyObject *get_looping(PyObject *op, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((clip_object *)op)->core->looping);
}

// -------------------------------------------------------------------------------------------------------------------- sequence

static Py_ssize_t clip_length(PyObject *op) { return (Py_ssize_t)((clip_object *)op)->core->frame_count; }

static PyObject *clip_frame(PyObject *op, Py_ssize_t frame)
{
    clip_object *self = (clip_object *)op;
    const ct_layout layout = self->core->layout;
    if (frame < 0 || frame >= clip_length(op)) {
        return PyErr_Format(PyExc_IndexError, "frame %zd of a clip of %zu frames", frame, self->core->frame_count);
    }
    pose_object *pose = new_pose(state_of(Py_TYPE(op))->pose_type, layout.joint_count, layout.component_count, 0, NULL);
    if (!pose) return NULL;
    size_t length = ct_row_length(layout);
    memcpy(poses_of(pose).rows, self->core->rows + (size_t)frame * length, length * sizeof(float));
    return (PyObject *)pose;
}

static PyObject *clip_slice(clip_object *self, PyObject *slice)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) return NULL;
    Py_ssize_t count = PySlice_AdjustIndices((Py_ssize_t)self->core->frame_count, &start, &stop, step);
    ct_clip *core;
    ct_error error;
    core_call call;
    enter_core(&call, (size_t)count * self->core->layout.joint_count);
    ct_status status = ct_clip_slice(self->core, count ? (size_t)start : 0, step, (size_t)count, &core, &error);
    leave_core(&call);
    if (status != CT_OK) return raise_error(&error, "Clip");

    clip_labels labels = self->labels;
    labels.markers = slice_markers(labels.markers, (double)start * self->core->frame_time, step < 0, ct_clip_duration(core));
    labels.curves = slice_curves(labels.curves, slice);
    clip_object *clip = NULL;
    if (labels.markers && labels.curves)
        clip = wrap_clip(state_of(Py_TYPE(self)), core, self->skeleton, &labels);
    else
        ct_clip_destroy(core);
    Py_XDECREF(labels.markers);
    Py_XDECREF(labels.curves);
    return (PyObject *)clip;
}

static PyObject *clip_subscript(PyObject *op, PyObject *key)
{
    if (PySlice_Check(key)) return clip_slice((clip_object *)op, key);
    if (!PyIndex_Check(key)) {
        return PyErr_Format(PyExc_TypeError, "a Clip is indexed by frame or slice of frames, not %.100s; use .poses or .rotations for more",
                            Py_TYPE(key)->tp_name);
    }
    Py_ssize_t frame = PyNumber_AsSsize_t(key, NULL); // clipped: out of range either way
    if (frame == -1 && PyErr_Occurred()) return NULL;
    if (frame >= -clip_length(op) && frame < clip_length(op)) return clip_frame(op, frame < 0 ? frame + clip_length(op) : frame);
    return PyErr_Format(PyExc_IndexError, "frame %S of a clip of %zd frames", key, clip_length(op));
}

// ------------------------------------------------------------------------------------------------------------- text and pickles

static PyObject *number_text(double number, char format, int precision)
{
    char *text = PyOS_double_to_string(number, format, precision, 0, NULL);
    PyObject *result = text ? PyUnicode_FromString(text) : PyErr_NoMemory();
    PyMem_Free(text);
    return result;
}

PyObject *clip_text(const char *type, const ct_clip *core, PyObject *name, const char *rest)
{
    enum { NAME_SHOWN = 40 };
    PyObject *fps = number_text(usual_rate(core->frame_time), 'g', 6);
    PyObject *seconds = number_text(ct_clip_duration(core), 'f', 2);
    PyObject *shown = PyUnicode_GET_LENGTH(name) > NAME_SHOWN ? PyUnicode_Substring(name, 0, NAME_SHOWN - 1) : Py_NewRef(name);
    PyObject *text = NULL;
    if (fps && seconds && shown) {
        const char *cut = PyUnicode_GET_LENGTH(name) > NAME_SHOWN ? "..." : "";
        PyObject *label = PyUnicode_GET_LENGTH(name) ? PyUnicode_FromFormat(" %R%s", shown, cut) : PyUnicode_FromString("");
        size_t frames = core->frame_count, joints = core->layout.joint_count;
        if (label) {
            text =
                PyUnicode_FromFormat("<%s%U: %zu frame%s at %U fps (%U s), %zu joint%s%s%s>", type, label, frames, frames == 1 ? "" : "s",
                                     fps, seconds, joints, joints == 1 ? "" : "s", rest, core->looping ? ", looping" : "");
        }
        Py_XDECREF(label);
    }
    Py_XDECREF(fps);
    Py_XDECREF(seconds);
    Py_XDECREF(shown);
    return text;
}

static PyObject *clip_repr(PyObject *op)
{
    const clip_object *self = (clip_object *)op;
    return clip_text("Clip", self->core, self->labels.name, "");
}

// The rows are an array, which pickles out of band by itself.
static PyObject *clip_reduce(PyObject *op, PyObject *protocol)
{
    (void)protocol;
    clip_object *self = (clip_object *)op;
    PyObject *restore = PyObject_GetAttrString((PyObject *)Py_TYPE(op), "_restore");
    PyArrayObject *rows = restore ? view_rows(op, self->core) : NULL;
    if (!rows) {
        Py_XDECREF(restore);
        return NULL;
    }
    const clip_labels *l = &self->labels;
    PyObject *markers = view_labels(l->markers, op), *curves = markers ? view_labels(l->curves, op) : NULL;
    return Py_BuildValue("N(ONdOONONO)", restore, self->skeleton, rows, self->core->frame_time, self->core->looping ? Py_True : Py_False,
                         l->name, markers, l->tags, curves, l->source);
}

ct_clip *core_of_rows(skeleton_object *skeleton, PyArrayObject *rows, double frame_time, bool looping)
{
    npy_intp components = PyArray_DIM(rows, 1);
    if (components != CT_COMPONENTS_TRANSLATION && components != CT_COMPONENTS_SCALE) {
        PyErr_Format(PyExc_ValueError, "Clip: rows of %zd components, expected 7 or 10", (Py_ssize_t)components);
        return NULL;
    }
    ct_allocator allocator = python_allocator();
    ct_clip *core = NULL;
    ct_error error;
    ct_status status = ct_clip_create(&allocator, skeleton->core, (size_t)PyArray_DIM(rows, 0), frame_time, looping,
                                      components == CT_COMPONENTS_SCALE, &core, &error);
    if (status == CT_OK) {
        memcpy(core->rows, PyArray_DATA(rows), (size_t)PyArray_NBYTES(rows));
        ct_layout_pad(core->layout, core->frame_count, core->rows);
        status = ct_clip_finish(core, &error);
    }
    if (status == CT_OK) return core;
    ct_clip_destroy(core);
    raise_error(&error, "Clip");
    return NULL;
}

static PyObject *clip_restore(PyObject *type, PyObject *args)
{
    PyObject *skeleton_value, *rows_value, *frame_time_value, *looping_value, *name, *markers, *tags, *curves, *source;
    if (!PyArg_ParseTuple(args, "OOOOOOOOO", &skeleton_value, &rows_value, &frame_time_value, &looping_value, &name, &markers, &tags,
                          &curves, &source))
        return NULL;
    module_state *state = state_of((PyTypeObject *)type);
    skeleton_object *skeleton = to_skeleton(state, skeleton_value, "Clip: skeleton");
    double frame_time;
    bool looping;
    if (!skeleton || to_positive(frame_time_value, "Clip: frame_time", &frame_time) < 0 ||
        to_bool(looping_value, "Clip: looping", &looping) < 0)
        return NULL;

    npy_intp shape[3] = {ANY, ANY, (npy_intp)ct_stride(skeleton->core->joint_count)};
    PyArrayObject *rows = to_array(rows_value, NPY_FLOAT, "Clip: rows", 3, shape, false);
    if (!rows) return NULL;
    ct_clip *core = core_of_rows(skeleton, rows, frame_time, looping);
    Py_DECREF(rows);
    if (!core) return NULL;

    clip_labels labels = {0};
    clip_object *clip = NULL;
    if ((labels.name = to_name(name)) && (labels.markers = to_markers(markers, end_of(core, frame_time, looping))) &&
        (labels.tags = to_tags(tags)) && (labels.curves = to_curves(curves, core->frame_count)) && (labels.source = to_source(source))) {
        clip = wrap_clip(state, core, skeleton, &labels);
    } else {
        ct_clip_destroy(core);
    }
    release_labels(&labels);
    return (PyObject *)clip;
}

// Immutable: a copy is the thing itself.
static PyObject *clip_copy(PyObject *op, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(op);
}

// -------------------------------------------------------------------------------------------------------------------- the type

#define CLIP_OWNED(DO)                                                                                                                     \
    DO(self->rows_owner);                                                                                                                  \
    DO(self->skeleton);                                                                                                                    \
    DO(self->labels.name);                                                                                                                 \
    DO(self->labels.markers);                                                                                                              \
    DO(self->labels.tags);                                                                                                                 \
    DO(self->labels.curves);                                                                                                               \
    DO(self->labels.source);
#define CLIP_RELEASE                                                                                                                       \
    if (!self->rows_owner) ct_clip_destroy(self->core)
OWNER_TYPE(clip_object, CLIP_OWNED, CLIP_RELEASE)

PyDoc_STRVAR(
    clip_doc,
    "Clip(skeleton, rotations, translations=None, *, fps=None, frame_time=None, scales=None, looping=False, name=\"\", markers=None, "
    "tags=None, curves=None)\n--\n\n"
    "Poses of a skeleton over time, at an even rate. Immutable.\n\n"
    "Parameters\n----------\n"
    "skeleton : Skeleton\n"
    "    Of J joints.\n"
    "rotations : array_like, shape (F, J, 4)\n"
    "    Quaternions w, x, y, z, each joint relative to its parent; normalised, signs made continuous along time.\n"
    "translations : array_like, shape (F, J, 3) or (F, 3), optional\n"
    "    Where each joint is in its parent's axes; they replace the skeleton's offsets. (F, 3) moves joint 0 alone and leaves the\n"
    "    others on their offsets; None leaves all there.\n"
    "fps, frame_time : float\n"
    "    Frames a second, or seconds a frame: one of them.\n"
    "scales : array_like, shape (F, J, 3), optional\n"
    "looping : bool\n"
    "    The last frame leads back to the first: see `period`.\n"
    "name : str\n"
    "markers : mapping of str to array_like, optional\n"
    "    Named moments, in seconds within the clip (footfalls, say).\n"
    "tags : iterable of str, optional\n"
    "    What the clip shows (\"walk\", \"turn\").\n"
    "curves : mapping of str to array_like, shape (F,) or (F, n), optional\n"
    "    Named numbers that go along with the frames, in any unit: scalars, or vectors of n. Four are a rotation, a unit quaternion\n"
    "    w, x, y, z, which is interpolated the short way.\n\n"
    "Raises\n------\n"
    "ValueError\n"
    "    A shape does not fit the skeleton, a number is not finite, a quaternion is zero, a marker lies outside the clip, a\n"
    "    rotation of a curve is not of length 1.\n"
    "TypeError\n"
    "    Not exactly one of fps and frame_time was given.\n\n"
    "Notes\n-----\n"
    "Numbers are kept as float32, times as float64. F frames last (F - 1) * frame_time; F may be 0. len(clip) is F, clip[10:200] a\n"
    "clip (a step makes frame_time longer, a negative one turns time round, markers move along; a foot that is down where a slice begins\n"
    "comes down at 0 of it), clip[5] a Pose. Two clips are equal when they are the same object.\n\n"
    "Curves mean what their maker says, so no edit turns or scales them; they are cut, turned round in time and resampled with the\n"
    "frames.\n\n"
    "Examples\n--------\n"
    ">>> import numpy as np, canter as ct\n"
    ">>> arm = ct.Skeleton([\"upper\", \"lower\"], [-1, 0], [[0, 0, 0], [0.3, 0, 0]])\n"
    ">>> clip = ct.Clip(arm, np.tile([1.0, 0, 0, 0], (61, 2, 1)), fps=30, name=\"still\")\n"
    ">>> clip\n"
    "<Clip 'still': 61 frames at 30 fps (2.00 s), 2 joints>\n"
    ">>> clip[:31].duration\n"
    "1.0");

PyDoc_STRVAR(clip_replace_doc,
             "replace($self, /, *, skeleton=..., name=..., looping=..., markers=..., tags=..., curves=..., fps=..., frame_time=..., "
             "source=...)\n--\n\n"
             "The same frames under other labels, at another rate or on another skeleton; nothing is copied.\n\n"
             "Parameters\n----------\n"
             "skeleton : Skeleton\n"
             "    Of as many joints: other names, offsets or tips. Rotations and translations stay as they are.\n"
             "name, looping, markers, tags, curves, fps, frame_time\n"
             "    As in Clip; what is left out stays. A new rate moves the markers along with their frames.\n"
             "source : Source or None\n"
             "    What `Clip.source` says.\n\n"
             "Returns\n-------\n"
             "Clip\n\n"
             "Raises\n------\n"
             "ValueError\n"
             "    The skeleton has another number of joints, a rate is not above 0, a marker lies outside the clip.\n"
             "TypeError\n"
             "    Both fps and frame_time were given.");

#define LABEL(field) ((void *)(uintptr_t)(offsetof(clip_object, labels) + offsetof(clip_labels, field)))

static PyGetSetDef clip_attributes[] = {
    {"skeleton", get_skeleton, NULL, "The Skeleton that moves.", NULL},
    {"rotations", get_part, NULL, "Quaternions w, x, y, z, shape (F, J, 4): a read-only view.", &rotations},
    {"translations", get_part, NULL, "Shape (F, J, 3): a read-only view.", &translations},
    {"scales", get_part, NULL, "Shape (F, J, 3): a read-only view, or None.", &scales},
    {"poses", get_poses, NULL, "All frames as one Pose of batch shape (F,); shares the memory.", NULL},
    {"frame_time", get_frame_time, NULL, "Seconds from frame to frame, exactly as given.", NULL},
    {"fps", get_fps, NULL,
     "Frames a second: 1 / frame_time, or the usual rate (23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 100, 119.88, 120, 125, 240) within "
     "0.05 % of it, since files round their frame time.",
     NULL},
    {"duration", get_duration, NULL, "Seconds from the first frame to the last, (F - 1) * frame_time.", NULL},
    {"period", get_period, NULL,
     "Seconds after which a loop repeats: the duration when the last frame shows the first again, else one frame_time more.", NULL},
    {"speed", get_speed, NULL,
     "Mean speed over the ground, units a second: the length of the path of the hips (see root_motion) by the time it takes, +Y being up. "
     "0 for a loop on the spot.",
     NULL},
    {"looping", get_looping, NULL, "Does the last frame lead back to the first?", NULL},
    {"name", get_label, NULL, "A name, \"\" when there is none.", LABEL(name)},
    {"markers", get_mapping, NULL, "Named moments: read-only mapping of str to float64 array of seconds, ascending.", LABEL(markers)},
    {"tags", get_label, NULL, "What the clip shows: frozenset of str.", LABEL(tags)},
    {"curves", get_mapping, NULL,
     "Numbers that go along with the frames: read-only mapping of str to float32 array (F,) or (F, n). Channels of a file that no joint "
     "understands are there as \"joint.channel\".",
     LABEL(curves)},
    {"source", get_label, NULL, "What the file was and what is believed about it: a Source, or None.", LABEL(source)},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef clip_methods[] = {
    KEYWORD_METHOD("replace", clip_replace),
    CLIP_SAMPLING_METHODS,
    CLIP_TRACK_METHODS,
    CLIP_EDIT_METHODS,
    CLIP_VIEW_METHOD,
    {"__reduce_ex__", clip_reduce, METH_O, NULL},
    {"__copy__", clip_copy, METH_NOARGS, NULL},
    {"__deepcopy__", clip_copy, METH_O, NULL},
    HTML_METHOD,
    {"_restore", clip_restore, METH_VARARGS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot clip_slots[] = {
    {Py_tp_new, clip_new},
    {Py_tp_doc, (void *)(uintptr_t)clip_doc},
    {Py_tp_dealloc, clip_object_dealloc},
    {Py_tp_traverse, clip_object_traverse},
    {Py_tp_repr, clip_repr},
    {Py_tp_methods, clip_methods},
    {Py_tp_getset, clip_attributes},
    {Py_mp_length, clip_length},
    {Py_mp_subscript, clip_subscript},
    {Py_sq_length, clip_length},
    {Py_sq_item, clip_frame},
    {0, NULL},
};

static PyType_Spec clip_spec = {
    .name = "canter.Clip",
    .basicsize = sizeof(clip_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = clip_slots,
};

int add_clip_type(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    return add_type(module, &clip_spec, &state->clip_type);
}

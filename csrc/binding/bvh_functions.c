// Reading and writing BVH: bytes in, a clip and what else the file said out. Files, warnings and options that are not the core's are in
// files.py.
#include "bvh.h"

#include <string.h>

#include "arguments.h"
#include "binding.h"
#include "clip_labels.h"
#include "clip_type.h"
#include "convert.h"
#include "core_call.h"
#include "stance.h"

static const char *const channel_names[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation",
                                            "Zrotation", "Xscale",    "Yscale",    "Zscale"}; // ct_channel

// ------------------------------------------------------------------------------------------------------------------------- read

// "walk.bvh:214:17: message"; the place is left out where there is none.
static PyObject *raise_in_file(const ct_error *error, PyObject *file)
{
    if (error->code == CT_OUT_OF_MEMORY || error->code == CT_INTERRUPTED) return raise_error(error, NULL);
    PyObject *message = PyUnicode_DecodeUTF8(error->message, (Py_ssize_t)strlen(error->message), "replace");
    if (message && error->line) {
        PyErr_Format(PyExc_ValueError, "%U:%zu:%zu: %U", file, error->line, error->column, message);
    } else if (message) {
        PyErr_Format(PyExc_ValueError, "%U: %U", file, message);
    }
    Py_XDECREF(message);
    return NULL;
}

// Calls make(bvh, i) for every i and keeps what it makes in a tuple.
static PyObject *tuple_of(const ct_bvh *bvh, size_t count, PyObject *(*make)(const ct_bvh *bvh, size_t i))
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; ++i) {
        PyObject *item = make(bvh, i);
        if (!item)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, item);
    }
    return tuple;
}

// `curve` is the joint's first one and becomes the next joint's.
static PyObject *channels_of_joint(const ct_bvh *bvh, size_t joint, size_t *curve)
{
    size_t first = bvh->channel_starts[joint], end = bvh->channel_starts[joint + 1];
    PyObject *channels = PyTuple_New((Py_ssize_t)(end - first));
    for (size_t i = first; channels && i < end; ++i) {
        PyObject *name =
            bvh->channels[i] == CT_CHANNEL_OTHER ? text_of(bvh->curve_names[(*curve)++]) : text_of(channel_names[bvh->channels[i]]);
        if (!name)
            Py_CLEAR(channels);
        else
            PyTuple_SET_ITEM(channels, (Py_ssize_t)(i - first), name);
    }
    return channels;
}

static PyObject *channels_of(const ct_bvh *bvh)
{
    PyObject *all = PyTuple_New((Py_ssize_t)bvh->skeleton->joint_count);
    size_t curve = 0;
    for (size_t joint = 0; all && joint < bvh->skeleton->joint_count; ++joint) {
        PyObject *channels = channels_of_joint(bvh, joint, &curve);
        if (!channels)
            Py_CLEAR(all);
        else
            PyTuple_SET_ITEM(all, (Py_ssize_t)joint, channels);
    }
    return all;
}

static PyObject *tip_name(const ct_bvh *bvh, size_t tip) { return text_of(bvh->tip_names[tip]); }

static PyObject *note_of(const ct_bvh *bvh, size_t i)
{
    const ct_bvh_note *note = &bvh->notes[i];
    return Py_BuildValue("(nnnN)", (Py_ssize_t)note->line, (Py_ssize_t)note->column, (Py_ssize_t)note->count,
                         PyUnicode_DecodeUTF8(note->message, (Py_ssize_t)strlen(note->message), "replace"));
}

// What is believed about the file from the shape of its figure.
static bool put_beliefs(PyObject *facts, const ct_bvh *bvh)
{
    static const char *const units[CT_UNIT_COUNT] = {"", "m", "cm", "mm", "inch", "CMU"}; // ct_unit
    ct_stance stance;
    ct_error error;
    core_call call;
    enter_core(&call, bvh->clip->frame_count * bvh->skeleton->joint_count);
    ct_status status = ct_stance_of(bvh->clip, active_kernels(), &stance, &error);
    leave_core(&call);
    if (status != CT_OK) return raise_error(&error, "load_bvh") != NULL;
    return put(facts, "up", PyUnicode_FromString(axis_name(stance.up))) && put(facts, "unit", PyUnicode_FromString(units[stance.unit])) &&
           put(facts, "height", PyFloat_FromDouble(stance.height)) && put(facts, "stature", PyFloat_FromDouble(stance.stature)) &&
           put(facts, "floor", PyFloat_FromDouble(stance.floor));
}

// What the file said beside skeleton and motion.
static PyObject *facts_of(const ct_bvh *bvh)
{
    PyObject *facts = PyDict_New();
    if (facts && put_beliefs(facts, bvh) && put(facts, "frame_time", PyFloat_FromDouble(bvh->file_frame_time)) &&
        put(facts, "declared_frames", PyLong_FromSize_t(bvh->declared_frame_count)) && put(facts, "channels", channels_of(bvh)) &&
        put(facts, "tip_names", tuple_of(bvh, bvh->skeleton->tip_count, tip_name)) &&
        put(facts, "notes", tuple_of(bvh, bvh->note_count, note_of)))
        return facts;
    Py_XDECREF(facts);
    return NULL;
}

static PyObject *curve_array(const ct_bvh *bvh, size_t curve)
{
    npy_intp count = (npy_intp)bvh->clip->frame_count;
    PyArrayObject *array = (PyArrayObject *)PyArray_SimpleNew(1, &count, NPY_FLOAT);
    if (!array) return NULL;
    float *numbers = PyArray_DATA(array);
    for (npy_intp i = 0; i < count; ++i) numbers[i] = bvh->curves[(size_t)i * bvh->curve_count + curve];
    PyArray_CLEARFLAGS(array, NPY_ARRAY_WRITEABLE);
    return (PyObject *)array;
}

// "joint.channel", with " 2", " 3" ... behind it where that is taken. `numbers` has the last number that each name got: files of one name
// a thousand times would take for ever otherwise.
static PyObject *free_curve_name(PyObject *curves, PyObject *numbers, const char *joint, const char *channel)
{
    PyObject *joint_name = text_of(joint), *channel_name = joint_name ? text_of(channel) : NULL;
    PyObject *plain = channel_name ? PyUnicode_FromFormat("%U.%U", joint_name, channel_name) : NULL, *name = Py_XNewRef(plain);
    PyObject *last = plain ? PyDict_GetItemWithError(numbers, plain) : NULL;
    long i = last ? PyLong_AsLong(last) : 1;
    while (name && PyDict_Contains(curves, name) == 1) Py_SETREF(name, PyUnicode_FromFormat("%U %ld", plain, ++i));
    PyObject *number = name && i > 1 ? PyLong_FromLong(i) : NULL;
    if (name && i > 1 && (!number || PyDict_SetItem(numbers, plain, number) < 0)) Py_CLEAR(name);
    Py_XDECREF(number);
    Py_XDECREF(plain);
    Py_XDECREF(joint_name);
    Py_XDECREF(channel_name);
    return name;
}

static PyObject *curves_of(const ct_bvh *bvh)
{
    PyObject *curves = PyDict_New(), *numbers_given = PyDict_New();
    if (!numbers_given) Py_CLEAR(curves);
    size_t curve = 0;
    for (size_t joint = 0; curves && joint < bvh->skeleton->joint_count; ++joint) {
        for (size_t i = bvh->channel_starts[joint]; curves && i < bvh->channel_starts[joint + 1]; ++i) {
            if (bvh->channels[i] != CT_CHANNEL_OTHER) continue;
            PyObject *name = free_curve_name(curves, numbers_given, bvh->skeleton->names[joint], bvh->curve_names[curve]);
            PyObject *numbers = name ? curve_array(bvh, curve++) : NULL;
            if (!numbers || PyDict_SetItem(curves, name, numbers) < 0) Py_CLEAR(curves);
            Py_XDECREF(name);
            Py_XDECREF(numbers);
        }
    }
    Py_XDECREF(numbers_given);
    return curves;
}

// The clip of what was read, which gives up its skeleton and clip.
static clip_object *take_clip(module_state *state, ct_bvh *bvh)
{
    clip_labels labels = {.curves = curves_of(bvh)};
    if (!labels.curves) return NULL;
    ct_skeleton *skeleton_core = bvh->skeleton;
    bvh->skeleton = NULL;
    skeleton_object *skeleton = wrap_skeleton(state, skeleton_core);
    clip_object *clip = NULL;
    if (skeleton) {
        ct_clip *core = bvh->clip;
        bvh->clip = NULL;
        clip = wrap_clip(state, core, skeleton, &labels);
        Py_DECREF(skeleton);
    }
    release_labels(&labels);
    return clip;
}

static ct_bvh *read_text(const Py_buffer *text, const ct_bvh_options *options, PyObject *file)
{
    enum { BYTES_PER_UNIT_OF_WORK = 64 };
    ct_allocator allocator = python_allocator();
    ct_bvh *bvh = NULL;
    ct_error error;
    core_call call;
    enter_core(&call, (size_t)text->len / BYTES_PER_UNIT_OF_WORK);
    ct_status status = ct_bvh_read(&allocator, active_kernels(), text->buf, (size_t)text->len, options, &bvh, &error);
    leave_core(&call);
    if (status == CT_OK) return bvh;
    raise_in_file(&error, file);
    return NULL;
}

static PyObject *read_bvh(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    enum { DATA, FILE_NAME, STRICT, ADD, SCALE, FPS, PARAMETER_COUNT };
    static const signature s = {"load_bvh", 2, 2, {"/data", "/file", "strict", "root_offset", "scale", "fps", NULL}};
    static const char *const root_offsets[] = {"replace", "add", NULL};
    PyObject *v[PARAMETER_COUNT];
    ct_bvh_options options = {.scale = 1};
    int root_offset = 0;
    if (parse(&s, args, count, names, v) < 0) return NULL;
    if (v[STRICT] && to_bool(v[STRICT], "load_bvh: strict", &options.strict) < 0) return NULL;
    if (v[ADD] && to_choice(v[ADD], "load_bvh: root_offset", root_offsets, &root_offset) < 0) return NULL;
    if (v[SCALE] && to_positive(v[SCALE], "load_bvh: scale", &options.scale) < 0) return NULL;
    if (v[FPS] && v[FPS] != Py_None && to_positive(v[FPS], "load_bvh: fps", &options.fps) < 0) return NULL;
    options.root_offset_add = root_offset == 1;

    if (!PyUnicode_Check(v[FILE_NAME])) return PyErr_Format(PyExc_TypeError, "load_bvh: file is %R, expected a str", v[FILE_NAME]);
    Py_buffer text;
    if (PyObject_GetBuffer(v[DATA], &text, PyBUF_SIMPLE) < 0) return NULL;
    ct_bvh *bvh = read_text(&text, &options, v[FILE_NAME]);
    PyBuffer_Release(&text);
    if (!bvh) return NULL;

    PyObject *facts = facts_of(bvh);
    clip_object *clip = facts ? take_clip(PyModule_GetState(module), bvh) : NULL;
    ct_bvh_destroy(bvh);
    if (clip) return Py_BuildValue("(NN)", clip, facts);
    Py_XDECREF(facts);
    return NULL;
}

PyDoc_STRVAR(read_bvh_doc, "read_bvh($module, data, file, /, *, strict=False, root_offset='replace', scale=1.0, fps=None)\n--\n\n"
                           "A clip and a dict of what else the file said. `data` is any buffer; `file` is its name in messages.");

// ------------------------------------------------------------------------------------------------------------------------ write

// A ct_bvh_layout made of Python values, which it owns.
typedef struct owned_layout {
    ct_bvh_layout layout;
    uint8_t *channels;
    size_t *channel_starts;
    const char **texts; // tip names, then curve names: borrowed from the str of the caller
    float *curves;
} owned_layout;

static void release_layout(owned_layout *owned)
{
    PyMem_Free(owned->channels);
    PyMem_Free(owned->channel_starts);
    PyMem_Free(owned->texts);
    PyMem_Free(owned->curves);
}

static bool is_tuple_of(PyObject *value, size_t count)
{
    if (PyTuple_Check(value) && (size_t)PyTuple_GET_SIZE(value) == count) return true;
    PyErr_Format(PyExc_ValueError, "save_bvh: layout has %zd parts, the skeleton needs %zu",
                 PyTuple_Check(value) ? PyTuple_GET_SIZE(value) : 0, count);
    return false;
}

// As readers take it: a second position or scale about one axis is a curve. `before` are the joint's channels so far.
static uint8_t to_channel(const char *name, const uint8_t *before, size_t count)
{
    uint8_t channel = 0;
    while (channel < CT_CHANNEL_OTHER && PyOS_stricmp(name, channel_names[channel]) != 0) ++channel;
    bool repeated = count > 0 && !ct_channel_is_rotation(channel) && memchr(before, channel, count);
    return repeated ? CT_CHANNEL_OTHER : channel;
}

// channels: a tuple of str a joint. Unknown names are curves, as many as the clip has or none at all.
static bool take_channels(owned_layout *owned, PyObject *channels, size_t joint_count, const char **curve_names)
{
    size_t column = 0;
    for (size_t joint = 0; joint < joint_count; ++joint) {
        PyObject *names = PyTuple_GET_ITEM(channels, (Py_ssize_t)joint);
        owned->channel_starts[joint] = column;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); ++i, ++column) {
            const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, i));
            if (!name) return false;
            owned->channels[column] = to_channel(name, owned->channels + column - i, (size_t)i);
            if (owned->channels[column] == CT_CHANNEL_OTHER) curve_names[owned->layout.curve_count++] = name;
        }
    }
    owned->channel_starts[joint_count] = column;
    return true;
}

static bool is_scalar(PyObject *curve) { return PyArray_NDIM((PyArrayObject *)curve) == 1; }

// The clip's curves that are called as the reader calls those of these channels; fewer when some are missing.
static PyObject *curves_by_name(const owned_layout *owned, const clip_object *clip, const char *const *curve_names)
{
    PyObject *found = PyList_New(0), *taken = PyDict_New(), *numbers = PyDict_New();
    bool good = found && taken && numbers;
    size_t curve = 0;
    for (size_t joint = 0; good && joint < clip->core->layout.joint_count; ++joint) {
        for (size_t i = owned->channel_starts[joint]; good && i < owned->channel_starts[joint + 1]; ++i) {
            if (owned->channels[i] != CT_CHANNEL_OTHER) continue;
            PyObject *name = free_curve_name(taken, numbers, clip->core->skeleton->names[joint], curve_names[curve++]);
            good = name && PyDict_SetItem(taken, name, Py_None) == 0;
            PyObject *values = good ? PyDict_GetItemWithError(clip->labels.curves, name) : NULL;
            if (values && is_scalar(values)) good = PyList_Append(found, values) == 0;
            Py_XDECREF(name);
            good = good && !PyErr_Occurred();
        }
    }
    Py_XDECREF(taken);
    Py_XDECREF(numbers);
    if (!good) Py_CLEAR(found);
    return found;
}

static PyObject *scalar_curves(const clip_object *clip)
{
    PyObject *found = PyList_New(0), *name, *value;
    Py_ssize_t position = 0;
    while (found && PyDict_Next(clip->labels.curves, &position, &name, &value)) {
        if (is_scalar(value) && PyList_Append(found, value) < 0) Py_CLEAR(found);
    }
    return found;
}

// The curves of the unknown channels as rows: by name, or else the scalar ones in their order; none unless there are as many.
static bool take_curves(owned_layout *owned, const clip_object *clip, const char *const *curve_names)
{
    size_t curve_count = owned->layout.curve_count, frame_count = clip->core->frame_count;
    if (curve_count == 0) return true;
    PyObject *found = curves_by_name(owned, clip, curve_names);
    if (found && (size_t)PyList_GET_SIZE(found) != curve_count) Py_SETREF(found, scalar_curves(clip));
    if (found && (size_t)PyList_GET_SIZE(found) == curve_count) {
        owned->layout.curves = owned->curves = PyMem_Calloc(curve_count * frame_count + 1, sizeof *owned->curves);
        if (!owned->curves) {
            PyErr_NoMemory();
            Py_CLEAR(found);
        }
    }
    for (size_t curve = 0; found && owned->curves && curve < curve_count; ++curve) {
        const float *numbers = PyArray_DATA((PyArrayObject *)PyList_GET_ITEM(found, (Py_ssize_t)curve));
        for (size_t i = 0; i < frame_count; ++i) owned->curves[i * curve_count + curve] = numbers[i];
    }
    Py_XDECREF(found);
    return found != NULL;
}

static bool take_layout(owned_layout *owned, const clip_object *clip, PyObject *channels, PyObject *tip_names)
{
    size_t joint_count = clip->core->layout.joint_count, tip_count = clip->skeleton->core->tip_count, column_count = 0;
    if (!is_tuple_of(channels, joint_count) || !is_tuple_of(tip_names, tip_count)) return false;
    for (size_t joint = 0; joint < joint_count; ++joint) {
        PyObject *names = PyTuple_GET_ITEM(channels, (Py_ssize_t)joint);
        if (!PyTuple_Check(names)) return PyErr_SetString(PyExc_TypeError, "save_bvh: layout needs a tuple of str for each joint"), false;
        column_count += (size_t)PyTuple_GET_SIZE(names);
    }

    owned->channels = PyMem_Calloc(column_count + 1, sizeof *owned->channels);
    owned->channel_starts = PyMem_Calloc(joint_count + 1, sizeof *owned->channel_starts);
    owned->texts = PyMem_Calloc(tip_count + column_count + 1, sizeof *owned->texts);
    if (!owned->channels || !owned->channel_starts || !owned->texts) return PyErr_NoMemory(), false;

    for (size_t i = 0; i < tip_count; ++i) {
        if (!(owned->texts[i] = PyUnicode_AsUTF8(PyTuple_GET_ITEM(tip_names, (Py_ssize_t)i)))) return false;
    }
    const char **curve_names = owned->texts + tip_count;
    if (!take_channels(owned, channels, joint_count, curve_names) || !take_curves(owned, clip, curve_names)) return false;
    owned->layout.channels = owned->channels;
    owned->layout.channel_starts = owned->channel_starts;
    owned->layout.tip_names = owned->texts;
    owned->layout.curve_names = curve_names;
    return true;
}

// Where the bytes go: a callable of the caller's, called with the GIL.
typedef struct destination {
    PyObject *write;
    core_call call;
} destination;

static bool write_bytes(void *context, const char *bytes, size_t count)
{
    destination *to = context;
    if (to->call.thread) PyEval_RestoreThread(to->call.thread);
    PyObject *result = PyErr_CheckSignals() < 0 ? NULL : PyObject_CallFunction(to->write, "y#", bytes, (Py_ssize_t)count);
    bool done = result != NULL;
    Py_XDECREF(result);
    if (to->call.thread) to->call.thread = PyEval_SaveThread();
    return done;
}

static PyObject *write_bvh(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    enum { CLIP, WRITE, CHANNELS, TIP_NAMES, PARAMETER_COUNT };
    static const signature s = {"save_bvh", 4, 4, {"/clip", "/write", "/channels", "/tip_names", NULL}};
    PyObject *v[PARAMETER_COUNT];
    if (parse(&s, args, count, names, v) < 0) return NULL;
    clip_object *clip = to_clip(PyModule_GetState(module), v[CLIP], "save_bvh: clip");
    if (!clip) return NULL;

    owned_layout owned = {0};
    bool chosen = v[CHANNELS] != Py_None;
    if (chosen && !take_layout(&owned, clip, v[CHANNELS], v[TIP_NAMES])) {
        release_layout(&owned);
        return NULL;
    }
    destination to = {.write = v[WRITE]};
    ct_allocator allocator = python_allocator();
    ct_error error;
    enter_core(&to.call, work_of(clip));
    ct_status status =
        ct_bvh_write(&allocator, active_kernels(), clip->core, chosen ? &owned.layout : NULL, (ct_bvh_sink){write_bytes, &to}, &error);
    leave_core(&to.call);
    Py_ssize_t left_out = PyDict_GET_SIZE(clip->labels.curves) - (owned.curves ? (Py_ssize_t)owned.layout.curve_count : 0);
    release_layout(&owned);
    return status == CT_OK ? PyLong_FromSsize_t(left_out) : raise_error(&error, "save_bvh");
}

PyDoc_STRVAR(write_bvh_doc, "write_bvh($module, clip, write, channels, tip_names, /)\n--\n\n"
                            "Calls `write` with the bytes of a BVH file, piece by piece; never, if the layout does not fit the clip.\n\n"
                            "`channels` and `tip_names` are as in Source; None takes the default layout. Returns how many curves had no "
                            "place.");

static PyMethodDef functions[] = {
    KEYWORD_METHOD("read_bvh", read_bvh),
    KEYWORD_METHOD("write_bvh", write_bvh),
    {NULL, NULL, 0, NULL},
};

int add_bvh_functions(PyObject *module) { return PyModule_AddFunctions(module, functions); }

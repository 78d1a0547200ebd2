// check_functions.c: what is odd in a BVH file, as one dict. The words are python/canter/check.py's.
#include <string.h>

#include "bvh_check.h"
#include "clip_type.h"
#include "convert.h"

static bool put_count(PyObject *dict, const char *key, size_t value) { return put(dict, key, PyLong_FromSize_t(value)); }
static bool put_number(PyObject *dict, const char *key, double value) { return put(dict, key, PyFloat_FromDouble(value)); }
static bool put_flag(PyObject *dict, const char *key, bool value) { return put(dict, key, PyBool_FromLong(value)); }

// Files hold any bytes; what is no UTF-8 shows as a replacement character.
static bool put_span(PyObject *dict, const char *key, const char *text, ct_bvh_span span)
{
    return put(dict, key, PyUnicode_DecodeUTF8(text + span.start, (Py_ssize_t)span.length, "replace"));
}

static bool put_text_facts(PyObject *dict, const char *text, const ct_bvh_style *t)
{
    return put_count(dict, "crlf", t->crlf_count) && put_count(dict, "lf", t->lf_count) && put_count(dict, "cr", t->cr_count) &&
           put_flag(dict, "byte_order_mark", t->byte_order_mark) && put_flag(dict, "newline_at_end", t->newline_at_end) &&
           put(dict, "indent",
               PyUnicode_FromString(t->indent == '\t'  ? "tab"
                                    : t->indent == ' ' ? "space"
                                                       : "none")) &&
           put_count(dict, "hierarchy_blank_lines", t->hierarchy_blank_lines) &&
           put_count(dict, "hierarchy_trailing_blanks", t->hierarchy_trailing_blanks) &&
           put_count(dict, "hierarchy_tabs", t->hierarchy_tabs) && put_span(dict, "frames_line", text, t->frames_line) &&
           put_span(dict, "frame_time_line", text, t->frame_time_line) && put_count(dict, "header_blank_lines", t->header_blank_lines) &&
           put_count(dict, "rows", t->row_count) && put_count(dict, "exponent_rows", t->exponent_rows) &&
           put_count(dict, "trailing_blank_rows", t->trailing_blank_rows) && put_count(dict, "tab_rows", t->tab_rows) &&
           put_count(dict, "motion_blank_lines", t->motion_blank_lines);
}

static bool put_motion_facts(PyObject *dict, const ct_bvh_check *c)
{
    static const char *const axes[] = {"+x", "-x", "+y", "-y", "+z", "-z", ""}; // ct_axis
    return put_count(dict, "jump_frames", c->jump_frames) && put_count(dict, "first_jump", c->first_jump) &&
           put_count(dict, "beyond_frames", c->beyond_frames) && put_count(dict, "first_beyond", c->first_beyond) &&
           put_flag(dict, "starts_at_zero", c->starts_at_zero) && put_flag(dict, "starts_near_zero", c->starts_near_zero) &&
           put_number(dict, "first_step", c->first_step) && put_number(dict, "usual_step", c->usual_step) &&
           put_count(dict, "lead_in", c->lead_in) && put_count(dict, "carrier", c->carrier) &&
           put_count(dict, "teleports", c->teleport_count) && put_count(dict, "first_teleport", c->first_teleport) &&
           put_number(dict, "teleport_step", c->teleport_step) && put_number(dict, "usual_travel", c->usual_travel) &&
           put_count(dict, "positions_equal", c->positions_equal) && put_count(dict, "positions_zero", c->positions_zero) &&
           put_count(dict, "positions_other", c->positions_other) && put(dict, "up", PyUnicode_FromString(axes[c->up])) &&
           put_number(dict, "height", c->height) && put_number(dict, "floor", c->floor) &&
           put_number(dict, "zero_height", c->zero_height) && put_number(dict, "lowest_replacing", c->lowest_replacing) &&
           put_number(dict, "lowest_adding", c->lowest_adding) && put_count(dict, "zero_joints", c->zero_joints) &&
           put_count(dict, "zero_tips", c->zero_tips) && put_count(dict, "bare_leaves", c->bare_leaves);
}

// "XYZxyz"-like text of a joint's channels in file order: capitals are rotations, small letters positions, the rest is left out.
static PyObject *channels_of(const ct_bvh *bvh, size_t joint)
{
    char letters[64];
    size_t count = 0;
    for (size_t c = bvh->channel_starts[joint]; c < bvh->channel_starts[joint + 1] && count < sizeof letters; ++c) {
        uint8_t channel = bvh->channels[c];
        if (channel <= CT_CHANNEL_Z_ROTATION) letters[count++] = "xyzXYZ"[channel];
    }
    return PyUnicode_FromStringAndSize(letters, (Py_ssize_t)count);
}

static PyObject *name_of(const ct_bvh *bvh, size_t joint)
{
    const char *name = bvh->skeleton->names[joint];
    return PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
}

// What make(bvh, joint) gives for every joint.
static PyObject *list_of(const ct_bvh *bvh, PyObject *(*make)(const ct_bvh *bvh, size_t joint))
{
    PyObject *list = PyList_New((Py_ssize_t)bvh->skeleton->joint_count);
    for (size_t j = 0; list && j < bvh->skeleton->joint_count; ++j) {
        PyObject *item = make(bvh, j);
        if (item)
            PyList_SET_ITEM(list, (Py_ssize_t)j, item);
        else
            Py_CLEAR(list);
    }
    return list;
}

static bool put_rig(PyObject *dict, const ct_bvh *bvh)
{
    const ct_skeleton *s = bvh->skeleton;
    size_t roots = 0;
    for (size_t j = 0; j < s->joint_count; ++j) roots += s->parents[j] == CT_NO_PARENT;
    const float *offset = s->offsets;
    return put(dict, "names", list_of(bvh, name_of)) && put(dict, "channels", list_of(bvh, channels_of)) &&
           put_count(dict, "channel_count", bvh->channel_starts[s->joint_count]) && put_count(dict, "tips", s->tip_count) &&
           put_count(dict, "roots", roots) &&
           put(dict, "root_offset", Py_BuildValue("(ddd)", (double)offset[0], (double)offset[1], (double)offset[2])) &&
           put_count(dict, "frames", bvh->clip->frame_count) && put_count(dict, "declared_frames", bvh->declared_frame_count) &&
           put_number(dict, "frame_time", bvh->file_frame_time) &&
           put_number(dict, "usual_rate", bvh->file_frame_time > 0 ? usual_rate(bvh->file_frame_time) : 0);
}

// A doubt about the root's OFFSET is left out: the heights under both readings say it with numbers.
static bool put_notes(PyObject *dict, const ct_bvh *bvh)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < bvh->note_count; ++i) {
        const ct_bvh_note *n = &bvh->notes[i];
        if (n->oddity == CT_BVH_ROOT_OFFSET) continue;
        PyObject *message = PyUnicode_DecodeUTF8(n->message, (Py_ssize_t)strlen(n->message), "replace");
        PyObject *note = Py_BuildValue("(nnnN)", (Py_ssize_t)n->line, (Py_ssize_t)n->column, (Py_ssize_t)n->count, message);
        if (!note || PyList_Append(list, note) < 0) Py_CLEAR(list);
        Py_XDECREF(note);
    }
    return put(dict, "notes", list);
}

static PyObject *check(const char *text, size_t size)
{
    ct_allocator allocator = python_allocator();
    ct_bvh_options options = {.scale = 1};
    ct_bvh_style scan;
    ct_bvh_check motion;
    ct_bvh *bvh = NULL;
    ct_error error;
    ct_status status;
    Py_BEGIN_ALLOW_THREADS;
    ct_bvh_scan_style(text, size, &scan);
    status = ct_bvh_read(&allocator, active_kernels(), text, size, &options, &bvh, &error);
    if (status == CT_OK) status = ct_bvh_check_motion(&allocator, active_kernels(), text, size, &scan, bvh, &motion, &error);
    Py_END_ALLOW_THREADS;

    PyObject *dict = NULL;
    if (status != CT_OK) {
        raise_error(&error, NULL);
    } else {
        dict = PyDict_New();
        bool done =
            dict && put_text_facts(dict, text, &scan) && put_motion_facts(dict, &motion) && put_rig(dict, bvh) && put_notes(dict, bvh);
        if (!done) Py_CLEAR(dict);
    }
    ct_bvh_destroy(bvh);
    return dict;
}

static PyObject *check_bvh(PyObject *module, PyObject *data)
{
    (void)module;
    Py_buffer buffer;
    if (PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE) < 0) return NULL;
    PyObject *dict = check(buffer.buf, (size_t)buffer.len);
    PyBuffer_Release(&buffer);
    return dict;
}

static PyMethodDef functions[] = {
    {"check_bvh", check_bvh, METH_O,
     "check_bvh($module, data, /)\n--\n\n"
     "Facts about the bytes of a BVH file: how it is written, what its channels are, what is odd in its motion.\n\n"
     "Raises ValueError where load_bvh does."},
    {NULL, NULL, 0, NULL},
};

int add_check_functions(PyObject *module) { return PyModule_AddFunctions(module, functions); }

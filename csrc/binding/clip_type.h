// clip_type.h: canter.Clip, an immutable Python object around a ct_clip.
#ifndef CANTER_CLIP_TYPE_H
#define CANTER_CLIP_TYPE_H

#include "binding.h"
#include "clip.h"
#include "skeleton_type.h"

// What a clip carries beside its frames. All are immutable, none is NULL inside a clip.
typedef struct clip_labels {
    PyObject *name;    // str
    PyObject *markers; // dict, never handed out itself, nor its arrays: str -> float64 array of seconds, ascending
    PyObject *tags;    // frozenset of str
    PyObject *curves;  // dict, never handed out itself, nor its arrays: str -> float32 array, (F,) or (F, n)
    PyObject *source;  // canter.Source or None
} clip_labels;

typedef struct clip_object {
    PyObject_HEAD ct_clip *core;
    ct_clip shared;            // what `core` points to when the rows belong to another clip
    PyObject *rows_owner;      // that clip, or NULL when `core` is this object's own
    skeleton_object *skeleton; // keeps core->skeleton alive
    clip_labels labels;
} clip_object;

// A clip around `core`, which it takes over (and releases on failure); core->skeleton is that of `skeleton`. Labels that are NULL are
// empty. New reference, or NULL with an exception.
clip_object *wrap_clip(module_state *state, ct_clip *core, skeleton_object *skeleton, const clip_labels *labels);

// The same frames on another skeleton (of as many joints) and under another frame time, looping and labels, without a copy of the rows.
clip_object *share_clip(module_state *state, clip_object *clip, skeleton_object *skeleton, double frame_time, bool looping,
                        const clip_labels *labels);

// `value` as a Clip, or NULL with an exception that begins with `where`. Borrowed.
clip_object *to_clip(module_state *state, PyObject *value, const char *where);

// A clip of the core from rows (F, components, stride) as they were pickled, checked; NULL with an exception.
ct_clip *core_of_rows(skeleton_object *skeleton, PyArrayObject *rows, double frame_time, bool looping);

// The rows as they lie in memory, (F, components, stride), a view that keeps `owner` alive.
PyArrayObject *view_rows(PyObject *owner, const ct_clip *core);

// "<TYPE 'name': 61 frames at 30 fps (2.00 s), 2 joints", `rest` and what else there is, for reprs.
PyObject *clip_text(const char *type, const ct_clip *core, PyObject *name, const char *rest);

// The rows as poses for the core.
ct_poses poses_of_clip(const clip_object *clip);

// Joints times frames, for enter_core.
size_t work_of(const clip_object *clip);

// Frames a second as people say it: 1 / frame_time, or the usual rate within 0.05 % of it.
double usual_rate(double frame_time);

#endif

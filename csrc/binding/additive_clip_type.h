// additive_clip_type.h: canter.AdditiveClip, an immutable Python object around a ct_additive_clip.
#ifndef CANTER_ADDITIVE_CLIP_TYPE_H
#define CANTER_ADDITIVE_CLIP_TYPE_H

#include "additive_clip.h"
#include "binding.h"
#include "clip_type.h"

typedef struct additive_clip_object {
    PyObject_HEAD ct_additive_clip core;
    skeleton_object *skeleton; // keeps core.frames->skeleton alive
    PyObject *name;            // as in clip_labels
    PyObject *markers;
} additive_clip_object;

// A clip around `core`, which it takes over (and releases on failure); core.frames->skeleton is that of `skeleton`. New reference, or NULL
// with an exception.
additive_clip_object *wrap_additive_clip(module_state *state, ct_additive_clip core, skeleton_object *skeleton, PyObject *name,
                                         PyObject *markers);

// `value` as an AdditiveClip, or NULL with an exception that begins with `where`. Borrowed.
additive_clip_object *to_additive_clip(module_state *state, PyObject *value, const char *where);

#endif

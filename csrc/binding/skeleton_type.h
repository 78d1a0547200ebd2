// skeleton_type.h: canter.Skeleton, an immutable Python object around a ct_skeleton.
#ifndef CANTER_SKELETON_TYPE_H
#define CANTER_SKELETON_TYPE_H

#include "binding.h"
#include "skeleton.h"

typedef struct skeleton_object {
    PyObject_HEAD ct_skeleton *core; // its memory; views of it keep this object alive
    PyObject *names;                 // tuple of str
    PyArrayObject *inverse_bind;     // (J, 4, 4), never handed out itself
} skeleton_object;

// A skeleton around `core`, which it takes over (and releases on failure). New reference, or NULL with an exception.
skeleton_object *wrap_skeleton(module_state *state, ct_skeleton *core);

// `value` as a Skeleton, or NULL with an exception that begins with `where` ("Clip: skeleton"). Borrowed.
skeleton_object *to_skeleton(module_state *state, PyObject *value, const char *where);

// The joint that `value` means: a name, or an index in 0 .. J - 1. IndexError when there is none (near names are listed), TypeError for
// anything that is neither. `where` ("Skeleton.chain") begins the message; `name` ("root") is what the value is there.
int to_joint(const skeleton_object *skeleton, PyObject *value, const char *where, const char *name, size_t *joint);

#endif

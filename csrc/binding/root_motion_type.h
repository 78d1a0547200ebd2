// root_motion_type.h: canter.RootMotion, an immutable Python object around a ct_root_motion.
#ifndef CANTER_ROOT_MOTION_TYPE_H
#define CANTER_ROOT_MOTION_TYPE_H

#include "binding.h"
#include "root_motion.h"

typedef struct root_motion_object {
    PyObject_HEAD ct_root_motion *core;
} root_motion_object;

// A RootMotion around `core`, which it takes over (and releases on failure). New reference, or NULL with an exception.
root_motion_object *wrap_root_motion(module_state *state, ct_root_motion *core);

// `value` as a RootMotion, or NULL with an exception that begins with `where`. Borrowed.
root_motion_object *to_root_motion(module_state *state, PyObject *value, const char *where);

#endif

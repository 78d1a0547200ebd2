// blend_space_type.h: canter.BlendSpace1D and canter.BlendSpace2D, immutable Python objects around a ct_blend_space.
#ifndef CANTER_BLEND_SPACE_TYPE_H
#define CANTER_BLEND_SPACE_TYPE_H

#include "binding.h"
#include "blend_space.h"

// The one struct of both types.
typedef struct blend_space_object {
    PyObject_HEAD ct_blend_space *core;
} blend_space_object;

// `value` as a BlendSpace1D or BlendSpace2D, or NULL with an exception that begins with `where`. Borrowed.
blend_space_object *to_space(module_state *state, PyObject *value, const char *where);

// A space of the type that its method goes with, around `core`, which it takes over (and releases on failure). New reference, or NULL with
// an exception.
blend_space_object *wrap_space(module_state *state, ct_blend_space *core);

#endif

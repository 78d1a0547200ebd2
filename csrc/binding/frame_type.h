// frame_type.h: canter.Frame, what a pose source shows, and canter.RootDelta, a step of the character over the ground.
#ifndef CANTER_FRAME_TYPE_H
#define CANTER_FRAME_TYPE_H

#include "binding.h"
#include "pose_type.h"
#include "source.h"

typedef struct frame_object {
    PyObject_HEAD pose_object *pose;
    ct_root_delta root;
    PyObject *events;  // tuple of Event: given by whoever made the frame in Python, or found when they were first asked for; or NULL
    PyObject *curves;  // dict of str to float32 array, as given with the events; NULL: those of what was played
    ct_played *played; // [played_count]; each `what` is a Clip, AdditiveClip or Frame, a reference of this frame's
    size_t played_count;
} frame_object;

// A frame of a pose, which it takes over, and of what the core says beside; NULL passes an exception on.
frame_object *new_frame(module_state *state, pose_object *pose, const ct_frame *frame);

// A canter.RootDelta of its parts, which it takes over; NULL among them passes an exception on.
PyObject *root_delta_of(module_state *state, PyObject *translation, PyObject *turn);

// A RootDelta, or any (translation, turn); None: no motion. -1 with an exception that begins with `where`.
int to_root_delta(PyObject *value, const char *where, ct_root_delta *delta);

#endif

// played_clip.h: a clip as players take it: on the spot, and the root motion that was taken out of it.
#ifndef CANTER_PLAYED_CLIP_H
#define CANTER_PLAYED_CLIP_H

#include "clip_type.h"
#include "root_motion.h"

typedef struct played_clip {
    clip_object *clip;            // as it was given
    PyObject *given_motion;       // the RootMotion that was given, or NULL
    ct_clip *on_spot;             // its own, or NULL: the clip is played as it is
    ct_root_motion *measured;     // its own, or NULL
    const ct_root_motion *motion; // of either, or NULL: the character stays
} played_clip;

#define PLAYED_CLIP_OWNED(DO, played)                                                                                                      \
    DO((played).clip);                                                                                                                     \
    DO((played).given_motion);

// What the core plays.
const ct_clip *core_of_played(const played_clip *played);

// `clip` is a Clip with a frame; `root_motion` NULL or True measures its root motion (Clip.root_motion; smooth when the clip loops), a
// RootMotion of +Y up is used as it is, and False leaves the motion in the poses. -1 with an exception that begins with `where`; release in
// either case.
int take_played_clip(module_state *state, PyObject *clip, PyObject *root_motion, const char *where, played_clip *out);

// Gives back core memory; the references are for PLAYED_CLIP_OWNED.
void release_played_clip(played_clip *played);

#endif

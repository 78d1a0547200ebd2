// frame_tracks.h: the events and curves of a frame, from what its source has played.
#ifndef CANTER_FRAME_TRACKS_H
#define CANTER_FRAME_TRACKS_H

#include "source.h"
#include "tracks.h"

// Appends what happened, in that order; `order` is when in the step, 0 to 1. What is borrowed lives as long as `played`. False with an
// exception.
bool tell_played(module_state *state, size_t count, const ct_played *played, told_list *list);

// The blended curves at the end of the step: a new dict of str to float32, () or (n,). NULL with an exception.
PyObject *curves_of_played(module_state *state, size_t count, const ct_played *played);

#endif

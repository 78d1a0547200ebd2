// clip_labels.h: the names, markers, tags and curves of a clip, checked on the way in and carried through edits.
#ifndef CANTER_CLIP_LABELS_H
#define CANTER_CLIP_LABELS_H

#include <stdbool.h>

#include "clip_type.h"

// Each takes a Python value (NULL or None: empty) and returns what clip_labels keeps, as a new reference.
PyObject *to_name(PyObject *value);
PyObject *to_markers(PyObject *value, double end); // name -> seconds from 0 to `end`; sorted
PyObject *to_tags(PyObject *value);
PyObject *to_curves(PyObject *value, size_t frame_count); // name -> numbers, one for each frame or a row of them

// name -> numbers of a single frame, () or (n,).
PyObject *to_curve_values(PyObject *value);

// Numbers a frame of a curve.
size_t width_of_curve(PyObject *curve);

// A canter.Source or None, nothing else: clips hang on no object that hangs on them.
PyObject *to_source(PyObject *value);

// The markers or curves as a new dict of read-only views, for others to keep. `owner` keeps the arrays alive.
PyObject *view_labels(PyObject *labels, PyObject *owner);

// Fills labels that are NULL with empty ones and takes a reference to the others; false with an exception.
bool complete_labels(clip_labels *labels);
void release_labels(clip_labels *labels);

// Markers at time -> factor * (time - start), those outside 0 .. end dropped.
PyObject *move_markers(PyObject *markers, double start, double factor, double end);

// Those of a slice that begins at `start` and lasts `end` seconds. A foot that stands where it begins, as X_down and X_up tell, comes down
// at 0; backward, a foot comes down where it left.
PyObject *slice_markers(PyObject *markers, double start, bool backward, double end);

// The same markers or curves under the names of the other side.
PyObject *mirror_names(PyObject *labels);

// Frames start, start + step, ... of every curve.
PyObject *slice_curves(PyObject *curves, PyObject *slice);

// Every curve at the times of `to`, the same clip at another rate.
PyObject *resample_curves(PyObject *curves, const ct_clip *from, const ct_clip *to);

#endif

// batch.h: the batch of all that a call reads together.
//
// Poses of one batch shape go together element by element; a single pose goes with any, and so does a single number.
#ifndef CANTER_BATCH_H
#define CANTER_BATCH_H

#include "pose_type.h"

typedef struct batch {
    int rank; // 0: all that was met is single
    npy_intp shape[NPY_MAXDIMS];
} batch;

// Takes in the batch of a pose (or delta); false when it is another than that of the poses before, and neither is single.
bool join_batch(batch *b, const pose_object *pose);

// Numbers for each of the batch: what follows the first `leading` dimensions is broadcast to it, or nothing does, and they serve for all.
// A batch that is still single becomes theirs. New reference; NULL with an exception that begins with `name`.
PyArrayObject *spread(PyArrayObject *numbers, int leading, const char *name, batch *b);

#endif

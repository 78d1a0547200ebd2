// record.h: what a pose source shows over some time, as a clip in the world.
#ifndef CT_RECORD_H
#define CT_RECORD_H

#include "source.h"

typedef struct ct_recording {
    ct_stage *stage;
    const ct_kernels *kernels;
    const ct_vector
        *velocity; // units/s in the character's axes: it is moved so, whatever the source says; NULL: by the source's root motion

    // Called before each frame: fills stage->values and, for foreign sources, says what their context is. A failure stops.
    ct_status (*steer)(void *user, size_t frame, void **context, ct_error *error);
    // Called after each frame with what the source told. A failure stops.
    ct_status (*listen)(void *user, size_t frame, const ct_frame *shown, ct_error *error);
    void *user;
} ct_recording;

// Fills the rows of `out`, a new clip of the source's skeleton and layout which the caller finishes: the first as the source stands, with
// the character at the origin facing +Z, each further one frame_time later. Fails as the source, steer and listen do.
ct_status ct_record(const ct_recording *recording, ct_clip *out, ct_error *error);

#endif

#include "record.h"

#include <assert.h>

ct_status ct_record(const ct_recording *recording, ct_clip *out, ct_error *error)
{
    const ct_kernels *kernels = recording->kernels;
    ct_stage *stage = recording->stage;
    assert(stage->source->layout.component_count == out->layout.component_count && !stage->source->additive);
    ct_root_place place = {0};
    for (size_t i = 0; i < out->frame_count; ++i) {
        double dt = i ? out->frame_time : 0;
        void *context = NULL;
        float *row = ct_clip_row(out, i);
        ct_frame shown;
        ct_status status = recording->steer(recording->user, i, &context, error);
        if (status == CT_OK) status = ct_stage_update(stage, dt, context, row, &shown, error);
        if (status == CT_OK) status = recording->listen(recording->user, i, &shown, error);
        if (status != CT_OK) return status;
        if (recording->velocity) shown.root = (ct_root_delta){ct_vector_scale(*recording->velocity, dt), 0};
        place = ct_root_place_moved(kernels, CT_PLUS_Y, place, shown.root);
        ct_root_place_row(kernels, CT_PLUS_Y, out->skeleton, out->layout, place, row);
    }
    return CT_OK;
}

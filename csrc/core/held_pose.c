#include "held_pose.h"

#include <assert.h>
#include <string.h>

static ct_status update(ct_source *source, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *error)
{
    (void)step, (void)scratch, (void)error;
    const ct_held_pose *self = (const ct_held_pose *)source;
    memcpy(out->row, self->row, ct_row_length(source->layout) * sizeof *out->row);
    out->root = (ct_root_delta){0};
    return CT_OK;
}

static const ct_source_ops ops = {.update = update};

// `still`: a row with translations, for a row without.
static ct_status create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_layout layout, const float *row, const float *still,
                        ct_held_pose **out, ct_error *error)
{
    if (layout.joint_count != skeleton->joint_count)
        return ct_fail(error, CT_BAD_VALUE, "%zu joints, but the skeleton has %zu", layout.joint_count, skeleton->joint_count);
    ct_layout held = ct_layout_of(layout.joint_count, true, ct_has_scales(layout));
    ct_held_pose *self = ct_allocate(allocator, 1, sizeof *self);
    if (!self) return ct_fail_memory(error, "a held pose");
    self->source = (ct_source){.ops = &ops, .skeleton = skeleton, .layout = held};
    self->allocator = *allocator;
    self->row = ct_allocate(allocator, ct_row_length(held), sizeof *self->row);
    if (!self->row) {
        ct_held_pose_destroy(self);
        return ct_fail_memory(error, "a held pose");
    }
    size_t given = ct_row_length(layout);
    memcpy(self->row, row, given * sizeof *row);
    if (still) memcpy(self->row + given, still + given, (ct_row_length(held) - given) * sizeof *row);
    *out = self;
    return CT_OK;
}

ct_status ct_held_pose_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_poses pose, ct_held_pose **out,
                              ct_error *error)
{
    assert(pose.count == 1);
    const float *still = ct_has_translations(pose.layout) ? NULL : skeleton->rest;
    return create(allocator, skeleton, pose.layout, pose.rows, still, out, error);
}

ct_status ct_held_delta_create(const ct_allocator *allocator, const ct_skeleton *skeleton, ct_pose_deltas delta, ct_held_pose **out,
                               ct_error *error)
{
    assert(delta.count == 1);
    ct_status status = create(allocator, skeleton, delta.layout, delta.rows, NULL, out, error); // translations are 0
    if (status != CT_OK) return status;
    (*out)->source.additive = true;
    (*out)->source.side = delta.side;
    return CT_OK;
}

void ct_held_pose_destroy(ct_held_pose *held)
{
    if (!held) return;
    ct_allocator allocator = held->allocator;
    ct_release(&allocator, held->row);
    ct_release(&allocator, held);
}

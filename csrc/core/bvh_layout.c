#include <math.h>
#include <string.h>

#include "bvh_writer.h"

// Apart by more than a reader of the file would notice.
static bool differs(double a, double b)
{
    double larger = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) > (larger > 100 ? 1e-7 * larger : 1e-5);
}

static bool leaves_offset(const ct_clip *clip, size_t frame, size_t joint, size_t axis)
{
    float at = ct_clip_row(clip, frame)[(CT_TRANSLATION + axis) * clip->layout.stride + joint];
    return differs((double)at, (double)clip->skeleton->offsets[3 * joint + axis]);
}

static bool moves(const ct_clip *clip, size_t joint)
{
    for (size_t i = 0; i < clip->frame_count; ++i) {
        for (size_t axis = 0; axis < 3; ++axis) {
            if (leaves_offset(clip, i, joint, axis)) return true;
        }
    }
    return false;
}

static ct_status make_default_layout(ct_bvh_writer *writer)
{
    enum { MOST = 9 };
    static const uint8_t channels[MOST] = {CT_CHANNEL_X_POSITION, CT_CHANNEL_Y_POSITION, CT_CHANNEL_Z_POSITION,
                                           CT_CHANNEL_Z_ROTATION, CT_CHANNEL_X_ROTATION, CT_CHANNEL_Y_ROTATION,
                                           CT_CHANNEL_X_SCALE,    CT_CHANNEL_Y_SCALE,    CT_CHANNEL_Z_SCALE};
    const ct_skeleton *skeleton = writer->skeleton;
    const size_t joint_count = skeleton->joint_count, last = ct_has_scales(writer->clip->layout) ? 9 : 6;
    writer->own_channels = ct_allocate(&writer->allocator, joint_count, MOST);
    writer->own_starts = ct_allocate(&writer->allocator, joint_count + 1, sizeof *writer->own_starts);
    if (!writer->own_channels || !writer->own_starts) return ct_fail_memory(writer->error, "the channels");

    size_t count = 0;
    for (size_t j = 0; j < joint_count; ++j) {
        writer->own_starts[j] = count;
        size_t first = skeleton->parents[j] == CT_NO_PARENT || moves(writer->clip, j) ? 0 : 3;
        for (size_t i = first; i < last; ++i) writer->own_channels[count++] = channels[i];
    }
    writer->own_starts[joint_count] = count;
    writer->layout = (ct_bvh_layout){.channels = writer->own_channels, .channel_starts = writer->own_starts};
    return CT_OK;
}

// Up to three rotation channels of a joint can make any rotation; others stay 0.
static ct_bvh_turns turns_of(const ct_bvh_layout *layout, size_t joint)
{
    ct_bvh_turns turns = {.count = 0};
    for (size_t i = layout->channel_starts[joint]; i < layout->channel_starts[joint + 1] && turns.count < 3; ++i) {
        if (!ct_channel_is_rotation(layout->channels[i])) continue;
        uint8_t axis = (uint8_t)(layout->channels[i] - CT_CHANNEL_X_ROTATION);
        if (turns.count == 0 || turns.axes[turns.count - 1] != axis) turns.axes[turns.count++] = axis;
    }
    return turns;
}

ct_status ct_bvh_choose_layout(ct_bvh_writer *writer)
{
    if (!writer->layout.channels) {
        ct_status status = make_default_layout(writer);
        if (status != CT_OK) return status;
    }
    const size_t joint_count = writer->skeleton->joint_count;
    const ct_bvh_layout *layout = &writer->layout;
    writer->turns = ct_allocate(&writer->allocator, joint_count, sizeof *writer->turns);
    writer->curve_starts = ct_allocate(&writer->allocator, joint_count + 1, sizeof *writer->curve_starts);
    if (!writer->turns || !writer->curve_starts) return ct_fail_memory(writer->error, "the channels");
    for (size_t j = 0; j < joint_count; ++j) {
        writer->turns[j] = turns_of(layout, j);
        writer->curve_starts[j + 1] = writer->curve_starts[j];
        for (size_t i = layout->channel_starts[j]; i < layout->channel_starts[j + 1]; ++i) {
            writer->curve_starts[j + 1] += layout->channels[i] == CT_CHANNEL_OTHER;
        }
    }
    return CT_OK;
}

// --- does it hold the motion? ------------------------------------------------------------------------------------------------------

static const double LEAST_TURN = 1.7e-6; // radians, 1e-4 degrees
static const double LEAST_SCALE = 1e-6;

static ct_status fail_at(const ct_bvh_writer *writer, size_t joint, size_t frame, const char *what, size_t axis)
{
    const char *name = writer->skeleton->names[joint];
    ct_fail(writer->error, CT_BAD_VALUE,
            "joint %zu ('%.*s') %s%s in frame %zu, but the layout gives it no channel for that; add the channel or write without a layout",
            joint, ct_name_shown(name, strlen(name)), name, what,
            axis == 0   ? "x"
            : axis == 1 ? "y"
            : axis == 2 ? "z"
                        : "",
            frame);
    if (writer->error) {
        writer->error->joint = (ptrdiff_t)joint;
        writer->error->frame = (ptrdiff_t)frame;
    }
    return CT_BAD_VALUE;
}

// What a joint's channels can't express, one bit an axis, and whether all rotations can be.
typedef struct gaps {
    uint8_t position, scale;
    bool rotation;
} gaps;

static gaps gaps_of(const ct_bvh_writer *writer, size_t joint)
{
    gaps g = {7, ct_has_scales(writer->clip->layout) ? 7 : 0, writer->turns[joint].count < 3};
    for (size_t i = writer->layout.channel_starts[joint]; i < writer->layout.channel_starts[joint + 1]; ++i) {
        uint8_t channel = writer->layout.channels[i];
        if (channel <= CT_CHANNEL_Z_POSITION) g.position &= (uint8_t) ~(1u << channel);
        if (channel >= CT_CHANNEL_X_SCALE && channel <= CT_CHANNEL_Z_SCALE) g.scale &= (uint8_t) ~(1u << (channel - CT_CHANNEL_X_SCALE));
    }
    return g;
}

static ct_status check_joint(const ct_bvh_writer *writer, size_t joint, gaps g, size_t frame)
{
    const ct_clip *clip = writer->clip;
    const float *row = ct_clip_row(clip, frame);
    const size_t stride = clip->layout.stride;
    for (size_t axis = 0; axis < 3; ++axis) {
        if (g.position >> axis & 1 && leaves_offset(clip, frame, joint, axis))
            return fail_at(writer, joint, frame, "leaves its offset along ", axis);
        if (g.scale >> axis & 1 && fabs((double)row[(CT_SCALE + axis) * stride + joint] - 1) > LEAST_SCALE)
            return fail_at(writer, joint, frame, "is scaled along ", axis);
    }
    if (!g.rotation) return CT_OK;
    double rotation[4];
    for (size_t i = 0; i < 4; ++i) rotation[i] = (double)row[i * stride + joint];
    if (ct_bvh_angles_missed(writer->turns[joint], rotation) <= LEAST_TURN) return CT_OK;
    return fail_at(writer, joint, frame, "turns about another axis", 3);
}

ct_status ct_bvh_check_layout(ct_bvh_writer *writer)
{
    const size_t joint_count = writer->skeleton->joint_count, frame_count = writer->clip->frame_count;
    const size_t left_out = writer->layout.curves ? 0 : writer->curve_starts[joint_count];
    if (frame_count > 0 && writer->layout.channel_starts[joint_count] == left_out)
        return ct_fail(writer->error, CT_BAD_VALUE,
                       "the layout has no channels, so a reader could not count the %zu frames; add one or write without a layout",
                       frame_count);
    for (size_t j = 0; j < joint_count; ++j) {
        gaps g = gaps_of(writer, j);
        if (!g.position && !g.scale && !g.rotation) continue;
        for (size_t i = 0; i < frame_count; ++i) {
            ct_status status = check_joint(writer, j, g, i);
            if (status != CT_OK) return status;
        }
    }
    return CT_OK;
}

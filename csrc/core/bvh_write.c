#include <string.h>

#include "bvh_writer.h"
#include "number.h"

// A rotation in 32-bit numbers is good to some 7e-6 degrees, so more digits of an angle would be noise.
enum { ANGLE_DECIMALS = 5, DECIMALS = 6 };

// --- text --------------------------------------------------------------------------------------------------------------------------

static ct_status flush(ct_bvh_writer *writer)
{
    size_t used = writer->used;
    writer->used = 0;
    if (used == 0 || writer->sink.write(writer->sink.context, writer->buffer, used)) return CT_OK;
    return ct_fail(writer->error, CT_INTERRUPTED, "the writing was stopped");
}

ct_status ct_bvh_put(ct_bvh_writer *writer, const char *text, size_t length)
{
    while (length > 0) {
        if (writer->used == CT_BVH_BUFFER_SIZE) {
            ct_status status = flush(writer);
            if (status != CT_OK) return status;
        }
        size_t room = CT_BVH_BUFFER_SIZE - writer->used, piece = length < room ? length : room;
        memcpy(writer->buffer + writer->used, text, piece);
        writer->used += piece;
        text += piece;
        length -= piece;
    }
    return CT_OK;
}

// --- rows --------------------------------------------------------------------------------------------------------------------------

// What stands in each column: the layout's channels in the file's order of joints.
static ct_status list_columns(ct_bvh_writer *writer)
{
    const ct_bvh_layout *layout = &writer->layout;
    const size_t joint_count = writer->skeleton->joint_count;
    writer->columns = ct_allocate(&writer->allocator, layout->channel_starts[joint_count], sizeof *writer->columns);
    if (!writer->columns) return ct_fail_memory(writer->error, "the columns");

    for (size_t k = 0; k < joint_count; ++k) {
        const size_t joint = (size_t)writer->order[k];
        const ct_bvh_turns turns = writer->turns[joint];
        size_t curve = writer->curve_starts[joint];
        int next_turn = 0;
        for (size_t i = layout->channel_starts[joint]; i < layout->channel_starts[joint + 1]; ++i) {
            const uint8_t channel = layout->channels[i];
            ct_bvh_written column = {.joint = (int32_t)joint, .channel = channel, .turn = -1};
            if (ct_channel_is_rotation(channel)) {
                bool counts = next_turn < turns.count && turns.axes[next_turn] == channel - CT_CHANNEL_X_ROTATION;
                if (counts) column.turn = (int8_t)next_turn++;
            } else if (channel == CT_CHANNEL_OTHER) {
                column.curve = (uint32_t)curve++;
                if (!layout->curves) continue;
            }
            writer->columns[writer->column_count++] = column;
        }
    }
    return CT_OK;
}

static size_t write_value(const ct_bvh_writer *writer, size_t frame, const float *row, const double *angles, ct_bvh_written column,
                          char *text)
{
    const ct_layout layout = writer->clip->layout;
    const size_t joint = (size_t)column.joint;
    double value;
    if (column.channel <= CT_CHANNEL_Z_POSITION) {
        value = (double)row[(CT_TRANSLATION + (size_t)column.channel) * layout.stride + joint];
    } else if (column.channel <= CT_CHANNEL_Z_ROTATION) {
        value = column.turn < 0 ? 0.0 : angles[3 * joint + (size_t)column.turn];
        return ct_number_write_fixed(value, ANGLE_DECIMALS, text);
    } else if (column.channel <= CT_CHANNEL_Z_SCALE) {
        size_t component = CT_SCALE + (size_t)(column.channel - CT_CHANNEL_X_SCALE);
        value = ct_has_scales(layout) ? (double)row[component * layout.stride + joint] : 1.0;
    } else {
        return ct_number_write_float(writer->layout.curves[frame * writer->layout.curve_count + column.curve], text);
    }
    return ct_number_write_fixed(value, DECIMALS, text);
}

static ct_status put_row(ct_bvh_writer *writer, size_t frame)
{
    const float *row = ct_clip_row(writer->clip, frame);
    const double *angles = ct_bvh_angles_next(writer->angles, row, writer->clip->layout.stride);
    for (size_t i = 0; i < writer->column_count; ++i) {
        if (writer->used > CT_BVH_BUFFER_SIZE - CT_NUMBER_SIZE - 2) {
            ct_status status = flush(writer);
            if (status != CT_OK) return status;
        }
        if (i > 0) writer->buffer[writer->used++] = ' ';
        writer->used += write_value(writer, frame, row, angles, writer->columns[i], writer->buffer + writer->used);
    }
    return ct_bvh_put(writer, "\n", 1);
}

static ct_status put_motion(ct_bvh_writer *writer)
{
    char frames[CT_NUMBER_SIZE], frame_time[CT_NUMBER_SIZE];
    const char *const pieces[] = {"MOTION\nFrames: ", frames, "\nFrame Time: ", frame_time, "\n"};
    ct_number_write((double)writer->clip->frame_count, frames);
    ct_number_write(writer->clip->frame_time, frame_time);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; ++i) {
        ct_status status = ct_bvh_put(writer, pieces[i], strlen(pieces[i]));
        if (status != CT_OK) return status;
    }
    for (size_t i = 0; i < writer->clip->frame_count; ++i) {
        ct_status status = put_row(writer, i);
        if (status != CT_OK) return status;
    }
    return flush(writer);
}

static ct_status write_all(ct_bvh_writer *writer)
{
    const size_t joint_count = writer->skeleton->joint_count;
    ct_status status = ct_bvh_choose_layout(writer);
    if (status == CT_OK) status = ct_bvh_check_names(writer);
    if (status == CT_OK) status = ct_bvh_check_layout(writer);
    if (status != CT_OK) return status;

    writer->order = ct_allocate(&writer->allocator, joint_count, sizeof *writer->order);
    writer->buffer = ct_allocate_raw(&writer->allocator, CT_BVH_BUFFER_SIZE, 1);
    if (!writer->order || !writer->buffer) return ct_fail_memory(writer->error, "the text");
    status = ct_bvh_angles_create(&writer->allocator, writer->kernels, joint_count, writer->turns, &writer->angles, writer->error);
    if (status == CT_OK) status = ct_bvh_write_hierarchy(writer);
    if (status == CT_OK) status = list_columns(writer);
    if (status == CT_OK) status = put_motion(writer);
    return status;
}

ct_status ct_bvh_write(const ct_allocator *allocator, const ct_kernels *kernels, const ct_clip *clip, const ct_bvh_layout *layout,
                       ct_bvh_sink sink, ct_error *error)
{
    ct_bvh_writer writer = {.allocator = *allocator,
                            .kernels = kernels,
                            .clip = clip,
                            .skeleton = clip->skeleton,
                            .layout = layout ? *layout : (ct_bvh_layout){.channels = NULL},
                            .sink = sink,
                            .error = error};
    ct_status status = write_all(&writer);
    ct_bvh_angles_destroy(writer.angles, allocator);
    ct_release(allocator, writer.own_channels);
    ct_release(allocator, writer.own_starts);
    ct_release(allocator, writer.curve_starts);
    ct_release(allocator, writer.turns);
    ct_release(allocator, writer.order);
    ct_release(allocator, writer.columns);
    ct_release(allocator, writer.buffer);
    return status;
}

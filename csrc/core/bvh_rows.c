#include <assert.h>
#include <string.h>

#include "bvh_reader.h"

// Columns of a row's values go three ways: turns become rotations through the kernel; moves go straight into the clip's row; the rest are
// curves. Joints whose turns are not about different axes (or more than three) take extra slots of the kernel, one a turn, and their
// product is made here.

typedef struct move {
    size_t column, target; // into the values and the row
    double factor, base;
} move;

typedef struct product {
    size_t joint, first_slot, count; // turns in slots first_slot ...
} product;

struct ct_bvh_rows {
    ct_layout layout;
    const ct_kernels *kernels;
    size_t slot_count;                   // a multiple of CT_LANES; the first ones are the joints
    size_t *columns;                     // [3][slot_count]: of angles a, b, c; the column after the last holds 0
    uint8_t *axes;                       // [3][slot_count]
    double *parity, *angles, *rotations; // [slot_count], [3][slot_count], [4][slot_count]: see ct_bvh_kernels
    product *products;
    size_t product_count;
    move *moves;
    size_t move_count;
    size_t *curve_columns;
    size_t curve_count;
};

// The turns of a joint: their columns and axes, up to three, in file order. Returns how many there are.
static size_t turns_of(const ct_bvh *bvh, size_t joint, size_t columns[3], int axes[3])
{
    size_t count = 0;
    for (size_t i = bvh->channel_starts[joint]; i < bvh->channel_starts[joint + 1]; ++i) {
        if (!ct_channel_is_rotation(bvh->channels[i])) continue;
        if (count < 3) {
            columns[count] = i;
            axes[count] = bvh->channels[i] - CT_CHANNEL_X_ROTATION;
        }
        ++count;
    }
    return count;
}

static bool about_different_axes(size_t count, const int axes[3])
{
    return count <= 1 || (count == 2 && axes[0] != axes[1]) ||
           (count == 3 && axes[0] != axes[1] && axes[1] != axes[2] && axes[0] != axes[2]);
}

// Fills a slot with up to three turns about different axes; missing ones turn by 0 about the axes left.
static void set_slot(ct_bvh_rows *rows, size_t slot, size_t zero_column, size_t count, const size_t *columns, const int *axes)
{
    int order[3] = {0, 0, 0}, used = 0;
    for (size_t i = 0; i < 3; ++i) {
        rows->columns[i * rows->slot_count + slot] = i < count ? columns[i] : zero_column;
        int axis = 0;
        while (i >= count && used >> axis & 1) ++axis;
        order[i] = i < count ? axes[i] : axis;
        used |= 1 << order[i];
        rows->axes[i * rows->slot_count + slot] = (uint8_t)order[i];
    }
    rows->parity[slot] = (order[0] + 1) % 3 == order[1] ? 1.0 : -1.0;
}

static size_t count_extra_slots(const ct_bvh *bvh, size_t joint_count, size_t *products)
{
    size_t extra = 0;
    *products = 0;
    for (size_t j = 0; j < joint_count; ++j) {
        size_t columns[3];
        int axes[3];
        size_t count = turns_of(bvh, j, columns, axes);
        if (about_different_axes(count, axes)) continue;
        extra += count;
        ++*products;
    }
    return extra;
}

static void set_turns(ct_bvh_rows *rows, const ct_bvh *bvh, size_t zero_column)
{
    size_t joint_count = rows->layout.joint_count, next = joint_count;
    for (size_t s = 0; s < rows->slot_count; ++s) set_slot(rows, s, zero_column, 0, NULL, NULL);
    for (size_t j = 0; j < joint_count; ++j) {
        size_t columns[3];
        int axes[3];
        size_t count = turns_of(bvh, j, columns, axes);
        if (about_different_axes(count, axes)) {
            set_slot(rows, j, zero_column, count, columns, axes);
            continue;
        }
        rows->products[rows->product_count++] = (product){j, next, count};
        for (size_t i = bvh->channel_starts[j]; i < bvh->channel_starts[j + 1]; ++i) {
            if (!ct_channel_is_rotation(bvh->channels[i])) continue;
            int axis = bvh->channels[i] - CT_CHANNEL_X_ROTATION;
            set_slot(rows, next++, zero_column, 1, &i, &axis);
        }
    }
}

static void set_moves(ct_bvh_rows *rows, const ct_bvh *bvh, const ct_bvh_options *options)
{
    const ct_skeleton *skeleton = bvh->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; ++j) {
        bool adds = options->root_offset_add && skeleton->parents[j] == CT_NO_PARENT;
        for (size_t i = bvh->channel_starts[j]; i < bvh->channel_starts[j + 1]; ++i) {
            uint8_t channel = bvh->channels[i];
            if (channel <= CT_CHANNEL_Z_POSITION) {
                double base = adds ? (double)skeleton->offsets[3 * j + channel] : 0.0;
                size_t component = CT_TRANSLATION + (size_t)channel;
                rows->moves[rows->move_count++] = (move){i, component * rows->layout.stride + j, options->scale, base};
            } else if (channel >= CT_CHANNEL_X_SCALE && channel <= CT_CHANNEL_Z_SCALE) {
                size_t component = CT_SCALE + (size_t)(channel - CT_CHANNEL_X_SCALE);
                rows->moves[rows->move_count++] = (move){i, component * rows->layout.stride + j, 1.0, 0.0};
            } else if (channel == CT_CHANNEL_OTHER) {
                rows->curve_columns[rows->curve_count++] = i;
            }
        }
    }
}

ct_status ct_bvh_rows_create(const ct_bvh *bvh, const ct_kernels *kernels, const ct_bvh_options *options, ct_layout layout,
                             ct_bvh_rows **out, ct_error *error)
{
    const ct_allocator *allocator = &bvh->allocator;
    size_t column_count = bvh->channel_starts[layout.joint_count], product_count;
    size_t slots = ct_stride(layout.joint_count + count_extra_slots(bvh, layout.joint_count, &product_count));

    ct_bvh_rows *rows = ct_allocate(allocator, 1, sizeof *rows);
    if (!rows) return ct_fail_memory(error, "the rows");
    *rows = (ct_bvh_rows){.layout = layout, .kernels = kernels, .slot_count = slots};
    rows->columns = ct_allocate(allocator, 3 * slots, sizeof *rows->columns);
    rows->axes = ct_allocate(allocator, 3 * slots, sizeof *rows->axes);
    rows->parity = ct_allocate(allocator, slots, sizeof *rows->parity);
    rows->angles = ct_allocate(allocator, 3 * slots, sizeof *rows->angles);
    rows->rotations = ct_allocate(allocator, 4 * slots, sizeof *rows->rotations);
    rows->products = ct_allocate(allocator, product_count, sizeof *rows->products);
    rows->moves = ct_allocate(allocator, column_count, sizeof *rows->moves);
    rows->curve_columns = ct_allocate(allocator, bvh->curve_count, sizeof *rows->curve_columns);
    if (!rows->columns || !rows->axes || !rows->parity || !rows->angles || !rows->rotations || !rows->products || !rows->moves ||
        !rows->curve_columns) {
        ct_bvh_rows_destroy(rows, allocator);
        return ct_fail_memory(error, "the rows");
    }
    set_turns(rows, bvh, column_count);
    set_moves(rows, bvh, options);
    *out = rows;
    return CT_OK;
}

void ct_bvh_rows_destroy(ct_bvh_rows *rows, const ct_allocator *allocator)
{
    if (!rows) return;
    ct_release(allocator, rows->columns);
    ct_release(allocator, rows->axes);
    ct_release(allocator, rows->parity);
    ct_release(allocator, rows->angles);
    ct_release(allocator, rows->rotations);
    ct_release(allocator, rows->products);
    ct_release(allocator, rows->moves);
    ct_release(allocator, rows->curve_columns);
    ct_release(allocator, rows);
}

// The product of single turns, each in a slot of its own.
static void multiply_turns(const ct_bvh_rows *rows, product turns, float *row)
{
    const size_t n = rows->slot_count, stride = rows->layout.stride;
    double q[4] = {1, 0, 0, 0};
    for (size_t s = turns.first_slot; s < turns.first_slot + turns.count; ++s) {
        size_t a = rows->axes[s], b = (a + 1) % 3, c = (a + 2) % 3;
        double cosine = rows->rotations[s], sine = rows->rotations[n + s];
        double w = q[0], *v = q + 1, va = v[a], vb = v[b], vc = v[c];
        q[0] = w * cosine - va * sine;
        v[a] = va * cosine + w * sine;
        v[b] = vb * cosine + vc * sine;
        v[c] = vc * cosine - vb * sine;
    }
    for (size_t i = 0; i < 4; ++i) row[i * stride + turns.joint] = (float)q[i];
}

void ct_bvh_rows_convert(ct_bvh_rows *rows, const ct_skeleton *skeleton, const double *values, float *row, float *curves)
{
    const size_t n = rows->slot_count, stride = rows->layout.stride, joint_count = rows->layout.joint_count;
    for (size_t i = 0; i < 3 * n; ++i) rows->angles[i] = values[rows->columns[i]];
    rows->kernels->bvh.compose_turns(n, rows->angles, rows->parity, rows->rotations);

    for (size_t j = 0; j < joint_count; ++j) {
        row[j] = (float)rows->rotations[j];
        for (size_t i = 0; i < 3; ++i) row[(1 + (size_t)rows->axes[i * n + j]) * stride + j] = (float)rows->rotations[(1 + i) * n + j];
    }
    for (size_t i = 0; i < rows->product_count; ++i) multiply_turns(rows, rows->products[i], row);

    memcpy(row + CT_TRANSLATION * stride, skeleton->rest + CT_TRANSLATION * stride, 3 * stride * sizeof *row);
    if (ct_has_scales(rows->layout)) {
        for (size_t i = CT_SCALE * stride; i < ct_row_length(rows->layout); ++i) row[i] = 1.0f;
    }
    for (size_t i = 0; i < rows->move_count; ++i) {
        const move *m = &rows->moves[i];
        row[m->target] = (float)(values[m->column] * m->factor + m->base);
    }
    for (size_t i = 0; i < rows->curve_count; ++i) curves[i] = (float)values[rows->curve_columns[i]];
}

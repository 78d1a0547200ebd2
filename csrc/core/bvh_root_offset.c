#include <assert.h>
#include <math.h>
#include <string.h>

#include "bvh_reader.h"
#include "forward_kinematics.h"
#include "tips.h"

static void include(ct_bvh *bvh, const float *point)
{
    for (int i = 0; i < 3; ++i) {
        if (point[i] < bvh->low[i]) bvh->low[i] = point[i];
        if (point[i] > bvh->high[i]) bvh->high[i] = point[i];
    }
}

ct_status ct_bvh_measure(ct_bvh *bvh, const ct_kernels *kernels, ct_error *error)
{
    if (bvh->clip->frame_count == 0) return CT_OK;
    const ct_skeleton *skeleton = bvh->skeleton;
    size_t count = skeleton->joint_count + skeleton->tip_count;
    float *points = ct_allocate(&bvh->allocator, count, 3 * sizeof *points);
    if (!points) return ct_fail_memory(error, "the first frame");

    ct_poses first = {bvh->clip->layout, 1, bvh->clip->rows};
    ct_status status = ct_forward_kinematics(skeleton, kernels, first, 1, NULL, points, NULL, error);
    if (status == CT_OK) status = ct_tip_positions(skeleton, kernels, first, NULL, points + 3 * skeleton->joint_count, error);
    if (status == CT_OK) {
        memcpy(bvh->low, points, sizeof bvh->low);
        memcpy(bvh->high, points, sizeof bvh->high);
        for (size_t i = 1; i < count; ++i) include(bvh, points + 3 * i);
    }
    ct_release(&bvh->allocator, points);
    return status;
}

int ct_bvh_up_axis(const ct_bvh *bvh) { return bvh->high[2] - bvh->low[2] > bvh->high[1] - bvh->low[1] ? 2 : 1; }

// The only root, or CT_NO_PARENT.
static int32_t single_root(const ct_skeleton *skeleton)
{
    for (size_t j = 1; j < skeleton->joint_count; ++j) {
        if (skeleton->parents[j] == CT_NO_PARENT) return CT_NO_PARENT;
    }
    return 0;
}

bool ct_bvh_root_offset_doubt(const ct_bvh *bvh, int up, double *lowest, double *other_lowest)
{
    assert(up >= 0 && up < 3);
    int32_t root = single_root(bvh->skeleton);
    *lowest = *other_lowest = (double)bvh->low[up];
    if (root == CT_NO_PARENT || bvh->clip->frame_count == 0) return false;

    bool moves = false;
    for (size_t i = bvh->channel_starts[root]; i < bvh->channel_starts[root + 1]; ++i) moves |= bvh->channels[i] == up;
    if (!moves) return false;

    double offset = (double)bvh->skeleton->offsets[up];
    *other_lowest += bvh->root_offset_added ? -offset : offset;
    double near = 0.05 * (double)(bvh->high[up] - bvh->low[up]);
    return fabs(*other_lowest) <= near && fabs(*lowest) > near;
}

ct_status ct_bvh_note_root_offset(ct_bvh_reader *reader)
{
    const ct_bvh *bvh = reader->bvh;
    double lowest, other_lowest;
    if (!ct_bvh_root_offset_doubt(bvh, ct_bvh_up_axis(bvh), &lowest, &other_lowest)) return CT_OK;
    bool added = bvh->root_offset_added;
    return ct_bvh_odd(reader, CT_BVH_ROOT_OFFSET, ct_bvh_joint_at(reader, 0)->place,
                      added ? "root_offset=\"replace\" reads it the other way" : "root_offset=\"add\" reads it the other way",
                      "the root's position was %s its OFFSET, but the figure stands on the floor only when it %s it",
                      added ? "added to" : "taken in place of", added ? "replaces" : "is added to");
}

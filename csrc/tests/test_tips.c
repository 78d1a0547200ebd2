// Tips stand where their joints carry them, in every block of a long batch.
#include "tips.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_allocator.h"

// One joint turned by a quarter about z and scaled, with two tips; many poses, each shifted by its number along z.
enum { POSES = 10000 }; // more than two blocks

static ct_skeleton *make_skeleton(const ct_allocator *allocator)
{
    static const char *const names[1] = {"root"};
    static const size_t lengths[1] = {4};
    static const int32_t parents[1] = {CT_NO_PARENT}, tip_parents[2] = {0, 0};
    static const float offsets[3] = {0}, tip_offsets[6] = {1, 0, 0, 0, 1, 0.5f};
    ct_skeleton_parts parts = {.joint_count = 1,
                               .tip_count = 2,
                               .names = names,
                               .name_lengths = lengths,
                               .parents = parents,
                               .offsets = offsets,
                               .tip_parents = tip_parents,
                               .tip_offsets = tip_offsets};
    ct_skeleton *skeleton = NULL;
    CHECK(ct_skeleton_create(allocator, &parts, &skeleton, NULL) == CT_OK);
    return skeleton;
}

static ct_poses make_poses(void)
{
    ct_layout layout = ct_layout_of(1, true, true);
    ct_poses poses = {layout, POSES, calloc(POSES * ct_row_length(layout), sizeof(float))};
    ct_layout_pad(layout, POSES, poses.rows);
    for (size_t i = 0; i < POSES; ++i) {
        const float joint[10] = {sqrtf(0.5f), 0, 0, sqrtf(0.5f), 10, 20, (float)i, 2, 3, 4};
        for (size_t c = 0; c < 10; ++c) poses.rows[i * ct_row_length(layout) + c * layout.stride] = joint[c];
    }
    return poses;
}

int main(void)
{
    failing_allocator f = {0};
    ct_allocator allocator = failing_allocator_use(&f);
    ct_skeleton *skeleton = make_skeleton(&allocator);
    ct_poses poses = make_poses();
    float *tips = malloc(POSES * 6 * sizeof *tips);
    ct_error error = {0};

    CHECK(ct_tip_positions(skeleton, ct_kernels_best(), poses, NULL, tips, &error) == CT_OK);
    double worst = 0;
    for (size_t i = 0; i < POSES; ++i) {
        const double want[6] = {10, 22, (double)i, 7, 20, (double)i + 2}; // scale, turn, shift
        for (size_t c = 0; c < 6; ++c) worst = fmax(worst, fabs((double)tips[6 * i + c] - want[c]));
    }
    CHECK_NEAR(worst, 0, 1e-5);

    f.fail_at = f.calls + 1;
    CHECK(ct_tip_positions(skeleton, ct_kernels_best(), poses, NULL, tips, &error) == CT_OUT_OF_MEMORY && error.code == CT_OUT_OF_MEMORY);
    f.fail_at = 0;
    CHECK(f.live == 1);

    free(tips);
    free(poses.rows);
    ct_skeleton_destroy(skeleton);
    CHECK(f.live == 0);
    return check_report();
}

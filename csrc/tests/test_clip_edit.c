// Editing: the motion in the world is the same in other units, in other axes, on another rest pose.
#include "clip_edit.h"
#include "forward_kinematics.h"
#include "made_up.h"
#include "row.h"
#include "tips.h"

static ct_error error;

enum { JOINTS = 5, TIPS = 3, FRAMES = 9, POINTS = JOINTS + TIPS };

// A small tree with rest rotations and tips; two tips on the last joint.
static ct_skeleton *tree(void)
{
    static const char *const names[JOINTS] = {"root", "spine", "arm", "leg", "other root"};
    static const int32_t parents[JOINTS] = {-1, 0, 1, 0, -1}, tip_parents[TIPS] = {2, 3, 3};
    static const float offsets[JOINTS * 3] = {1, 2, 3, 0, 0.5f, 0, 0.25f, 0.5f, 0, 0, -0.5f, 0.125f, 4, 0, 0};
    static const float tip_offsets[TIPS * 3] = {0.5f, 0, 0, 0, 0, 0.25f, 0, -0.125f, 0};
    static const float rotations[JOINTS * 4] = {1, 0, 0, 0, 0.6f, 0.8f, 0, 0, 0.5f, 0.5f, -0.5f, 0.5f, 0, 0, 0.8f, 0.6f, 0, 1, 0, 0};
    return made_up_from((ct_skeleton_parts){.joint_count = JOINTS,
                                            .tip_count = TIPS,
                                            .names = names,
                                            .parents = parents,
                                            .offsets = offsets,
                                            .rotations = rotations,
                                            .tip_parents = tip_parents,
                                            .tip_offsets = tip_offsets});
}

static void points_of(const ct_clip *clip, float *joints, float *rotations, float *tips)
{
    ct_poses poses = {clip->layout, clip->frame_count, clip->rows};
    CHECK(ct_forward_kinematics(clip->skeleton, ct_kernels_best(), poses, 1, NULL, joints, rotations, &error) == CT_OK);
    if (tips) CHECK(ct_tip_positions(clip->skeleton, ct_kernels_best(), poses, NULL, tips, &error) == CT_OK);
}

typedef struct world {
    float joints[FRAMES * JOINTS * 3], rotations[FRAMES * JOINTS * 4], tips[FRAMES * TIPS * 3];
} world;

static world world_of(const ct_clip *clip)
{
    world w;
    points_of(clip, w.joints, w.rotations, w.tips);
    return w;
}

static void check_same(size_t count, const float *got, const float *want, double scale, double tolerance)
{
    for (size_t i = 0; i < count; ++i) CHECK_NEAR(got[i], scale * (double)want[i], tolerance);
}

static void test_lengths_scale_together(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, true, true, 0.2);
    ct_edited edited;
    CHECK(ct_clip_scale_lengths(clip, 2.5, &edited, &error) == CT_OK);
    world before = world_of(clip), after = world_of(edited.clip);
    check_same(FRAMES * JOINTS * 3, after.joints, before.joints, 2.5, 1e-5);
    check_same(FRAMES * TIPS * 3, after.tips, before.tips, 2.5, 1e-5);
    CHECK(memcmp(after.rotations, before.rotations, sizeof after.rotations) == 0);
    CHECK(edited.skeleton->offsets[0] == 2.5f && edited.clip->looping && edited.clip->skeleton == edited.skeleton);
    ct_edited_destroy(edited);
    const double bad[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < 4; ++i) CHECK(ct_clip_scale_lengths(clip, bad[i], &edited, &error) == CT_BAD_VALUE && !edited.clip);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_axes_turn_with_the_whole_world_exactly(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, true, 0.2);
    world before = world_of(clip);
    for (int up = 0; up < CT_AXIS_COUNT; ++up) {
        for (int forward = 0; forward < CT_AXIS_COUNT; ++forward) {
            ct_edited edited;
            ct_status status = ct_clip_turn_axes(clip, (ct_axis)up, (ct_axis)forward, &edited, &error);
            CHECK((status == CT_OK) == (up / 2 != forward / 2));
            if (status != CT_OK) continue;
            world after = world_of(edited.clip);
            ct_vector y = ct_axis_vector((ct_axis)up), z = ct_axis_vector((ct_axis)forward), x = ct_vector_cross(y, z);
            for (size_t i = 0; i < FRAMES * JOINTS; ++i) {
                ct_vector p = ct_vector_of(before.joints + 3 * i);
                CHECK_NEAR(after.joints[3 * i], ct_vector_dot(x, p), 2e-6);
                CHECK_NEAR(after.joints[3 * i + 1], ct_vector_dot(y, p), 2e-6);
                CHECK_NEAR(after.joints[3 * i + 2], ct_vector_dot(z, p), 2e-6);
            }
            for (size_t i = 0; i < FRAMES * TIPS; ++i)
                CHECK_NEAR(after.tips[3 * i + 1], ct_vector_dot(y, ct_vector_of(before.tips + 3 * i)), 2e-6);
            // No rounding: a number of the old clip is a number of the new one.
            float size = 0, want = 0;
            for (size_t c = 0; c < 3; ++c) {
                size += fabsf(*clip_at(edited.clip, 4, CT_TRANSLATION + c, 2)) == fabsf(*clip_at(clip, 4, CT_TRANSLATION, 2));
                want += fabsf(*clip_at(edited.clip, 4, 1 + c, 2)) == fabsf(*clip_at(clip, 4, 1, 2));
            }
            CHECK(size == 1 && want == 1 && *clip_at(edited.clip, 4, 0, 2) == *clip_at(clip, 4, 0, 2));
            ct_edited_destroy(edited);
        }
    }
    ct_edited same;
    CHECK(ct_clip_turn_axes(clip, CT_PLUS_Y, CT_PLUS_Z, &same, &error) == CT_OK && ct_skeleton_equal(same.skeleton, skeleton));
    ct_edited_destroy(same);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_rest_offsets_come_from_the_translations(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, false, 0.2);
    ct_edited edited;
    CHECK(ct_clip_rest_from(clip, CT_REST_FIRST, &edited, &error) == CT_OK);
    for (size_t c = 0; c < 3; ++c) {
        CHECK(edited.skeleton->offsets[3 * 2 + c] == *clip_at(clip, 0, CT_TRANSLATION + c, 2));
        CHECK(edited.skeleton->offsets[c] == skeleton->offsets[c]); // a root's place is no bone
    }
    CHECK(memcmp(edited.clip->rows, clip->rows, FRAMES * ct_row_length(clip->layout) * sizeof(float)) == 0);
    ct_edited_destroy(edited);

    CHECK(ct_clip_rest_from(clip, CT_REST_MEAN, &edited, &error) == CT_OK);
    double sum = 0;
    for (size_t i = 0; i < FRAMES; ++i) sum += (double)*clip_at(clip, i, CT_TRANSLATION + 1, 3);
    CHECK_NEAR(edited.skeleton->offsets[3 * 3 + 1], sum / FRAMES, 1e-7);
    ct_edited_destroy(edited);
    ct_clip_destroy(clip);

    clip = made_up_clip(skeleton, 0, 0.1, false, false);
    CHECK(ct_clip_rest_from(clip, CT_REST_MEAN, &edited, &error) == CT_BAD_VALUE);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_steady_bones_become_rigid_and_the_error_is_told(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_clip(skeleton, 4, 0.1, false, false);
    for (size_t i = 0; i < 4; ++i) {
        *clip_at(clip, i, CT_TRANSLATION + 1, 1) = -40;            // the same everywhere, not the offset
        *clip_at(clip, i, CT_TRANSLATION, 2) = i == 3 ? 1.04f : 1; // 0.03 from its mean
        *clip_at(clip, i, CT_TRANSLATION, 3) = i == 3 ? 2 : 1;     // 0.75
        *clip_at(clip, i, CT_TRANSLATION, 0) = (float)i * 0.001f;  // a root
    }
    finish(clip);
    ct_edited edited;
    ct_simplified report;
    CHECK(ct_clip_simplify(clip, 0.1, &edited, &report, &error) == CT_OK);
    CHECK(report.joint_count == 2 && report.joint == 2 && report.frame == 3);
    CHECK_NEAR(report.largest_error, 0.03, 1e-6);
    CHECK(edited.skeleton->offsets[3 * 1 + 1] == -40);
    CHECK_NEAR(edited.skeleton->offsets[3 * 2], 1.01, 1e-6);
    CHECK(edited.skeleton->offsets[3 * 3] == skeleton->offsets[3 * 3]);
    for (size_t i = 0; i < 4; ++i) {
        CHECK(*clip_at(edited.clip, i, CT_TRANSLATION, 2) == edited.skeleton->offsets[3 * 2]);
        CHECK(*clip_at(edited.clip, i, CT_TRANSLATION, 3) == *clip_at(clip, i, CT_TRANSLATION, 3));
        CHECK(*clip_at(edited.clip, i, CT_TRANSLATION, 0) == *clip_at(clip, i, CT_TRANSLATION, 0));
    }
    ct_edited_destroy(edited);
    CHECK(ct_clip_simplify(clip, 0, &edited, &report, &error) == CT_OK && report.joint_count == 1 && report.largest_error == 0);
    ct_edited_destroy(edited);
    CHECK(ct_clip_simplify(clip, -1, &edited, &report, &error) == CT_BAD_VALUE);
    CHECK(ct_clip_simplify(clip, NAN, &edited, &report, &error) == CT_BAD_VALUE);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_another_rest_pose_keeps_the_motion_in_the_world(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, false, 0.3);
    ct_poses rest = {clip->layout, 1, clip_at(clip, 5, 0, 0)};
    ct_edited edited;
    CHECK(ct_clip_with_rest_pose(clip, rest, &edited, &error) == CT_OK);
    world before = world_of(clip), after = world_of(edited.clip);
    check_same(FRAMES * JOINTS * 3, after.joints, before.joints, 1, 3e-6);
    check_same(FRAMES * TIPS * 3, after.tips, before.tips, 1, 3e-6);

    // The pose itself is the new rest pose: identities that stand on the new offsets.
    for (size_t j = 0; j < JOINTS; ++j) {
        CHECK(edited.skeleton->rotations[4 * j] == 1 && edited.skeleton->rotations[4 * j + 1] == 0);
        CHECK_NEAR(fabs((double)*clip_at(edited.clip, 5, 0, j)), 1, 1e-6);
        for (size_t c = 0; c < 3; ++c) {
            CHECK_NEAR(*clip_at(edited.clip, 5, 1 + c, j), 0, 1e-6);
            CHECK_NEAR(*clip_at(edited.clip, 5, CT_TRANSLATION + c, j), edited.skeleton->offsets[3 * j + c], 1e-6);
        }
    }
    ct_edited_destroy(edited);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_tips_become_joints_where_they_were(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, true, 0.3);
    ct_edited edited;
    CHECK(ct_clip_tips_as_joints(clip, &edited, &error) == CT_OK);
    CHECK(edited.skeleton->joint_count == POINTS && edited.skeleton->tip_count == 0);
    CHECK(strcmp(edited.skeleton->names[5], "arm_end") == 0 && strcmp(edited.skeleton->names[6], "leg_end") == 0);
    CHECK(strcmp(edited.skeleton->names[7], "leg_end_2") == 0);
    world before = world_of(clip);
    static float joints[FRAMES * POINTS * 3];
    points_of(edited.clip, joints, NULL, NULL);
    for (size_t i = 0; i < FRAMES; ++i) {
        check_same(JOINTS * 3, joints + i * POINTS * 3, before.joints + i * JOINTS * 3, 1, 0);
        check_same(TIPS * 3, joints + i * POINTS * 3 + JOINTS * 3, before.tips + i * TIPS * 3, 1, 1e-6);
    }
    ct_edited_destroy(edited);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_grounded_clip_stands_on_zero(void)
{
    ct_skeleton *skeleton = tree();
    ct_clip *clip = made_up_motion(skeleton, FRAMES, 0.1, false, false, 0.3), *grounded;
    for (int up = 0; up < CT_AXIS_COUNT; ++up) {
        double moved;
        CHECK(ct_clip_ground(clip, ct_kernels_best(), (ct_axis)up, 0, &grounded, &moved, &error) == CT_OK);
        world w = world_of(grounded);
        double lowest = INFINITY;
        for (size_t i = 0; i < FRAMES * JOINTS; ++i)
            lowest = fmin(lowest, ct_vector_dot(ct_axis_vector((ct_axis)up), ct_vector_of(w.joints + 3 * i)));
        for (size_t i = 0; i < FRAMES * TIPS; ++i)
            lowest = fmin(lowest, ct_vector_dot(ct_axis_vector((ct_axis)up), ct_vector_of(w.tips + 3 * i)));
        CHECK_NEAR(lowest, 0, 2e-6);
        size_t c = CT_TRANSLATION + (size_t)up / 2;
        CHECK_NEAR(*clip_at(grounded, 0, c, 4) - *clip_at(clip, 0, c, 4), up % 2 ? -moved : moved, 1e-6); // every root moves
        ct_clip_destroy(grounded);
    }
    CHECK(ct_clip_ground(clip, ct_kernels_best(), CT_PLUS_Y, 101, &grounded, NULL, &error) == CT_BAD_VALUE);
    CHECK(ct_clip_ground(clip, ct_kernels_best(), CT_PLUS_Y, 100, &grounded, NULL, &error) == CT_OK);
    ct_clip_destroy(grounded);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_lengths_scale_together();
    test_axes_turn_with_the_whole_world_exactly();
    test_rest_offsets_come_from_the_translations();
    test_steady_bones_become_rigid_and_the_error_is_told();
    test_another_rest_pose_keeps_the_motion_in_the_world();
    test_tips_become_joints_where_they_were();
    test_a_grounded_clip_stands_on_zero();
    return check_report();
}

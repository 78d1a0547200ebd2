// Sampling: times become poses, by four interpolations, with velocities that are their derivatives.
#include "made_up.h"

enum { JOINTS = 21 };

static const ct_interpolation ALL[] = {CT_NLERP, CT_SLERP, CT_STEP, CT_CUBIC};

typedef struct sampled {
    ct_layout layout;
    float pose[CT_COMPONENTS_SCALE * 2 * CT_LANES];
    float velocity[9 * 2 * CT_LANES];
} sampled;

static sampled sample(const ct_clip *clip, const ct_kernels *kernels, double time, ct_interpolation how, ct_wrap wrap)
{
    sampled s = {.layout = clip->layout};
    ct_pose_velocities velocities = {clip->layout.joint_count, clip->layout.stride, clip->layout.component_count - 1, 1, s.velocity};
    CHECK(ct_clip_sample(clip, kernels, &time, how, wrap, 1, NULL, (ct_poses){clip->layout, 1, s.pose}, &velocities) == CT_OK);
    return s;
}

static bool is_frame(const ct_clip *clip, const sampled *s, size_t frame)
{
    return memcmp(s->pose, clip_at(clip, frame, 0, 0), ct_row_length(clip->layout) * sizeof(float)) == 0;
}

static double pose_value(const sampled *s, size_t component, size_t joint) { return (double)s->pose[component * s->layout.stride + joint]; }

static double velocity_value(const sampled *s, size_t component, size_t joint)
{
    return (double)s->velocity[component * s->layout.stride + joint];
}

static void test_a_frames_own_time_gives_the_frame_to_the_bit(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, 7, 1001.0 / 24000, false, true, 0.2);
    FOR_EACH_LEVEL(kernels)
    {
        for (size_t h = 0; h < 4; ++h) {
            for (size_t i = 0; i < 7; ++i) {
                for (int off = -9; off <= 9; off += 9) {
                    sampled s = sample(clip, kernels, ((double)i + off * 1e-7) * clip->frame_time, ALL[h], CT_CLAMP);
                    CHECK(is_frame(clip, &s, i));
                }
            }
            sampled between = sample(clip, kernels, 1.001 * clip->frame_time, ALL[h], CT_CLAMP);
            CHECK(is_frame(clip, &between, 1) == (ALL[h] == CT_STEP));
        }
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_times_outside_hold_the_ends_at_rest(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, 4, 0.1, false, true, 0.2);
    for (size_t h = 0; h < 4; ++h) {
        const double times[] = {-1e-3, -1e300, 0.301, 1e300};
        for (size_t i = 0; i < 4; ++i) {
            sampled s = sample(clip, ct_kernels_best(), times[i], ALL[h], CT_CLAMP);
            CHECK(is_frame(clip, &s, i < 2 ? 0 : 3));
            for (size_t c = 0; c < 9; ++c) CHECK(velocity_value(&s, c, 3) == 0);
        }
        sampled end = sample(clip, ct_kernels_best(), 0.1 * 3, ALL[h], CT_CLAMP);
        CHECK((velocity_value(&end, 4, 3) != 0) == (ALL[h] != CT_STEP)); // still moving when it gets there
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_one_frame_is_a_pose_at_rest_at_every_time(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, 1, 0.1, true, false, 0.2);
    for (size_t h = 0; h < 4; ++h) {
        for (int wrap = CT_CLAMP; wrap <= CT_LOOP; ++wrap) {
            for (double time = -0.5; time < 1; time += 0.25) {
                sampled s = sample(clip, ct_kernels_best(), time, ALL[h], (ct_wrap)wrap);
                CHECK(is_frame(clip, &s, 0) && velocity_value(&s, 3, 0) == 0 && velocity_value(&s, 0, 5) == 0);
            }
        }
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

// A loop of `count` frames; its last frame may be the first again.
static ct_clip *loop_of(const ct_skeleton *skeleton, size_t count, bool repeats)
{
    ct_clip *clip = made_up_motion(skeleton, count, 1.0 / 30, true, true, 0.2);
    if (repeats) memcpy(clip_at(clip, count - 1, 0, 0), clip->rows, ct_row_length(clip->layout) * sizeof(float));
    finish(clip);
    CHECK(clip->last_repeats_first == repeats);
    return clip;
}

static void test_a_multiple_of_the_period_is_frame_0_to_the_bit(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    const double loops[] = {1, -1, 2, 7, -13, 1e6, -1e6, 123456789, -3e12};
    for (int repeats = 0; repeats < 2; ++repeats) {
        ct_clip *clip = loop_of(skeleton, 8, repeats);
        for (size_t h = 0; h < 4; ++h) {
            for (size_t i = 0; i < sizeof loops / sizeof *loops; ++i) {
                sampled s = sample(clip, ct_kernels_best(), loops[i] * ct_clip_period(clip), ALL[h], CT_LOOP);
                CHECK(is_frame(clip, &s, 0));
            }
        }
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_every_turn_of_a_loop_shows_the_same_poses_and_no_frame_twice(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    for (int repeats = 0; repeats < 2; ++repeats) {
        ct_clip *clip = loop_of(skeleton, 8, repeats);
        size_t frames = repeats ? 7 : 8;
        for (int turn = -3; turn <= 3; ++turn) {
            for (size_t i = 0; i < frames; ++i) {
                sampled s = sample(clip, ct_kernels_best(), turn * ct_clip_period(clip) + (double)i / 30, CT_NLERP, CT_LOOP);
                CHECK(is_frame(clip, &s, i));
            }
        }
        // The last interval leads to frame 0.
        sampled s = sample(clip, ct_kernels_best(), ct_clip_period(clip) - 0.5 / 30, CT_NLERP, CT_LOOP);
        for (size_t c = CT_TRANSLATION; c < CT_COMPONENTS_SCALE; ++c) {
            CHECK_NEAR(pose_value(&s, c, 4), 0.5 * ((double)*clip_at(clip, frames - 1, c, 4) + (double)*clip_at(clip, 0, c, 4)), 1e-6);
        }
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

// A quarter turn about z in one step, then nothing.
static ct_clip *quarter_turn(const ct_skeleton *skeleton)
{
    ct_clip *clip = made_up_clip(skeleton, 2, 1, false, false);
    set_rotation(clip, 1, 0, 1, 0, 0, 1);
    *clip_at(clip, 1, CT_TRANSLATION, 0) = 3;
    finish(clip);
    return clip;
}

static void test_a_quarter_turn_by_hand(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = quarter_turn(skeleton);
    const double quarter = acos(0.0), root = sqrt(0.5);
    FOR_EACH_LEVEL(kernels)
    {
        // A third of the way: slerp and cubic (two keys: even speed) are at 30 degrees.
        for (size_t h = 1; h < 4; h += 2) {
            sampled s = sample(clip, kernels, 1.0 / 3, h == 1 ? CT_SLERP : CT_CUBIC, CT_CLAMP);
            CHECK_NEAR(pose_value(&s, 0, 0), cos(quarter / 6), 2e-7);
            CHECK_NEAR(pose_value(&s, 3, 0), sin(quarter / 6), 2e-7);
            CHECK_NEAR(pose_value(&s, CT_TRANSLATION, 0), 1, 3e-7);
            CHECK_NEAR(velocity_value(&s, 2, 0), quarter, 1e-6);
            CHECK_NEAR(velocity_value(&s, 3, 0), 3, 1e-6);
        }
        // nlerp cuts the corner: with r = (1 - t) p + t q, w = 2 sin(45 deg) / |r|^2.
        sampled s = sample(clip, kernels, 0.25, CT_NLERP, CT_CLAMP);
        double w = 0.75 + 0.25 * root, z = 0.25 * root, square = w * w + z * z;
        CHECK_NEAR(pose_value(&s, 0, 0), w / sqrt(square), 2e-7);
        CHECK_NEAR(velocity_value(&s, 2, 0), 2 * root / square, 1e-6);
        CHECK_NEAR(velocity_value(&s, 0, 0), 0, 0);
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

// The rotation vector of b * conj(a) by double arithmetic of its own, for small turns.
static void turn_between(const sampled *a, const sampled *b, size_t joint, double turn[3])
{
    double p[4], q[4];
    for (size_t c = 0; c < 4; ++c) p[c] = pose_value(a, c, joint), q[c] = pose_value(b, c, joint);
    double w = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
    double v[3] = {q[1] * p[0] - q[0] * p[1] + q[3] * p[2] - q[2] * p[3], q[2] * p[0] - q[0] * p[2] + q[1] * p[3] - q[3] * p[1],
                   q[3] * p[0] - q[0] * p[3] + q[2] * p[1] - q[1] * p[2]};
    for (size_t c = 0; c < 3; ++c) turn[c] = 2 * v[c] / w;
}

static void test_velocities_are_the_derivatives_of_the_poses(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, 6, 1, true, true, 0.3);
    const double h = 1e-2;
    for (size_t how = 0; how < 4; ++how) {
        for (double time = 0.1; time < 6; time += 0.2) {
            sampled at = sample(clip, ct_kernels_best(), time, ALL[how], CT_LOOP);
            sampled before = sample(clip, ct_kernels_best(), time - h / 2, ALL[how], CT_LOOP);
            sampled after = sample(clip, ct_kernels_best(), time + h / 2, ALL[how], CT_LOOP);
            for (size_t j = 0; j < JOINTS; ++j) {
                double turn[3];
                turn_between(&before, &after, j, turn);
                for (size_t c = 0; c < 3; ++c) {
                    CHECK_NEAR(velocity_value(&at, c, j), turn[c] / h, 2e-4);
                    CHECK_NEAR(velocity_value(&at, 3 + c, j), (pose_value(&after, 4 + c, j) - pose_value(&before, 4 + c, j)) / h, 2e-4);
                    CHECK_NEAR(velocity_value(&at, 6 + c, j), (pose_value(&after, 7 + c, j) - pose_value(&before, 7 + c, j)) / h, 2e-4);
                }
            }
        }
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_cubic_has_no_corners_at_the_keys_nor_at_the_seam(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    for (int repeats = 0; repeats < 2; ++repeats) {
        ct_clip *clip = loop_of(skeleton, 7, repeats);
        for (size_t i = 0; i < 7; ++i) {
            double key = (double)i / 30, near = 1e-5 / 30;
            sampled before = sample(clip, ct_kernels_best(), key - near, CT_CUBIC, CT_LOOP);
            sampled at = sample(clip, ct_kernels_best(), key, CT_CUBIC, CT_LOOP);
            sampled after = sample(clip, ct_kernels_best(), key + near, CT_CUBIC, CT_LOOP);
            for (size_t c = 0; c < 9; ++c) {
                CHECK_NEAR(velocity_value(&before, c, 5), velocity_value(&after, c, 5), 5e-3);
                CHECK_NEAR(velocity_value(&before, c, 5), velocity_value(&at, c, 5), 5e-3);
            }
        }
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_cubic_follows_a_parabola_exactly_inside_and_a_constant_turn_everywhere(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_clip(skeleton, 6, 1, false, false);
    for (size_t i = 0; i < 6; ++i) {
        *clip_at(clip, i, CT_TRANSLATION, 1) = (float)(i * i) / 4;
        set_rotation(clip, i, 1, cos(0.35 * (double)i), sin(0.35 * (double)i), 0, 0);
    }
    finish(clip);
    for (double time = 0.05; time < 5; time += 0.1) {
        sampled s = sample(clip, ct_kernels_best(), time, CT_CUBIC, CT_CLAMP);
        if (time > 1 && time < 4) CHECK_NEAR(pose_value(&s, CT_TRANSLATION, 1), time * time / 4, 1e-6);
        CHECK_NEAR(pose_value(&s, 1, 1), sin(0.35 * time), 5e-7);
        CHECK_NEAR(velocity_value(&s, 0, 1), 0.7, 2e-6);
    }
    // The ends have no second derivative: the slope is 5/4 of the outer step less 1/4 of the next.
    sampled first = sample(clip, ct_kernels_best(), 0, CT_CUBIC, CT_CLAMP), last = sample(clip, ct_kernels_best(), 5, CT_CUBIC, CT_CLAMP);
    CHECK_NEAR(velocity_value(&first, 3, 1), 0.125, 1e-6);
    CHECK_NEAR(velocity_value(&last, 3, 1), 2.375, 1e-6);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_velocities_at_the_keys_are_central_differences(void)
{
    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_clip(skeleton, 4, 0.5, false, false);
    const float x[] = {0, 1, 4, 9};
    const double angle[] = {0, 0.2, 0.6, 1.2};
    for (size_t i = 0; i < 4; ++i) {
        *clip_at(clip, i, CT_TRANSLATION, 0) = x[i];
        set_rotation(clip, i, 2, cos(angle[i] / 2), 0, sin(angle[i] / 2), 0);
    }
    finish(clip);
    float rows[4][6 * 2 * CT_LANES];
    ct_clip_velocities(clip, ct_kernels_best(), (ct_pose_velocities){JOINTS, 2 * CT_LANES, 6, 4, &rows[0][0]});
    const double linear[] = {2, 4, 8, 10}, turning[] = {0.4, 0.6, 1.0, 1.2};
    for (size_t i = 0; i < 4; ++i) {
        CHECK_NEAR(rows[i][3 * 2 * CT_LANES], linear[i], 2e-6);
        CHECK_NEAR(rows[i][1 * 2 * CT_LANES + 2], turning[i], 2e-6);
    }

    clip->looping = true; // one more interval, from x = 9 back to 0
    ct_clip_velocities(clip, ct_kernels_best(), (ct_pose_velocities){JOINTS, 2 * CT_LANES, 6, 4, &rows[0][0]});
    CHECK_NEAR(rows[0][3 * 2 * CT_LANES], 1.0 - 9, 1e-5);
    CHECK_NEAR(rows[3][3 * 2 * CT_LANES], 5.0 - 9, 1e-5);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_poses_are_unit_and_the_same_bits_at_every_level_and_any_number_of_workers(void)
{
    enum { TIMES = 3000 };
    static double times[TIMES];
    static float poses[TIMES * CT_COMPONENTS_SCALE * 2 * CT_LANES], velocities[TIMES * 9 * 2 * CT_LANES];
    static const uint64_t want[4] = {0x4c93df783fa06961, 0x5d78c64caeb0a526, 0x9395c94faab8342a, 0x53de80affae01e05};

    ct_skeleton *skeleton = made_up_tree(JOINTS);
    ct_clip *clip = made_up_motion(skeleton, 50, 1.0 / 30, true, true, 0.3);
    uint64_t state = 5;
    for (size_t i = 0; i < TIMES; ++i) times[i] = 20 * made_up_number(&state);
    ct_pose_velocities out_velocities = {JOINTS, clip->layout.stride, 9, TIMES, velocities};

    for (size_t h = 0; h < 4; ++h) {
        FOR_EACH_LEVEL(kernels)
        {
            for (int workers = 1; workers <= 3; workers += 2) {
                ct_poses out = {clip->layout, TIMES, poses};
                CHECK(ct_clip_sample(clip, kernels, times, ALL[h], CT_LOOP, workers, NULL, out, &out_velocities) == CT_OK);
                uint64_t hash = hash_floats(HASH_START, sizeof poses / sizeof *poses, poses);
                hash = hash_floats(hash, sizeof velocities / sizeof *velocities, velocities);
                if (hash != want[h]) printf("interpolation %d, %s: 0x%llx\n", (int)h, kernels->level, (unsigned long long)hash);
                CHECK(hash == want[h]);
            }
        }
        double worst = 0;
        for (size_t i = 0; i < TIMES; ++i) {
            const float *q = poses + i * ct_row_length(clip->layout);
            for (size_t j = 0; j < clip->layout.stride; ++j) {
                double square = 0;
                for (size_t c = 0; c < 4; ++c) square += (double)q[c * clip->layout.stride + j] * (double)q[c * clip->layout.stride + j];
                worst = fmax(worst, fabs(square - 1));
            }
        }
        CHECK_NEAR(worst, 0, 1e-6);
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

// The same motion, once as it is and once as if every joint could move.
static void test_joints_that_keep_their_place_are_sampled_like_all_others(void)
{
    enum { JOINTS_BEYOND = 40, TIMES = 50 };
    static double times[TIMES];
    static float poses[2][TIMES * CT_COMPONENTS_SCALE * 3 * CT_LANES];
    ct_skeleton *skeleton = made_up_tree(JOINTS_BEYOND);
    ct_clip *clip = made_up_motion(skeleton, 20, 1.0 / 30, true, true, 0.3);
    for (size_t i = 1; i < clip->frame_count; ++i) {
        for (size_t j = 1; j < JOINTS_BEYOND; ++j) {
            for (size_t c = CT_TRANSLATION; c < CT_COMPONENTS_SCALE; ++c) *clip_at(clip, i, c, j) = *clip_at(clip, 0, c, j);
        }
    }
    uint64_t state = 5;
    for (size_t i = 0; i < TIMES; ++i) times[i] = made_up_number(&state);

    finish(clip);
    CHECK(clip->moving_count == CT_LANES);
    for (size_t h = 0; h < 4; ++h) {
        FOR_EACH_LEVEL(kernels)
        {
            for (size_t all = 0; all < 2; ++all) {
                clip->moving_count = all ? clip->layout.stride : CT_LANES;
                ct_clip_sample(clip, kernels, times, ALL[h], CT_LOOP, 1, NULL, (ct_poses){clip->layout, TIMES, poses[all]}, NULL);
            }
            CHECK(memcmp(poses[0], poses[1], sizeof poses[0]) == 0);
        }
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_a_frames_own_time_gives_the_frame_to_the_bit();
    test_times_outside_hold_the_ends_at_rest();
    test_one_frame_is_a_pose_at_rest_at_every_time();
    test_a_multiple_of_the_period_is_frame_0_to_the_bit();
    test_every_turn_of_a_loop_shows_the_same_poses_and_no_frame_twice();
    test_a_quarter_turn_by_hand();
    test_velocities_are_the_derivatives_of_the_poses();
    test_cubic_has_no_corners_at_the_keys_nor_at_the_seam();
    test_cubic_follows_a_parabola_exactly_inside_and_a_constant_turn_everywhere();
    test_velocities_at_the_keys_are_central_differences();
    test_joints_that_keep_their_place_are_sampled_like_all_others();
    test_poses_are_unit_and_the_same_bits_at_every_level_and_any_number_of_workers();
    return check_report();
}

// Root motion: the path on the ground is what the character walked, whatever its axes; its parts add up; it can be taken out and put back.
#include "made_up.h"
#include "root_motion.h"
#include "row.h"

static ct_error error;
static const double PI = 3.14159265358979323846;

// Hips with two legs and a spine. The hips' own axes are turned by `rest` against the world when the character faces the reference.
enum { WALKER = 4 };
static ct_skeleton *walker(ct_quaternion rest, ct_axis up)
{
    static const char *const names[WALKER] = {"Hips", "LeftLeg", "RightLeg", "Spine"};
    static const int32_t parents[WALKER] = {CT_NO_PARENT, 0, 0, 0};
    ct_vector up_axis = ct_axis_vector(up), ahead = ct_axis_vector(ct_axis_of(((int)up / 2 + 1) % 3));
    ct_vector left = ct_vector_scale(ct_vector_cross(up_axis, ahead), 0.1), down = ct_vector_scale(up_axis, -0.05);
    ct_vector world[WALKER] = {{0, 0, 0}, ct_vector_add(left, down), ct_vector_subtract(down, left), ct_vector_scale(up_axis, 0.4)};
    float offsets[3 * WALKER];
    for (size_t j = 0; j < WALKER; ++j) {
        ct_vector own = ct_quaternion_rotate(ct_quaternion_conjugate(rest), world[j]);
        offsets[3 * j] = (float)own.x, offsets[3 * j + 1] = (float)own.y, offsets[3 * j + 2] = (float)own.z;
    }
    return made_up_skeleton(WALKER, names, parents, offsets, NULL);
}

static const ct_quaternion UPRIGHT = {1, 0, 0, 0};

// Walks through `places` at height 1.
static ct_clip *walk(const ct_skeleton *skeleton, ct_quaternion rest, ct_axis up, size_t frame_count, const ct_root_place *places,
                     bool looping)
{
    ct_clip *clip = made_up_clip(skeleton, frame_count, 1.0 / 30, looping, false);
    ct_vector up_axis = ct_axis_vector(up);
    for (size_t i = 0; i < frame_count; ++i) {
        float *row = clip_at(clip, i, 0, 0);
        double sine = sin(places[i].heading / 2);
        ct_quaternion facing = {cos(places[i].heading / 2), up_axis.x * sine, up_axis.y * sine, up_axis.z * sine};
        ct_row_set_rotation(clip->layout, row, 0, ct_quaternion_multiply(facing, rest));
        ct_row_set_vector(clip->layout, row, CT_TRANSLATION, 0, ct_vector_add(places[i].position, up_axis));
        for (size_t j = 1; j < WALKER; ++j)
            ct_row_set_vector(clip->layout, row, CT_TRANSLATION, j, ct_vector_of(skeleton->offsets + 3 * j));
    }
    finish(clip);
    return clip;
}

static ct_root_motion *motion_of(const ct_clip *clip, ct_axis up, double smoothing)
{
    ct_root_motion *motion;
    ct_root_options options = {.joint = CT_NOWHERE, .up = up, .smoothing = smoothing};
    CHECK(ct_root_motion_create(clip, ct_kernels_best(), &options, &motion, &error) == CT_OK);
    return motion;
}

static void check_place(ct_root_place got, ct_root_place want, double tolerance)
{
    CHECK_NEAR(got.position.x, want.position.x, tolerance);
    CHECK_NEAR(got.position.y, want.position.y, tolerance);
    CHECK_NEAR(got.position.z, want.position.z, tolerance);
    CHECK_NEAR(got.heading, want.heading, tolerance);
}

enum { FRAMES = 60 };

// A spiral that turns to the left by two turns and a half.
static void spiral(ct_axis up, ct_root_place places[FRAMES])
{
    ct_vector up_axis = ct_axis_vector(up), ahead = ct_axis_vector(ct_axis_of(((int)up / 2 + 1) % 3));
    ct_vector left = ct_vector_cross(up_axis, ahead);
    for (size_t i = 0; i < FRAMES; ++i) {
        double angle = 5 * PI * (double)i / FRAMES, radius = 1 + 0.02 * (double)i;
        places[i].position = ct_vector_add(ct_vector_scale(ahead, radius * sin(angle)), ct_vector_scale(left, -radius * cos(angle)));
        places[i].heading = angle - 0.3;
    }
}

static void test_the_path_is_what_was_walked_about_any_axis_and_wherever_bones_point(void)
{
    const ct_quaternion rests[] = {UPRIGHT, {0.5, 0.5, 0.5, 0.5}, ct_quaternion_normalize((ct_quaternion){0.3, -0.8, 0.2, 0.6})};
    ct_root_place places[FRAMES];
    for (int up = 0; up < CT_AXIS_COUNT; ++up) {
        spiral((ct_axis)up, places);
        for (size_t r = 0; r < 3; ++r) {
            ct_skeleton *skeleton = walker(rests[r], (ct_axis)up);
            ct_clip *clip = walk(skeleton, rests[r], (ct_axis)up, FRAMES, places, false);
            ct_root_motion *motion = motion_of(clip, (ct_axis)up, 0);
            CHECK(motion->joint == 0);
            for (size_t i = 0; i < FRAMES; ++i) check_place(motion->places[i], places[i], 1e-6);
            ct_root_motion_destroy(motion);
            ct_clip_destroy(clip);
            ct_skeleton_destroy(skeleton);
        }
    }
}

static double random_time(uint64_t *state, double span) { return span * made_up_number(state); }

static void test_the_deltas_of_any_partition_compose_to_the_same_total(void)
{
    ct_root_place places[FRAMES];
    spiral(CT_PLUS_Y, places);
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    uint64_t state = 3;
    for (int looping = 0; looping < 2; ++looping) {
        ct_clip *clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, FRAMES, places, looping);
        ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0.2 * looping);
        for (int trial = 0; trial < 50; ++trial) {
            double from = random_time(&state, 10), to = random_time(&state, 10);
            ct_root_place start = ct_root_motion_at(motion, from), place = start;
            double time = from;
            for (int part = 0; part < 9; ++part) { // forwards and back, over loops
                double next = part == 8 ? to : random_time(&state, 10);
                place = ct_root_place_moved(motion->kernels, motion->up, place, ct_root_motion_delta(motion, time, next));
                time = next;
            }
            check_place(place, ct_root_place_moved(motion->kernels, motion->up, start, ct_root_motion_delta(motion, from, to)), 1e-12 * 20);
        }
        ct_root_motion_destroy(motion);
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_n_loops_give_n_times_the_delta_of_one_rotations_included(void)
{
    ct_root_place places[FRAMES];
    spiral(CT_PLUS_Y, places);
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    ct_clip *clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, FRAMES, places, true);
    ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0);
    double period = (double)motion->step_count / 30;
    for (int n = -4; n <= 4; ++n) {
        ct_root_place place = ct_root_motion_at(motion, 0.7);
        ct_root_delta one = ct_root_motion_delta(motion, 0.7, 0.7 + (n < 0 ? -period : period));
        for (int i = 0; i != n; i += n < 0 ? -1 : 1) place = ct_root_place_moved(motion->kernels, motion->up, place, one);
        check_place(ct_root_motion_at(motion, 0.7 + n * period), place, 1e-12 * 50);
    }
    // Continuous through the seam, at a pace between those of the steps around it.
    ct_root_delta before = ct_root_motion_delta(motion, period - 1.5 / 30, period - 1.0 / 30);
    ct_root_delta after = ct_root_motion_delta(motion, period, period + 0.5 / 30);
    ct_root_delta across = ct_root_motion_delta(motion, period - 0.25 / 30, period + 0.25 / 30);
    CHECK(ct_vector_length(across.translation) < ct_vector_length(before.translation));
    CHECK(ct_vector_length(across.translation) > ct_vector_length(after.translation));
    CHECK_NEAR(across.turn, before.turn, 1e-6);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

// Straight ahead; one loop is one second and 2 units; the last frame is the first again.
static ct_clip *straight_loop(const ct_skeleton *skeleton)
{
    ct_root_place places[31];
    for (size_t i = 0; i < 31; ++i) places[i] = (ct_root_place){{0.5, 0, 2.0 * (double)i / 30}, 0};
    return walk(skeleton, UPRIGHT, CT_PLUS_Y, 31, places, true);
}

static void test_a_straight_loop_goes_on_for_ever(void)
{
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    ct_clip *clip = straight_loop(skeleton);
    ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0.5);
    const double times[] = {0.25, 1, 1.25, 1000.5, -0.25, -1, -7.75};
    for (size_t i = 0; i < sizeof times / sizeof *times; ++i)
        check_place(ct_root_motion_at(motion, times[i]), (ct_root_place){{0.5, 0, 2 * times[i]}, 0}, 1e-6 * (1 + fabs(times[i])));
    double speed;
    CHECK(ct_clip_speed(clip, ct_kernels_best(), CT_PLUS_Y, &speed, &error) == CT_OK);
    CHECK_NEAR(speed, 2, 1e-5);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_in_place_and_apply_are_inverse(void)
{
    ct_root_place places[FRAMES];
    for (int up = 0; up < CT_AXIS_COUNT; up += 4) {
        spiral((ct_axis)up, places);
        ct_skeleton *skeleton = walker(UPRIGHT, (ct_axis)up);
        ct_clip *clip = walk(skeleton, UPRIGHT, (ct_axis)up, FRAMES, places, false), *still, *back;
        ct_root_motion *motion = motion_of(clip, (ct_axis)up, 0);
        CHECK(ct_clip_in_place(clip, motion, &still, &error) == CT_OK);
        for (size_t i = 0; i < FRAMES; ++i) {
            for (size_t c = 0; c < 4; ++c) CHECK_NEAR(fabs((double)*clip_at(still, i, c, 0)), c == 0, 2e-6);
            ct_vector at = ct_row_vector(still->layout, clip_at(still, i, 0, 0), CT_TRANSLATION, 0);
            CHECK_NEAR(ct_vector_length(ct_vector_subtract(at, ct_axis_vector((ct_axis)up))), 0, 2e-6);
        }
        CHECK(ct_clip_apply_root_motion(still, motion, &back, &error) == CT_OK);
        for (size_t i = 0; i < FRAMES; ++i) {
            double dot = 0;
            for (size_t c = 0; c < 4; ++c) dot += (double)*clip_at(back, i, c, 0) * (double)*clip_at(clip, i, c, 0);
            CHECK_NEAR(fabs(dot), 1, 1e-6);
            for (size_t c = 4; c < 7; ++c) {
                for (size_t j = 0; j < WALKER; ++j) CHECK_NEAR(*clip_at(back, i, c, j), *clip_at(clip, i, c, j), 1e-6);
            }
        }
        ct_clip *shorter;
        CHECK(ct_clip_slice(clip, 0, 1, 10, &shorter, &error) == CT_OK);
        ct_clip_destroy(back);
        CHECK(ct_clip_in_place(shorter, motion, &back, &error) == CT_BAD_VALUE && strstr(error.message, "60"));
        ct_clip_destroy(shorter);
        ct_clip_destroy(still);
        ct_root_motion_destroy(motion);
        ct_clip_destroy(clip);
        ct_skeleton_destroy(skeleton);
    }
}

static void test_a_body_that_falls_over_keeps_the_heading_it_had(void)
{
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    ct_clip *clip = made_up_clip(skeleton, 5, 0.1, false, false);
    for (size_t i = 0; i < 5; ++i) {
        for (size_t j = 1; j < WALKER; ++j)
            for (size_t c = 0; c < 3; ++c) *clip_at(clip, i, CT_TRANSLATION + c, j) = skeleton->offsets[3 * j + c];
    }
    for (size_t i = 1; i < 3; ++i) set_rotation(clip, i, 0, cos(0.3), 0, sin(0.3), 0); // 0.6 to the left
    set_rotation(clip, 0, 0, 1, 0, 0, 1);                                              // on its side: left is up
    set_rotation(clip, 3, 0, 1, 0, 0, -1);
    set_rotation(clip, 4, 0, 1, 0, 0, 0);
    finish(clip);
    ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0);
    const double headings[] = {0.6, 0.6, 0.6, 0.6, 0};
    for (size_t i = 0; i < 5; ++i) CHECK_NEAR(motion->places[i].heading, headings[i], 1e-6);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_smoothing_keeps_lines_and_ends_and_takes_out_sway(void)
{
    ct_root_place places[FRAMES];
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    for (size_t i = 0; i < FRAMES; ++i) places[i] = (ct_root_place){{0.1 * (double)i, 0, -0.05 * (double)i}, 0.01 * (double)i};
    ct_clip *clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, FRAMES, places, false);
    ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0.5);
    for (size_t i = 0; i < FRAMES; ++i) check_place(motion->places[i], places[i], 2e-6);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);

    // A sway of 5 Hz, no delay: what is left is the line.
    for (size_t i = 0; i < FRAMES; ++i) places[i].position.z += 0.03 * sin(2 * PI * 5 * (double)i / 30);
    clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, FRAMES, places, false);
    motion = motion_of(clip, CT_PLUS_Y, 0.6);
    for (size_t i = 20; i < 40; ++i) CHECK_NEAR(motion->places[i].position.z, -0.05 * (double)i, 1e-4);
    check_place(motion->places[0], places[0], 1e-6);
    check_place(motion->places[FRAMES - 1], places[FRAMES - 1], 1e-6);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

// Part of a circle and a whole one: a mean over the places themselves would narrow them.
static void test_smoothing_keeps_the_arcs_of_loops(void)
{
    static const double turns[] = {0.8, -2.5, 2 * 3.14159265358979323846, 1e-3, 1e-9}, sways[] = {0, 0.02};
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    for (size_t k = 0; k < 9; ++k) {
        ct_root_place places[60], swaying[60];
        for (size_t i = 0; i < 60; ++i) {
            double all = turns[k / 2], angle = all * (double)i / 60, sway = sways[k % 2] * sin(2 * PI * 2 * (double)i / 60);
            places[i] = (ct_root_place){{1 + 1.3 / all * (1 - cos(angle)), 0, 1.3 / all * sin(angle) - 2}, angle};
            swaying[i] = places[i];
            swaying[i].position.x += sway * cos(angle), swaying[i].position.z -= sway * sin(angle);
        }
        ct_clip *clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, 60, swaying, true);
        ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 3);
        for (size_t i = 0; i < 60; ++i)
            check_place(motion->places[i], places[i], k % 2 ? 5e-4 : 1e-5); // the step back to the first is a guess
        ct_root_motion_destroy(motion);
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_an_idle_loop_on_the_spot_comes_back_and_has_no_speed(void)
{
    ct_root_place places[30];
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    for (size_t i = 0; i < 30; ++i) {
        double angle = 2 * PI * (double)i / 30;
        places[i] = (ct_root_place){{0.02 * sin(angle), 0, 0.01 * cos(angle)}, 0.05 * sin(angle)};
    }
    ct_clip *clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, 30, places, true);
    CHECK(!clip->last_repeats_first);
    ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0);
    check_place(ct_root_motion_at(motion, 1000.0), places[0], 1e-6);
    double speed;
    CHECK(ct_clip_speed(clip, ct_kernels_best(), CT_PLUS_Y, &speed, &error) == CT_OK && speed == 0);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_one_frame_is_a_place_without_speed(void)
{
    ct_root_place place = {{3, 0, 4}, 1};
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    for (int looping = 0; looping < 2; ++looping) {
        ct_clip *clip = walk(skeleton, UPRIGHT, CT_PLUS_Y, 1, &place, looping);
        ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 1);
        check_place(ct_root_motion_at(motion, -5), place, 1e-6);
        CHECK(ct_vector_length(ct_root_motion_delta(motion, 0, 9).translation) == 0);
        double speed = 1;
        CHECK(ct_clip_speed(clip, ct_kernels_best(), CT_PLUS_Y, &speed, &error) == CT_OK && speed == 0);
        ct_root_motion_destroy(motion);
        ct_clip_destroy(clip);
    }
    ct_skeleton_destroy(skeleton);
}

static void test_the_joint_that_travels_is_found(void)
{
    // A root that stays at the origin, hips that carry the travel; thigh joints that sit on hip joints of length 0.
    static const char *const names[] = {"joint_Root", "Hips", "LHipJoint", "LeftUpLeg", "RHipJoint", "RightUpLeg"};
    static const int32_t parents[] = {-1, 0, 1, 2, 1, 4};
    static const float offsets[] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -0.1f, 0.1f, 0, 0, 0, 0, -0.1f, -0.1f}; // the left is +Z: it faces -X
    ct_skeleton *skeleton = made_up_skeleton(6, names, parents, offsets, NULL);
    ct_clip *clip = made_up_clip(skeleton, 4, 0.5, false, false);
    for (size_t i = 0; i < 4; ++i) {
        for (size_t j = 0; j < 6; ++j)
            for (size_t c = 0; c < 3; ++c) *clip_at(clip, i, CT_TRANSLATION + c, j) = offsets[3 * j + c];
        *clip_at(clip, i, CT_TRANSLATION, 1) = -(float)i;
    }
    finish(clip);
    ct_root_motion *motion = motion_of(clip, CT_PLUS_Y, 0);
    CHECK(motion->joint == 1);
    for (size_t i = 0; i < 4; ++i) check_place(motion->places[i], (ct_root_place){{-(double)i, 0, 0}, -PI / 2}, 1e-6);
    CHECK_NEAR(ct_root_motion_delta(motion, 0, 1.5).translation.z, 3, 1e-6); // straight ahead
    double speed;
    CHECK(ct_clip_speed(clip, ct_kernels_best(), CT_PLUS_Y, &speed, &error) == CT_OK);
    CHECK_NEAR(speed, 2, 1e-6);
    ct_root_motion_destroy(motion);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);

    // No sides at all: the first joint that travels, facing along its own reference axis.
    static const char *const plain[] = {"base", "cart", "mast"};
    static const int32_t chain[] = {-1, 0, 1};
    static const float lengths[] = {0, 0, 0, 0, 1, 0, 0, 1, 0};
    skeleton = made_up_skeleton(3, plain, chain, lengths, NULL);
    clip = made_up_clip(skeleton, 3, 0.5, false, false);
    for (size_t i = 0; i < 3; ++i) {
        *clip_at(clip, i, CT_TRANSLATION + 1, 1) = 1;
        *clip_at(clip, i, CT_TRANSLATION + 1, 2) = 1;
        *clip_at(clip, i, CT_TRANSLATION, 1) = (float)i;
    }
    set_rotation(clip, 2, 1, cos(0.2), 0, sin(0.2), 0);
    finish(clip);
    motion = motion_of(clip, CT_PLUS_Y, 0);
    CHECK(motion->joint == 1);
    check_place(motion->places[2], (ct_root_place){{2, 0, 0}, 0.4}, 1e-6);
    ct_root_motion_destroy(motion);

    ct_root_options options = {.joint = 1, .up = CT_PLUS_Y, .has_forward = true, .forward = {5, 0, 0}};
    CHECK(ct_root_motion_create(clip, ct_kernels_best(), &options, &motion, &error) == CT_OK);
    CHECK_NEAR(motion->places[2].heading, 0.4 + PI / 2, 1e-6);
    ct_root_motion_destroy(motion);
    options.forward.x = 0;
    CHECK(ct_root_motion_create(clip, ct_kernels_best(), &options, &motion, &error) == CT_BAD_VALUE);
    options = (ct_root_options){.joint = 3, .up = CT_PLUS_Y};
    CHECK(ct_root_motion_create(clip, ct_kernels_best(), &options, &motion, &error) == CT_BAD_INDEX);
    options = (ct_root_options){.joint = 0, .up = CT_PLUS_Y, .smoothing = -1};
    CHECK(ct_root_motion_create(clip, ct_kernels_best(), &options, &motion, &error) == CT_BAD_VALUE);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_a_clip_in_place_has_the_same_bits_at_every_level_and_on_every_machine(void)
{
    ct_skeleton *skeleton = walker(UPRIGHT, CT_PLUS_Y);
    ct_clip *clip = made_up_motion(skeleton, 200, 1.0 / 30, true, false, 0.2), *still;
    const uint64_t want = 0xb2d7705f3d5fdcb3;
    FOR_EACH_LEVEL(kernels)
    {
        ct_root_motion *motion;
        ct_root_options options = {.joint = CT_NOWHERE, .up = CT_PLUS_Y, .smoothing = 0.3};
        CHECK(ct_root_motion_create(clip, kernels, &options, &motion, &error) == CT_OK);
        CHECK(ct_clip_in_place(clip, motion, &still, &error) == CT_OK);
        uint64_t hash = hash_floats(HASH_START, 200 * ct_row_length(still->layout), still->rows);
        if (hash != want) printf("in place, %s: 0x%llx\n", kernels->level, (unsigned long long)hash);
        CHECK(hash == want);
        ct_clip_destroy(still);
        ct_root_motion_destroy(motion);
    }
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_the_path_is_what_was_walked_about_any_axis_and_wherever_bones_point();
    test_the_deltas_of_any_partition_compose_to_the_same_total();
    test_n_loops_give_n_times_the_delta_of_one_rotations_included();
    test_a_straight_loop_goes_on_for_ever();
    test_in_place_and_apply_are_inverse();
    test_a_body_that_falls_over_keeps_the_heading_it_had();
    test_smoothing_keeps_lines_and_ends_and_takes_out_sway();
    test_smoothing_keeps_the_arcs_of_loops();
    test_an_idle_loop_on_the_spot_comes_back_and_has_no_speed();
    test_one_frame_is_a_place_without_speed();
    test_the_joint_that_travels_is_found();
    test_a_clip_in_place_has_the_same_bits_at_every_level_and_on_every_machine();
    return check_report();
}

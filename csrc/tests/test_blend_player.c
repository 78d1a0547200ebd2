// The player of a blend space: how far it travels, how its clips share a frame, and that a frame allocates nothing.
#include "blend_player.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_allocator.h"
#include "made_up.h"

static ct_error error;
enum { CLIPS = 3 };

// A body of one joint that goes `speed` ahead for `period` seconds, at another height in each clip.
static ct_clip *going(const ct_skeleton *skeleton, double speed, double period, double height, bool looping)
{
    size_t frame_count = (size_t)(period * 10 + 1.5);
    ct_clip *clip = made_up_clip(skeleton, frame_count, 0.1, looping, false);
    for (size_t i = 0; i < frame_count; ++i) {
        *clip_at(clip, i, CT_TRANSLATION + 1, 0) = (float)height;
        *clip_at(clip, i, CT_TRANSLATION + 2, 0) = (float)(speed * 0.1 * (double)i);
    }
    finish(clip);
    return clip;
}

typedef struct scene {
    failing_allocator counted; // only counts
    ct_allocator allocator;
    ct_skeleton *skeleton;
    ct_clip *clips[CLIPS], *on_spot[CLIPS];
    ct_root_motion *motions[CLIPS];
    ct_blend_sample samples[CLIPS];
    ct_blend_space *space;
    ct_sync *sync;
    ct_blend_player *player;
    ct_stage *stage;
    float *row;
    ct_frame frame;
} scene;

#define MUST(call)                                                                                                                         \
    do {                                                                                                                                   \
        if ((call) != CT_OK) {                                                                                                             \
            printf("%s:%d: %s\n", __FILE__, __LINE__, error.message);                                                                      \
            abort();                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

static const double SPEEDS[CLIPS] = {0, 1.3, 3.5}, PERIODS[CLIPS] = {2.0, 1.0, 0.7};

static void play(scene *s, ct_sync_mode mode, ct_blend_speed speed, const double *positions)
{
    static const double down[2] = {0.1, 0.4};
    ct_root_options root = {.joint = CT_NOWHERE, .up = CT_PLUS_Y};
    const char *const names[] = {"Hips"};
    const int32_t parents[] = {CT_NO_PARENT};
    const float offsets[] = {0, 1, 0};
    *s = (scene){.skeleton = made_up_skeleton(1, names, parents, offsets, NULL)};
    s->allocator = failing_allocator_use(&s->counted);
    const ct_marker stays[] = {{"foot_down", 1, &down[0]}, {"foot_up", 0, NULL}}; // the first clip stands
    const ct_marker steps[] = {{"foot_down", 1, &down[0]}, {"foot_down", 1, &down[1]}};
    ct_sync_clip sync_clips[CLIPS];
    for (size_t i = 0; i < CLIPS; ++i) {
        s->clips[i] = going(s->skeleton, SPEEDS[i], PERIODS[i], (double)i, true);
        MUST(ct_root_motion_create(s->clips[i], ct_kernels_best(), &root, &s->motions[i], &error));
        MUST(ct_clip_in_place(s->clips[i], s->motions[i], &s->on_spot[i], &error));
        s->samples[i] = (ct_blend_sample){s->on_spot[i], s->motions[i], s->clips[i]};
        sync_clips[i] = (ct_sync_clip){"clip", ct_clip_period(s->clips[i]), true, i > 0 ? 1 : 2, i > 0 ? &steps[i - 1] : stays};
    }
    MUST(ct_blend_space_create(&s->allocator, ct_kernels_best(), CT_LINEAR, CLIPS, positions, &s->space, &error));
    MUST(ct_sync_create(&s->allocator, mode, 0, NULL, CLIPS, sync_clips, &s->sync, &error));
    ct_blend_player_options options = {
        .space = s->space, .samples = s->samples, .sync = s->sync, .point = {{.name = "speed"}}, .speed = speed};
    MUST(ct_blend_player_create(&s->allocator, ct_kernels_best(), &options, &s->player, &error));
    MUST(ct_stage_create(&s->allocator, &s->player->source, &s->stage, &error));
    s->row = ct_allocate(&s->allocator, ct_row_length(s->player->source.layout), sizeof *s->row);
}

static void stop(scene *s)
{
    ct_release(&s->allocator, s->row);
    ct_stage_destroy(s->stage);
    ct_blend_player_destroy(s->player);
    ct_sync_destroy(s->sync);
    ct_blend_space_destroy(s->space);
    for (size_t i = 0; i < CLIPS; ++i) {
        ct_clip_destroy(s->on_spot[i]);
        ct_clip_destroy(s->clips[i]);
        ct_root_motion_destroy(s->motions[i]);
    }
    CHECK(s->counted.live == 0);
    ct_skeleton_destroy(s->skeleton);
}

static double step(scene *s, double speed, double dt)
{
    s->stage->values[0] = speed;
    MUST(ct_stage_update(s->stage, dt, NULL, s->row, &s->frame, &error));
    return s->frame.root.translation.z;
}

// Worked by hand: half of 1.3 m in 1 s and half of 2.45 m in 0.7 s.
static void test_a_blend_travels_what_its_clips_travel_in_step(void)
{
    for (int mode = CT_SYNC_MARKERS; mode <= CT_SYNC_AUTO; ++mode) {
        scene s;
        play(&s, (ct_sync_mode)mode, CT_SPEED_PARAMETER, SPEEDS);
        double weights[CLIPS], point[2] = {2.4, 0}, way = 0;
        ct_blend_cycle cycle;
        MUST(ct_blend_player_cycle(s.player, point, weights, &cycle, &error));
        CHECK_NEAR(cycle.duration, 0.85, 1e-12);
        CHECK_NEAR(cycle.stride, 1.875, 1e-6);
        CHECK_NEAR(cycle.speed, 1.875 / 0.85, 1e-6);
        CHECK(cycle.rate == 1 && fabs(weights[1] - 0.5) < 1e-15);
        for (int i = 0; i < 60 * 17; ++i) way += step(&s, 2.4, 1 / 60.0);
        CHECK_NEAR(way, 20 * 1.875, 1e-4); // 17 seconds are 20 cycles
        CHECK_NEAR(s.row[5 * s.player->source.layout.stride], 1.5, 1e-6);
        stop(&s);
    }
}

static void test_clips_on_their_own_clocks_travel_at_the_mean_of_their_speeds(void)
{
    scene s;
    play(&s, CT_SYNC_NONE, CT_SPEED_PARAMETER, SPEEDS);
    double weights[CLIPS], point[2] = {2.4, 0};
    ct_blend_cycle cycle;
    MUST(ct_blend_player_cycle(s.player, point, weights, &cycle, &error));
    CHECK_NEAR(cycle.speed, 2.4, 1e-6);
    CHECK_NEAR(cycle.duration, 0.85, 1e-12);
    CHECK_NEAR(step(&s, 2.4, 0.3), 0.72, 1e-6);
    const double *times = ct_blend_player_times(s.player);
    CHECK(times[0] == 0.3 && times[1] == 0.3 && times[2] == 0.3); // the idle's too, which has no weight
    stop(&s);
}

static void test_a_rate_makes_it_travel_at_the_parameter(void)
{
    scene s;
    play(&s, CT_SYNC_AUTO, CT_SPEED_RATE, SPEEDS);
    static const double wanted[] = {0.4, 1.3, 2.4, 3.5, 5};
    for (size_t k = 0; k < 5; ++k) {
        double way = 0;
        for (int i = 0; i < 120; ++i) way += step(&s, wanted[k], 1 / 60.0);
        CHECK_NEAR(way, 2 * wanted[k], 1e-4);
    }
    double weights[CLIPS], still[2] = {0, 0}, fast[2] = {2.4, 0};
    ct_blend_cycle cycle;
    MUST(ct_blend_player_cycle(s.player, still, weights, &cycle, &error));
    CHECK(cycle.rate == 1 && cycle.speed == 0 && cycle.duration == 2); // stands, and breathes on
    MUST(ct_blend_player_cycle(s.player, fast, weights, &cycle, &error));
    CHECK_NEAR(cycle.rate, 2.4 / (1.875 / 0.85), 1e-6);
    CHECK_NEAR(cycle.speed, 2.4, 1e-6);
    CHECK_NEAR(cycle.stride, 1.875, 1e-6);
    stop(&s);
}

static void test_samples_go_where_their_clips_are(void)
{
    static const double guessed[CLIPS] = {0, -1.4, 4};
    scene s;
    play(&s, CT_SYNC_AUTO, CT_SPEED_PARAMETER, guessed);
    double points[CLIPS];
    ct_blend_player_measure(s.space, s.samples, points);
    CHECK(points[0] == 0);
    CHECK_NEAR(points[1], -1.3, 1e-6);
    CHECK_NEAR(points[2], 3.5, 1e-6);

    static const double plane[CLIPS][2] = {{0, 0}, {3e200, 4e200}, {-1e-200, 0}};
    ct_blend_space *space;
    MUST(ct_blend_space_create(&s.allocator, ct_kernels_best(), CT_GRADIENT_BAND, 2, plane[0], &space, &error));
    double placed[2][2];
    ct_blend_player_measure(space, s.samples, placed[0]);
    CHECK(placed[0][0] == 0 && placed[0][1] == 0);
    CHECK_NEAR(placed[1][0], 0.6 * 1.3, 1e-6);
    CHECK_NEAR(placed[1][1], 0.8 * 1.3, 1e-6);
    ct_blend_space_destroy(space);
    stop(&s);
}

static void test_a_clip_without_weight_adds_nothing(void)
{
    scene s;
    play(&s, CT_SYNC_AUTO, CT_SPEED_PARAMETER, SPEEDS);
    CHECK_NEAR(step(&s, 1.3, 0.25), 0.325, 1e-6);
    CHECK(s.frame.played_count == 1 && s.frame.played[0].what == s.clips[1] && s.frame.played[0].weight == 1);
    CHECK(ct_blend_player_weights(s.player)[1] == 1 && ct_blend_player_weights(s.player)[2] == 0);
    step(&s, 2.4, 1.0);
    CHECK(s.frame.played_count == 2 && s.frame.played[1].what == s.clips[2]);
    CHECK(s.frame.played[0].stretch.rounds == 1 && s.frame.played[1].stretch.rounds == 1);
    CHECK_NEAR(s.frame.played[0].weight + s.frame.played[1].weight, 1, 1e-15);
    CHECK_NEAR(s.frame.played[0].stretch.from, 0.25, 1e-15);

    ct_sync_place place = s.player->state->place;
    step(&s, 0, 0.5); // stands: the cycle waits for the next step
    CHECK(s.frame.root.translation.z == 0 && s.player->state->place.part == place.part && s.player->state->place.mark == place.mark);
    stop(&s);
}

static void test_a_frame_allocates_nothing_and_a_failed_one_changes_nothing(void)
{
    scene s;
    play(&s, CT_SYNC_AUTO, CT_SPEED_RATE, SPEEDS);
    size_t calls = s.counted.calls;
    for (int i = 0; i < 100; ++i) step(&s, 0.05 * i, 0.01);
    CHECK(s.counted.calls == calls);

    unsigned char before[sizeof(ct_blend_state) + 2 * CLIPS * sizeof(double)];
    CHECK(s.player->source.state_size == sizeof before);
    memcpy(before, s.player->state, sizeof before);
    s.stage->values[0] = 1e308;
    CHECK(ct_stage_update(s.stage, 1e308, NULL, s.row, &s.frame, &error) == CT_BAD_VALUE);
    CHECK(memcmp(before, s.player->state, sizeof before) == 0);

    ct_source_reset(&s.player->source);
    step(&s, 2.4, 0.1);
    double first = s.row[5 * s.player->source.layout.stride], z = s.frame.root.translation.z;
    ct_source_reset(&s.player->source);
    CHECK(step(&s, 2.4, 0.1) == z && (double)s.row[5 * s.player->source.layout.stride] == first);
    stop(&s);
}

static void test_clips_of_two_skeletons_are_refused(void)
{
    scene s;
    play(&s, CT_SYNC_AUTO, CT_SPEED_PARAMETER, SPEEDS);
    ct_skeleton *tree = made_up_tree(3);
    ct_clip *other = made_up_motion(tree, 8, 0.1, true, true, 0.1);
    ct_blend_sample samples[CLIPS] = {s.samples[0], s.samples[1], {other, NULL, NULL}};
    ct_blend_player_options options = s.player->options;
    options.samples = samples;
    ct_blend_player *player;
    CHECK(ct_blend_player_create(&s.allocator, ct_kernels_best(), &options, &player, &error) == CT_BAD_VALUE);
    CHECK(strstr(error.message, "clip 2 has 3 joints, clip 0 has 1") != NULL);
    ct_clip_destroy(other);
    ct_skeleton_destroy(tree);
    stop(&s);
}

int main(void)
{
    test_a_blend_travels_what_its_clips_travel_in_step();
    test_clips_on_their_own_clocks_travel_at_the_mean_of_their_speeds();
    test_a_rate_makes_it_travel_at_the_parameter();
    test_samples_go_where_their_clips_are();
    test_a_clip_without_weight_adds_nothing();
    test_a_frame_allocates_nothing_and_a_failed_one_changes_nothing();
    test_clips_of_two_skeletons_are_refused();
    return check_report();
}

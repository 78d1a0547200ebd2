// The player of a clip: deltas of any partition of time compose, its state goes back on failure, and a frame allocates nothing. And what
// it is played on: trees of sources, their stage, and recordings.
#include "clip_player.h"

#include "failing_allocator.h"
#include "made_up.h"
#include "record.h"

enum { FRAMES = 11 };

static ct_error error;
static ct_skeleton *skeleton;
static failing_allocator counted;
static ct_allocator allocator;

#define MUST(call)                                                                                                                         \
    do {                                                                                                                                   \
        if ((call) != CT_OK) {                                                                                                             \
            printf("%s:%d: %s\n", __FILE__, __LINE__, error.message);                                                                      \
            abort();                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

// A body that goes ahead and turns.
static ct_clip *going(bool looping)
{
    ct_clip *clip = made_up_clip(skeleton, FRAMES, 0.1, looping, false);
    for (size_t i = 0; i < FRAMES; ++i) {
        double turn = 0.05 * (double)i;
        set_rotation(clip, i, 0, 1, 0, turn, 0);
        *clip_at(clip, i, CT_TRANSLATION + 1, 0) = 1;
        *clip_at(clip, i, CT_TRANSLATION + 2, 0) = (float)(0.1 * (double)i);
    }
    finish(clip);
    return clip;
}

typedef struct scene {
    ct_clip *clip, *on_spot;
    ct_root_motion *motion;
    ct_clip_player *player;
    ct_stage *stage;
    float *row;
    ct_frame frame;
} scene;

static void play(scene *s, bool looping, ct_wrap wrap)
{
    ct_root_options root = {.joint = 0, .up = CT_PLUS_Y};
    *s = (scene){.clip = going(looping)};
    MUST(ct_root_motion_create(s->clip, ct_kernels_best(), &root, &s->motion, &error));
    MUST(ct_clip_in_place(s->clip, s->motion, &s->on_spot, &error));
    ct_clip_player_options options = {.clip = s->on_spot, .motion = s->motion, .rate = {.name = "rate"}, .wrap = wrap};
    MUST(ct_clip_player_create(&allocator, ct_kernels_best(), &options, &s->player, &error));
    MUST(ct_stage_create(&allocator, &s->player->source, &s->stage, &error));
    s->stage->values[0] = 1;
    s->row = ct_allocate(&allocator, ct_row_length(s->clip->layout), sizeof *s->row);
}

static void stop(scene *s)
{
    ct_release(&allocator, s->row);
    ct_stage_destroy(s->stage);
    ct_clip_player_destroy(s->player);
    ct_root_motion_destroy(s->motion);
    ct_clip_destroy(s->on_spot);
    ct_clip_destroy(s->clip);
    CHECK(counted.live == 0);
}

static ct_root_place travel(scene *s, double seconds, int steps)
{
    ct_root_place place = {0};
    for (int i = 0; i < steps; ++i) {
        MUST(ct_stage_update(s->stage, seconds / steps, NULL, s->row, &s->frame, &error));
        place = ct_root_place_moved(ct_kernels_best(), CT_PLUS_Y, place, s->frame.root);
    }
    return place;
}

static void test_deltas_of_any_partition_compose(void)
{
    for (int kind = 0; kind < 3; ++kind) {
        ct_root_place whole = {0};
        for (int steps = 1; steps < 200; steps = 4 * steps + 1) {
            scene s;
            play(&s, kind == 0, kind == 2 ? CT_CLAMP : CT_LOOP);
            ct_root_place place = travel(&s, 3.7, steps);
            if (steps == 1) whole = place;
            CHECK_NEAR(place.position.x, whole.position.x, 1e-9);
            CHECK_NEAR(place.position.z, whole.position.z, 1e-9);
            CHECK_NEAR(place.heading, whole.heading, 1e-9);
            CHECK(s.player->state.ended == (kind == 2));
            stop(&s);
        }
        CHECK(fabs(whole.heading) > (kind == 2 ? 0.9 : 3));
    }
}

static void test_a_rate_out_of_all_times_changes_nothing(void)
{
    scene s;
    play(&s, true, CT_LOOP);
    travel(&s, 0.3, 1);
    s.stage->values[0] = 1e308;
    CHECK(ct_stage_update(s.stage, 1e10, NULL, s.row, &s.frame, &error) == CT_BAD_VALUE);
    CHECK(s.player->state.time == 0.3);
    unsigned char kept[sizeof s.player->state];
    CHECK(s.stage->state_size == sizeof kept);
    ct_stage_keep(s.stage, kept);
    s.stage->values[0] = 1;
    travel(&s, 0.3, 1);
    ct_stage_put_back(s.stage, kept);
    CHECK(s.player->state.time == 0.3);
    ct_source_reset(&s.player->source);
    CHECK(s.player->state.time == 0 && !s.player->state.ended);
    stop(&s);
}

static void test_a_frame_allocates_nothing(void)
{
    scene s;
    play(&s, true, CT_LOOP);
    size_t calls = counted.calls;
    travel(&s, 5, 100);
    CHECK(counted.calls == calls);
    CHECK(s.frame.played_count == 1 && s.frame.played[0].weight == 1);
    stop(&s);
}

static void test_a_source_has_one_parent_and_does_not_hold_itself(void)
{
    scene s, t;
    play(&s, true, CT_LOOP);
    play(&t, true, CT_LOOP);
    ct_source *children[2], *none[1];
    ct_source parent = s.player->source, above = parent;
    parent.children = children;
    above.children = none;
    MUST(ct_source_adopt(&parent, &t.player->source, "layer 0", &error));
    CHECK(parent.played_most == 2 && parent.child_count == 1);
    CHECK(ct_source_adopt(&above, &t.player->source, "layer 0", &error) == CT_BAD_VALUE);
    CHECK(ct_source_adopt(&parent, &parent, "layer 1", &error) == CT_BAD_VALUE);
    MUST(ct_source_adopt(&above, &parent, "layer 0", &error));
    CHECK(ct_source_adopt(&parent, &above, "layer 1", &error) == CT_BAD_VALUE);
    ct_stage *stage;
    CHECK(ct_stage_create(&allocator, &t.player->source, &stage, &error) == CT_BAD_VALUE);
    ct_source_release_children(&above);
    ct_source_release_children(&parent);
    CHECK(!t.player->source.parent && !parent.parent);

    ct_skeleton *other = made_up_tree(3);
    parent.skeleton = other;
    CHECK(ct_source_adopt(&parent, &t.player->source, "layer 0", &error) == CT_BAD_VALUE);
    ct_skeleton_destroy(other);
    ct_release(&allocator, t.row);
    ct_stage_destroy(t.stage);
    ct_clip_player_destroy(t.player);
    ct_root_motion_destroy(t.motion);
    ct_clip_destroy(t.on_spot);
    ct_clip_destroy(t.clip);
    stop(&s);
}

static ct_status steer(void *user, size_t frame, void **context, ct_error *told)
{
    (void)context;
    scene *s = user;
    s->stage->values[0] = 1;
    return frame == 8 && s->player->options.start > 0 ? ct_fail(told, CT_BAD_VALUE, "on purpose") : CT_OK;
}

static ct_status listen(void *user, size_t frame, const ct_frame *shown, ct_error *told)
{
    (void)user;
    (void)frame;
    (void)told;
    return shown->played_count == 1 ? CT_OK : CT_BAD_VALUE;
}

static void test_a_recording_gives_the_clip_back(void)
{
    scene s;
    play(&s, false, CT_CLAMP);
    ct_clip *recorded = made_up_clip(skeleton, FRAMES, 0.1, false, false);
    ct_recording recording = {s.stage, ct_kernels_best(), NULL, steer, listen, &s};
    size_t calls = counted.calls;
    MUST(ct_record(&recording, recorded, &error));
    CHECK(counted.calls == calls);
    for (size_t i = 0; i < FRAMES; ++i) {
        for (size_t c = 0; c < s.clip->layout.component_count; ++c)
            CHECK_NEAR(*clip_at(recorded, i, c, 0), *clip_at(s.clip, i, c, 0), 1e-6);
    }
    s.player->options.start = 0.1;
    CHECK(ct_record(&recording, recorded, &error) == CT_BAD_VALUE);
    ct_clip_destroy(recorded);
    stop(&s);
}

int main(void)
{
    skeleton = made_up_tree(2);
    allocator = failing_allocator_use(&counted);
    test_deltas_of_any_partition_compose();
    test_a_rate_out_of_all_times_changes_nothing();
    test_a_frame_allocates_nothing();
    test_a_source_has_one_parent_and_does_not_hold_itself();
    test_a_recording_gives_the_clip_back();
    ct_skeleton_destroy(skeleton);
    return check_report();
}

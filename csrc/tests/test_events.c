// What happens while a clip plays: half-open intervals, over any number of rounds, in both directions.
#include "events.h"
#include "made_up.h"

// A clip of `frame_count` frames at 4 a second that walks on, so that its last frame does not repeat the first unless it has one.
static ct_clip *clip_of(const ct_skeleton *skeleton, size_t frame_count, bool looping)
{
    return made_up_motion(skeleton, frame_count, 0.25, looping, false, 0.1);
}

enum { MOST = 4096 };
typedef struct told {
    size_t count;
    int64_t numbers[MOST];
} told;

static void tell(told *all, ct_event_run run)
{
    for (size_t i = 0; i < run.count && all->count < MOST; ++i) all->numbers[all->count++] = run.first + (int64_t)i * run.step;
}

static void check_counts_up(const told *all, int step)
{
    for (size_t i = 1; i < all->count; ++i) CHECK(all->numbers[i] == all->numbers[i - 1] + step);
}

// Plays random steps, some of which end at an event to the bit, and expects every event once.
static void play(const ct_clip *clip, ct_wrap wrap, size_t count, const double *times, int direction)
{
    ct_events events = ct_events_of(clip, wrap, times, count);
    double period = ct_clip_period(clip), at = direction > 0 || wrap == CT_LOOP ? 0 : ct_clip_duration(clip);
    told all = {0};
    uint64_t state = 17;
    ptrdiff_t rounds = 0;
    for (int i = 0; i < 400; ++i) {
        double chance = made_up_number(&state), by = fabs(made_up_number(&state)) * (chance < -0.9 ? 5 : 0.3) * period;
        if (chance > 0.5 && count) by = fabs(times[(size_t)i % count] - at);
        ct_stretch stretch = ct_clip_clock_move(clip, wrap, at, direction * by);
        ct_event_run run = ct_events_in(&events, stretch);
        CHECK(run.count == 0 || run.step == direction);
        run.first += (int64_t)rounds * (int64_t)events.count; // numbers begin anew with each stretch
        tell(&all, run);
        rounds += stretch.rounds;
        at = stretch.to;
    }
    check_counts_up(&all, direction);
    CHECK(all.count < MOST);
    if (wrap == CT_CLAMP) CHECK(all.count == events.count); // the end itself, too
    if (wrap == CT_LOOP && events.count)
        CHECK(llabs((int64_t)all.count - (int64_t)events.count * llabs((long long)rounds)) <= (int64_t)count);
}

static void test_stretches_one_after_another_lose_and_double_nothing(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    static const double plain[] = {0.1, 0.5, 0.75, 0.75, 1.9}, ends[] = {0, 0.6, 2}, first[] = {0}, last[] = {2, 2};
    const struct {
        size_t count;
        const double *times;
    } cases[] = {{5, plain}, {3, ends}, {1, first}, {2, last}, {0, plain}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int direction = -1; direction <= 1; direction += 2) {
            ct_clip *loop = clip_of(skeleton, 8, true), *open = clip_of(skeleton, 9, false);
            CHECK(ct_clip_period(loop) == 2 && ct_clip_duration(open) == 2);
            play(loop, CT_LOOP, cases[i].count, cases[i].times, direction);
            play(open, CT_CLAMP, cases[i].count, cases[i].times, direction);
            ct_clip_destroy(loop);
            ct_clip_destroy(open);
        }
    }
    ct_skeleton_destroy(skeleton);
}

static void test_the_seam_is_one_moment(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    ct_clip *clip = clip_of(skeleton, 8, true);
    static const double both[] = {0, 1, 2 - 1e-9}, at_period[] = {1, 2};
    ct_events two = ct_events_of(clip, CT_LOOP, both, 3), late = ct_events_of(clip, CT_LOOP, at_period, 2);
    CHECK(two.count == 2 && late.count == 2);

    CHECK(ct_events_in(&two, (ct_stretch){1.5, 0, 1, false, CT_LOOP}).count == 0); // up to the seam
    CHECK(ct_events_in(&late, (ct_stretch){1.5, 0, 1, false, CT_LOOP}).count == 0);
    CHECK(ct_events_in(&two, (ct_stretch){0, 0.5, 0, false, CT_LOOP}).count == 1); // from it on
    CHECK(ct_events_in(&late, (ct_stretch){0, 0.5, 0, false, CT_LOOP}).count == 1);
    CHECK(ct_events_in(&two, (ct_stretch){0.5, 0, 0, false, CT_LOOP}).count == 0); // backward, down to it
    CHECK(ct_events_in(&late, (ct_stretch){0.5, 0, 0, false, CT_LOOP}).count == 0);
    CHECK(ct_events_in(&late, (ct_stretch){0.5, 1.5, -1, false, CT_LOOP}).count == 1);

    CHECK(ct_event_time(&late, 0) == 1 && ct_event_time(&late, 1) == 2 && ct_event_time(&late, -1) == 0 && ct_event_time(&late, 3) == 4);
    CHECK(ct_event_index(&late, 1) == 1 && ct_event_index(&late, -1) == 1 && ct_event_index(&late, -2) == 0);
    CHECK(ct_event_time(&two, 2) == 2 && ct_event_time(&two, -1) == -1);

    ct_events clamped = ct_events_of(clip, CT_CLAMP, at_period, 2); // lasts 1.75 s
    CHECK(clamped.count == 1 && !clamped.loops);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_times_between_agree_with_the_times_that_are_told(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    ct_clip *clip = made_up_motion(skeleton, 7, 1.0 / 30, true, false, 0.1);
    const double times[] = {0.02, 0.1, 0.1, 0.21};
    ct_events events = ct_events_of(clip, CT_LOOP, times, 4);
    for (int64_t n = -4000; n < 4000; n += 7) {
        double time = ct_event_time(&events, n);
        ct_event_run from = ct_events_between(&events, time, time + 0.05), until = ct_events_between(&events, time - 0.05, time);
        CHECK(from.count > 0 && ct_event_time(&events, from.first) == time);
        CHECK(until.count == 0 || ct_event_time(&events, until.first + (int64_t)until.count - 1) < time);
        ct_event_run back = ct_events_between(&events, time, time - 0.05);
        CHECK(back.step == -1 && ct_event_time(&events, back.first) == time);
    }
    CHECK(ct_events_between(&events, -1e12 * events.end, -1e12 * events.end).count == 0);
    ct_event_run many = ct_events_between(&events, -100 * events.end, 100 * events.end);
    CHECK(many.count == 800 && many.first == -400);
    ct_clip_destroy(clip);
    ct_skeleton_destroy(skeleton);
}

static void test_the_end_of_an_open_clip_is_told_when_it_is_reached(void)
{
    ct_skeleton *skeleton = made_up_tree(3);
    ct_clip *clip = clip_of(skeleton, 9, false), *moment = clip_of(skeleton, 1, true);
    static const double times[] = {0, 2};
    ct_events events = ct_events_of(clip, CT_CLAMP, times, 2), still = ct_events_of(moment, CT_LOOP, times, 1);
    CHECK(ct_events_between(&events, 1, 2).count == 0 && ct_events_between(&events, 1, 2.1).count == 1);
    CHECK(ct_events_between(&events, 2, 9).count == 1 && ct_events_between(&events, 2.1, 9).count == 0);
    CHECK(ct_events_between(&events, 1, 0).count == 0 && ct_events_between(&events, 1, -1).count == 1);
    CHECK(ct_events_in(&events, ct_clip_clock_move(clip, CT_CLAMP, 1, 1)).count == 1);
    CHECK(ct_events_in(&events, ct_clip_clock_move(clip, CT_CLAMP, 2, 1)).count == 0);
    CHECK(ct_events_in(&events, ct_clip_clock_move(clip, CT_CLAMP, 1, -1)).count == 1);

    CHECK(ct_events_between(&still, 0, 1).count == 1);
    CHECK(ct_events_in(&still, ct_clip_clock_move(moment, CT_LOOP, 0, 1)).count == 0); // or every step would tell it
    ct_clip_destroy(clip);
    ct_clip_destroy(moment);
    ct_skeleton_destroy(skeleton);
}

int main(void)
{
    test_stretches_one_after_another_lose_and_double_nothing();
    test_the_seam_is_one_moment();
    test_times_between_agree_with_the_times_that_are_told();
    test_the_end_of_an_open_clip_is_told_when_it_is_reached();
    return check_report();
}

// Clips in step: known answers, and what holds for any markers.
#include "sync.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "made_up.h"

static ct_error error;
static const double TINY = 1e-12;

#define MARK(name, ...)                                                                                                                    \
    {                                                                                                                                      \
        name, sizeof(double[]){__VA_ARGS__} / sizeof(double), (const double[]) { __VA_ARGS__ }                                             \
    }
#define CLIP(name, period, looping, ...)                                                                                                   \
    {                                                                                                                                      \
        name, period, looping, sizeof(ct_marker[]){__VA_ARGS__} / sizeof(ct_marker), (const ct_marker[]) { __VA_ARGS__ }                   \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

static ct_status try_to_make(ct_sync_mode mode, size_t count, const ct_sync_clip *clips, ct_sync **sync)
{
    ct_allocator allocator = ct_allocator_default();
    return ct_sync_create(&allocator, mode, 0, NULL, count, clips, sync, &error);
}

static ct_sync *make(ct_sync_mode mode, size_t count, const ct_sync_clip *clips)
{
    ct_sync *sync = NULL;
    if (try_to_make(mode, count, clips, &sync) == CT_OK) return sync;
    printf("%s\n", error.message);
    abort();
}

static double fraction(double x) { return x - floor(x); }

static bool says(const char *part) { return strstr(error.message, part) != NULL; }

static void test_two_cycles_in_step_take_their_weighted_mean(void)
{
    const ct_sync_clip clips[] = {{"walk", 1.0, true, 0, NULL}, {"run", 0.7, true, 0, NULL}};
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    CHECK(sync->mode == CT_SYNC_NORMALIZED);
    const double weights[] = {0.5, 0.5};
    CHECK_NEAR(ct_sync_cycle(sync, weights), 0.85, 1e-15);
    ct_sync_place place = ct_sync_start(sync), later = ct_sync_move(sync, place, weights, 0.85 / 4);
    CHECK_NEAR(ct_sync_time(sync, 0, later), 0.25, TINY);
    CHECK_NEAR(ct_sync_time(sync, 1, later), 0.175, TINY);
    later = ct_sync_move(sync, place, weights, 0.85 * 3.5);
    CHECK_NEAR(ct_sync_phase(sync, later), 0.5, TINY);
    CHECK(ct_sync_stretch(sync, 1, place, later).rounds == 3);
    ct_sync_destroy(sync);
}

static void test_one_marker_is_the_known_formula(void)
{
    const double walk_down = 0.3, run_down = 0.55, walk_length = 1.1, run_length = 0.7;
    const ct_sync_clip clips[] = {CLIP("walk", 1.1, true, MARK("down", 0.3)), CLIP("run", 0.7, true, MARK("down", 0.55))};
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    CHECK(sync->mode == CT_SYNC_MARKERS);
    const double weights[] = {0.6, 0.4};
    ct_sync_place place = ct_sync_start(sync);
    CHECK(ct_sync_time(sync, 0, place) == 0 || walk_length - ct_sync_time(sync, 0, place) < 1e-15);
    for (int i = 0; i < 500; ++i) {
        place = ct_sync_move(sync, place, weights, 1 / 60.0);
        double leader = ct_sync_time(sync, 0, place);
        CHECK_NEAR(leader, fraction((i + 1) / 60.0 / (0.6 * walk_length + 0.4 * run_length)) * walk_length, 1e-11);
        double phase = fraction(leader / walk_length - walk_down / walk_length + 1);
        CHECK_NEAR(ct_sync_phase(sync, place), phase, TINY);
        CHECK_NEAR(ct_sync_time(sync, 1, place), fraction(run_down / run_length + phase) * run_length, TINY);
    }
    ct_sync_destroy(sync);
}

// The four events of a cycle in two gaits come in different orders; feet coming down do not.
static void test_steps_alone_are_used_when_the_events_come_in_other_orders(void)
{
    const ct_sync_clip clips[] = {
        CLIP("walk", 1.0, true, MARK("left_down", 0), MARK("left_up", 0.6), MARK("right_down", 0.5), MARK("right_up", 0.1)),
        CLIP("run", 0.7, true, MARK("left_down", 0.35), MARK("left_up", 0.588), MARK("right_down", 0.0), MARK("right_up", 0.238)),
    };
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    CHECK(sync->pattern_count == 2 && sync->name_count == 2 && sync->names[0] == 0 && sync->names[1] == 2);
    CHECK(ct_sync_time(sync, 0, (ct_sync_place){0, 0}) == 0 && ct_sync_time(sync, 1, (ct_sync_place){0, 0}) == 0.35);
    CHECK(ct_sync_time(sync, 0, (ct_sync_place){1, 0}) == 0.5 && ct_sync_time(sync, 1, (ct_sync_place){1, 0}) == 0);
    CHECK_NEAR(ct_sync_time(sync, 1, (ct_sync_place){0, 0.5}), 0.525, TINY);
    ct_sync_destroy(sync);

    const ct_sync_clip crossed[] = {CLIP("a", 1, true, MARK("x", 0.1), MARK("y", 0.2), MARK("z", 0.3)),
                                    CLIP("b", 1, true, MARK("x", 0.7), MARK("y", 0.5), MARK("z", 0.2))};
    sync = make(CT_SYNC_AUTO, 2, crossed);
    CHECK(sync->pattern_count == 1 && sync->name_count == 1 && sync->names[0] == 0);
    ct_sync_destroy(sync);
}

static void test_all_events_are_used_when_they_come_in_one_order(void)
{
    const ct_sync_clip clips[] = {
        CLIP("slow", 1.2, true, MARK("left_down", 0.1), MARK("left_up", 0.8), MARK("right_down", 0.7), MARK("right_up", 0.2)),
        CLIP("fast", 1.0, true, MARK("left_down", 0.9), MARK("left_up", 0.45), MARK("right_down", 0.4), MARK("right_up", 0.02)),
    };
    ct_sync *sync = make(CT_SYNC_MARKERS, 2, clips);
    CHECK(sync->pattern_count == 4 && sync->name_count == 4);
    CHECK(ct_sync_time(sync, 1, (ct_sync_place){3, 0}) == 0.45);
    ct_sync_destroy(sync);
}

static void test_a_clip_of_two_cycles_goes_through_the_pattern_twice(void)
{
    const ct_sync_clip clips[] = {
        CLIP("one", 1.0, true, MARK("l", 0.0), MARK("r", 0.5)),
        CLIP("two", 1.8, true, MARK("l", 0.4, 1.3), MARK("r", 0.0, 0.8)),
        CLIP("three", 2.4, true, MARK("l", 0.1, 0.9, 1.7), MARK("r", 0.5, 1.3, 2.1)),
    };
    ct_sync *sync = make(CT_SYNC_AUTO, 3, clips);
    CHECK(sync->pattern_count == 2 && sync->lap == 12);
    const double weights[] = {0.5, 0.25, 0.25};
    CHECK_NEAR(ct_sync_cycle(sync, weights), 0.5 * 1.0 + 0.25 * 0.9 + 0.25 * 0.8, 1e-15);
    static const double two[] = {0.4, 0.8, 1.3, 0.0};
    for (int mark = -9; mark < 9; ++mark) {
        ct_sync_place place = {mark, 0};
        CHECK(ct_sync_time(sync, 0, place) == (mark & 1) * 0.5);
        CHECK(ct_sync_time(sync, 1, place) == two[mark & 3]);
        CHECK(ct_sync_time(sync, 2, place) == ct_sync_time(sync, 2, ct_sync_wrap(sync, place)));
    }
    ct_sync_place start = {0, 0}, end = ct_sync_move(sync, start, weights, 0.925 * 6);
    CHECK(ct_sync_stretch(sync, 0, start, end).rounds + ct_sync_stretch(sync, 1, start, end).rounds == 6 + 3);
    ct_sync_destroy(sync);
}

static void test_feet_that_stay_down_and_clips_without_markers_keep_their_own_clocks(void)
{
    const ct_sync_clip clips[] = {
        {"idle", 8, true, 4, (const ct_marker[]){MARK("left_down", 0), {"left_up", 0, NULL}, MARK("right_down", 0), {"right_up", 0, NULL}}},
        CLIP("walk", 1, true, MARK("left_down", 0), MARK("right_down", 0.5)),
        CLIP("run", 0.7, true, MARK("left_down", 0.1), MARK("right_down", 0.45)),
        {"wave", 3, true, 0, NULL},
        {"pose", 0, false, 0, NULL},
    };
    ct_sync *sync = make(CT_SYNC_AUTO, COUNT(clips), clips);
    CHECK(sync->mode == CT_SYNC_MARKERS && sync->pattern_count == 2);
    CHECK(!sync->tracks[0].in_step && sync->tracks[1].in_step && sync->tracks[2].in_step);
    CHECK(!sync->tracks[3].in_step && !sync->tracks[4].in_step);
    const double weights[] = {0.5, 0.5, 0, 0, 0}, idle[] = {1, 0, 0, 0, 0};
    CHECK(ct_sync_cycle(sync, weights) == 1 && ct_sync_cycle(sync, idle) == 0);
    ct_sync_place place = ct_sync_move(sync, ct_sync_start(sync), idle, 0.3);
    CHECK(place.mark == 0 && place.part == 0);
    ct_sync_destroy(sync);

    sync = make(CT_SYNC_MARKERS, 3, clips);
    CHECK(!sync->tracks[0].in_step && sync->tracks[1].in_step);
    ct_sync_destroy(sync);
    CHECK(try_to_make(CT_SYNC_MARKERS, 4, clips, &sync) == CT_BAD_VALUE && says("clip 3 ('wave') has none"));
    sync = make(CT_SYNC_AUTO, 2, clips); // the walk alone is in step, or the idle would slow it down
    CHECK(sync->mode == CT_SYNC_MARKERS && sync->tracks[1].in_step && !sync->tracks[0].in_step);
    ct_sync_destroy(sync);
    sync = make(CT_SYNC_NORMALIZED, COUNT(clips), clips);
    CHECK(sync->tracks[0].in_step && sync->tracks[3].in_step && !sync->tracks[4].in_step);
    ct_sync_destroy(sync);
    sync = make(CT_SYNC_NONE, COUNT(clips), clips);
    CHECK(sync->mode == CT_SYNC_NONE && !sync->tracks[1].in_step);
    CHECK(ct_sync_phase(sync, ct_sync_start(sync)) == 0);
    ct_sync_destroy(sync);
    sync = make(CT_SYNC_AUTO, 1, clips + 4); // a pose
    CHECK(sync->mode == CT_SYNC_NORMALIZED && ct_sync_start(sync).mark == 0);
    ct_sync_destroy(sync);
}

static void test_what_can_not_be_in_step_is_refused(void)
{
    const ct_sync_clip apart[] = {CLIP("walk", 1, true, MARK("left", 0), MARK("right", 0.5)), CLIP("run", 0.7, true, MARK("links", 0.1))};
    ct_sync *sync;
    CHECK(try_to_make(CT_SYNC_MARKERS, 2, apart, &sync) == CT_BAD_VALUE);
    CHECK(says("clip 0 ('walk') has left, right; clip 1 ('run') has links") && says("normalized"));
    sync = make(CT_SYNC_AUTO, 2, apart);
    CHECK(sync->mode == CT_SYNC_NORMALIZED && sync->tracks[1].in_step);
    ct_sync_destroy(sync);

    const ct_sync_clip bare[] = {{"walk", 1, true, 0, NULL}, {"run", 0.7, true, 0, NULL}};
    CHECK(try_to_make(CT_SYNC_MARKERS, 2, bare, &sync) == CT_BAD_VALUE && says("clip 1 ('run') has none"));

    const ct_sync_clip mixed[] = {CLIP("walk", 1, true, MARK("left", 0)), CLIP("jump", 2, false, MARK("left", 0.1))};
    for (int mode = CT_SYNC_NORMALIZED; mode <= CT_SYNC_AUTO; ++mode) {
        CHECK(try_to_make((ct_sync_mode)mode, 2, mixed, &sync) == CT_BAD_VALUE);
        CHECK(says("clip 0 ('walk') loops, clip 1 ('jump') does not") && says("'none'"));
    }
    ct_sync_destroy(make(CT_SYNC_NONE, 2, mixed));

    const char *const wanted[] = {"left", "right"};
    ct_allocator allocator = ct_allocator_default();
    CHECK(ct_sync_create(&allocator, CT_SYNC_AUTO, 2, wanted, 2, apart, &sync, &error) == CT_BAD_VALUE &&
          says("markers left, right (clip 0"));
    ct_sync_clip many[60] = {0};
    for (size_t i = 0; i < COUNT(many); ++i) many[i] = (ct_sync_clip){"a clip with a name that is rather long", 1, true, 0, NULL};
    CHECK(try_to_make(CT_SYNC_MARKERS, COUNT(many), many, &sync) == CT_BAD_VALUE && says("normalized"));
}

static void test_wanted_markers_are_the_ones_that_are_used(void)
{
    const ct_sync_clip clips[] = {CLIP("a", 1, true, MARK("x", 0.1), MARK("y", 0.2), MARK("z", 0.3)),
                                  CLIP("b", 1, true, MARK("x", 0.7), MARK("y", 0.2), MARK("z", 0.5))};
    const char *const wanted[] = {"z", "y"};
    ct_allocator allocator = ct_allocator_default();
    ct_sync *sync;
    CHECK(ct_sync_create(&allocator, CT_SYNC_AUTO, 2, wanted, 2, clips, &sync, &error) == CT_OK);
    CHECK(sync->pattern_count == 2 && sync->name_count == 2 && sync->names[0] == 2 && sync->names[1] == 1);
    CHECK(ct_sync_time(sync, 0, (ct_sync_place){1, 0}) == 0.3 && ct_sync_time(sync, 1, (ct_sync_place){1, 0}) == 0.5);
    ct_sync_destroy(sync);
}

// Two feet at once are one mark, in hops and at the ends of a loop.
static void test_markers_of_one_time_are_one_mark(void)
{
    const ct_sync_clip clips[] = {
        CLIP("hop", 1, true, MARK("left_down", 0.2, 0.7), MARK("right_down", 0.2, 0.7)),
        CLIP("skip", 0.5, true, MARK("left_down", 0, 0.5), MARK("right_down", 0.5)),
    };
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    CHECK(sync->pattern_count == 1 && sync->tracks[0].repetitions == 2 && sync->tracks[1].repetitions == 1);
    ct_sync_destroy(sync);
}

static void test_open_clips_share_their_ends_and_hold_the_last(void)
{
    const ct_sync_clip clips[] = {CLIP("low", 2.0, false, MARK("down", 0.0, 1.2), MARK("up", 0.6)),
                                  CLIP("high", 3.0, false, MARK("down", 0.0, 2.4), MARK("up", 0.9))};
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    CHECK(sync->mode == CT_SYNC_MARKERS && !sync->looping && sync->pattern_count == 3);
    const double weights[] = {0.5, 0.5};
    CHECK_NEAR(ct_sync_cycle(sync, weights), 2.5, 1e-15);
    ct_sync_place place = ct_sync_start(sync), later = ct_sync_move(sync, place, weights, 0.75);
    CHECK_NEAR(ct_sync_time(sync, 0, later), 0.6, TINY);
    CHECK_NEAR(ct_sync_time(sync, 1, later), 0.9, TINY);
    int ends = 0;
    double sum = 0;
    for (int i = 0; i < 150 + 5; ++i) {
        later = ct_sync_move(sync, place, weights, 1 / 60.0);
        ct_stretch stretch = ct_sync_stretch(sync, 1, place, later);
        CHECK(stretch.rounds == 0 && stretch.to >= stretch.from);
        ends += stretch.ends;
        CHECK(!stretch.ends || i == 149);
        sum += stretch.to - stretch.from;
        place = later;
    }
    CHECK(ends == 1 && place.mark == 3 && place.part == 0 && ct_sync_phase(sync, place) == 1);
    CHECK(ct_sync_time(sync, 0, place) == 2 && ct_sync_time(sync, 1, place) == 3);
    CHECK_NEAR(sum, 3, TINY);
    place = ct_sync_move(sync, ct_sync_start(sync), weights, 1e300);
    CHECK(place.mark == 3);
    ct_sync_destroy(sync);

    const ct_sync_clip others[] = {CLIP("low", 2.0, false, MARK("down", 0.0, 1.2)), CLIP("high", 3.0, false, MARK("down", 0.1, 2.4, 2.7))};
    sync = make(CT_SYNC_AUTO, 2, others); // nothing but the ends in common
    CHECK(sync->mode == CT_SYNC_MARKERS && sync->pattern_count == 1 && sync->name_count == 0);
    ct_sync_destroy(sync);
    sync = make(CT_SYNC_NORMALIZED, 2, others);
    later = ct_sync_move(sync, ct_sync_start(sync), weights, 1.25);
    CHECK_NEAR(ct_sync_time(sync, 0, later), 1, TINY);
    CHECK_NEAR(ct_sync_time(sync, 1, later), 1.5, TINY);
    ct_sync_destroy(sync);
}

// Any clips that go through one pattern, from any place of it and any number of times, with random times.
enum { MOST_MARKS = 16 };
typedef struct made {
    ct_marker markers[3];
    double times[3][MOST_MARKS];
} made;

static void make_up(uint64_t *state, size_t repetitions, made *m, ct_sync_clip *clip)
{
    static const char *const names[] = {"a", "b", "c"};
    static const size_t pattern[] = {0, 1, 0, 2};
    size_t count = 4 * repetitions, turned = (size_t)(4 * fabs(made_up_number(state)));
    double period = 0.3 + fabs(made_up_number(state)), steps[MOST_MARKS + 1], sum = 0;
    for (size_t k = 0; k <= count; ++k) sum += steps[k] = 0.01 + fabs(made_up_number(state));
    for (size_t n = 0; n < 3; ++n) m->markers[n] = (ct_marker){names[n], 0, m->times[n]};
    double time = made_up_number(state) < 0 ? 0 : steps[count] / sum * period;
    for (size_t k = 0; k < count; ++k) {
        size_t name = pattern[(k + turned) % 4];
        m->times[name][m->markers[name].count++] = time;
        time += steps[k] / sum * period;
    }
    *clip = (ct_sync_clip){"made up", period, true, 3, m->markers};
}

// In which stretch between marks a time is, counted like the marks of the track.
static size_t stretch_of(const ct_sync_track *track, double time)
{
    size_t found = 0;
    double best = -1;
    for (size_t k = 0; k < track->mark_count; ++k) {
        double since = time >= track->marks[k] ? track->marks[k] : track->marks[k] - track->period;
        if (best >= 0 && since <= best - track->period) continue;
        if (k == 0 || since > best) found = k, best = since;
    }
    return found;
}

static void test_all_clips_are_between_the_same_marks(void)
{
    uint64_t state = 5;
    for (int round = 0; round < 200; ++round) {
        made m[3];
        ct_sync_clip clips[3];
        for (size_t i = 0; i < 3; ++i) make_up(&state, i + 1, &m[i], &clips[i]);
        ct_sync *sync = make(CT_SYNC_AUTO, 3, clips);
        CHECK(sync->pattern_count == 4 && sync->tracks[2].repetitions == 3);
        ct_sync_place place = ct_sync_start(sync);
        for (int step = 0; step < 200; ++step) {
            double weights[3];
            for (size_t i = 0; i < 3; ++i) weights[i] = fabs(made_up_number(&state));
            ct_sync_place before = place;
            place = ct_sync_move(sync, place, weights, step % 50 == 49 ? 3 : 0.05 * fabs(made_up_number(&state)));
            CHECK(place.part >= 0 && place.part < 1);
            CHECK(place.mark > before.mark || (place.mark == before.mark && place.part >= before.part));
            for (size_t i = 0; i < 3; ++i) {
                const ct_sync_track *track = &sync->tracks[i];
                ct_stretch stretch = ct_sync_stretch(sync, i, before, place);
                CHECK(stretch.to >= 0 && stretch.to < track->period);
                CHECK(stretch.rounds > 0 || (stretch.rounds == 0 && stretch.to >= stretch.from));
                CHECK(stretch_of(track, stretch.to) == (size_t)ct_sync_wrap(sync, place).mark % track->mark_count);
            }
            if (step % 20 == 0) place = ct_sync_wrap(sync, place);
        }
        ct_sync_destroy(sync);
    }
}

static void test_time_never_goes_back_nor_passes_a_mark_early(void)
{
    uint64_t state = 9;
    for (int round = 0; round < 300; ++round) {
        made m;
        ct_sync_clip clip;
        make_up(&state, 2, &m, &clip);
        ct_sync *sync = make(CT_SYNC_AUTO, 1, &clip);
        const ct_sync_track *track = &sync->tracks[0];
        for (int64_t mark = 0; mark < 8; ++mark) {
            ct_stretch whole = ct_sync_stretch(sync, 0, (ct_sync_place){mark, 0}, (ct_sync_place){mark + 1, 0});
            double previous = whole.from, close[] = {1e-300, 1e-18, 1e-16, 0.3, 0.5, 1 - 1e-9, 1 - 3e-16, nextafter(1, 0)};
            CHECK(whole.from == track->marks[mark] && whole.to == track->marks[(mark + 1) % 8]);
            for (size_t k = 0; k < COUNT(close); ++k) {
                ct_sync_place place = {mark, close[k]};
                ct_stretch part = ct_sync_stretch(sync, 0, (ct_sync_place){mark, 0}, place);
                double now = ct_stretch_end(part, track->period), end = ct_stretch_end(whole, track->period);
                CHECK(part.to >= 0 && part.to < track->period && now >= previous - 2e-16 && now <= end);
                CHECK(part.rounds < whole.rounds || part.to < whole.to);
                previous = now;
            }
        }
        // The start is the beginning of the clip, never past it.
        ct_sync_place start = ct_sync_start(sync);
        double time = ct_sync_time(sync, 0, start);
        CHECK(time == 0 || (time < track->period && time > track->period - 1e-15));
        ct_sync_destroy(sync);
    }
}

static void test_parts_of_a_time_lead_to_the_same_place(void)
{
    uint64_t state = 21;
    made m[2];
    ct_sync_clip clips[2];
    for (size_t i = 0; i < 2; ++i) make_up(&state, i + 1, &m[i], &clips[i]);
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    const double weights[] = {0.3, 0.7};
    ct_sync_place start = ct_sync_start(sync), whole = ct_sync_move(sync, start, weights, 10), parts = start;
    ptrdiff_t rounds = 0;
    for (int i = 0; i < 600; ++i) {
        ct_sync_place next = ct_sync_move(sync, parts, weights, 10 / 600.0);
        rounds += ct_sync_stretch(sync, 0, parts, next).rounds;
        parts = ct_sync_wrap(sync, next);
    }
    whole = ct_sync_wrap(sync, whole);
    CHECK(whole.mark == parts.mark);
    CHECK_NEAR(whole.part, parts.part, 1e-10);
    CHECK(rounds == ct_sync_stretch(sync, 0, start, ct_sync_move(sync, start, weights, 10)).rounds);
    CHECK(ct_sync_move(sync, parts, weights, 0).part == parts.part);

    ct_sync_place far = ct_sync_move(sync, start, weights, 1e300);
    CHECK(far.mark >= 0 && far.part >= 0 && far.part < 1 && isfinite(ct_sync_time(sync, 1, far)));
    ct_sync_destroy(sync);
}

static void test_the_place_does_not_jump_when_the_leader_changes(void)
{
    const ct_sync_clip clips[] = {CLIP("a", 1, true, MARK("l", 0.0), MARK("r", 0.3)), CLIP("b", 1, true, MARK("l", 0.0), MARK("r", 0.6))};
    ct_sync *sync = make(CT_SYNC_AUTO, 2, clips);
    ct_sync_place place = {0, 0.25};
    const double first[] = {0.500001, 0.499999}, second[] = {0.499999, 0.500001};
    ct_sync_place a = ct_sync_move(sync, place, first, 1e-6), b = ct_sync_move(sync, place, second, 1e-6);
    CHECK_NEAR(a.part, 0.25, 1e-5);
    CHECK_NEAR(b.part, 0.25, 1e-5);
    a = ct_sync_move(sync, place, first, 0.03), b = ct_sync_move(sync, place, second, 0.03);
    CHECK_NEAR(a.part, 0.25 + 0.03 / 0.3, 1e-9); // the leader's time is even
    CHECK_NEAR(b.part, 0.25 + 0.03 / 0.6, 1e-9);
    ct_sync_destroy(sync);
}

int main(void)
{
    test_two_cycles_in_step_take_their_weighted_mean();
    test_one_marker_is_the_known_formula();
    test_steps_alone_are_used_when_the_events_come_in_other_orders();
    test_all_events_are_used_when_they_come_in_one_order();
    test_a_clip_of_two_cycles_goes_through_the_pattern_twice();
    test_feet_that_stay_down_and_clips_without_markers_keep_their_own_clocks();
    test_what_can_not_be_in_step_is_refused();
    test_wanted_markers_are_the_ones_that_are_used();
    test_markers_of_one_time_are_one_mark();
    test_open_clips_share_their_ends_and_hold_the_last();
    test_all_clips_are_between_the_same_marks();
    test_time_never_goes_back_nor_passes_a_mark_early();
    test_parts_of_a_time_lead_to_the_same_place();
    test_the_place_does_not_jump_when_the_leader_changes();
    return check_report();
}

// Stretches of a clip: those of any partition of time share nothing and leave nothing out.
#include "clip_clock.h"

#include "made_up.h"

static ct_skeleton *skeleton;

// Where a stretch begins and ends on the line of all rounds, when it begins in round `round`.
typedef struct walk {
    double place; // in the clip
    double round;
    size_t ends;
} walk;

static void take(walk *w, const ct_clip *clip, ct_wrap wrap, double by)
{
    ct_stretch s = ct_clip_clock_move(clip, wrap, w->place, by);
    CHECK(s.from == w->place);
    CHECK(s.to >= 0 && s.to <= ct_clip_period(clip));
    w->place = s.to;
    w->round += (double)s.rounds;
    w->ends += s.ends;
}

static void test_parts_of_a_time_lead_round_a_loop_as_often_as_the_whole(void)
{
    ct_clip *clip = made_up_clip(skeleton, 11, 0.1, true, false);
    double period = ct_clip_period(clip);
    for (int backward = 0; backward < 2; ++backward) {
        for (int parts = 1; parts < 400; parts = 3 * parts + 1) {
            walk w = {0.25, 0, 0};
            double whole = (backward ? -1 : 1) * 7.5 * period;
            for (int i = 0; i < parts; ++i) take(&w, clip, CT_LOOP, whole / parts);
            CHECK_NEAR(w.place + w.round * period, 0.25 + whole, 1e-9);
            CHECK(w.ends == 0);
        }
    }
    ct_clip_destroy(clip);
}

static void test_a_seam_belongs_to_the_round_that_it_begins(void)
{
    ct_clip *clip = made_up_clip(skeleton, 5, 0.25, true, false);
    double period = ct_clip_period(clip);
    ct_stretch s = ct_clip_clock_move(clip, CT_LOOP, 0, period);
    CHECK(s.to == 0 && s.rounds == 1);
    s = ct_clip_clock_move(clip, CT_LOOP, 0, -period);
    CHECK(s.to == 0 && s.rounds == -1);
    s = ct_clip_clock_move(clip, CT_LOOP, 0, -1e-30);
    CHECK(s.to == 0 && s.rounds == 0);
    s = ct_clip_clock_move(clip, CT_LOOP, 0, 1e300);
    CHECK(s.to >= 0 && s.to < period && (double)s.rounds <= CT_MOST_ROUNDS);
    s = ct_clip_clock_move(clip, CT_LOOP, 0, -1e300);
    CHECK(s.to >= 0 && s.to < period && (double)s.rounds >= -CT_MOST_ROUNDS);
    ct_clip_destroy(clip);
}

static void test_an_end_is_met_once_and_within_its_tolerance(void)
{
    ct_clip *clip = made_up_clip(skeleton, 11, 0.1, false, false);
    double duration = ct_clip_duration(clip);
    for (int backward = 0; backward < 2; ++backward) {
        double begin = backward ? duration : 0, end = duration - begin, by = backward ? -duration : duration;
        walk w = {begin, 0, 0};
        for (int i = 0; i < 100; ++i) take(&w, clip, CT_CLAMP, by / 30);
        CHECK(w.place == end && w.round == 0 && w.ends == 1);
        CHECK(ct_clip_clock_move(clip, CT_CLAMP, begin, by * (1 - 0.9e-6)).to == end);
        CHECK(ct_clip_clock_move(clip, CT_CLAMP, begin, by * (1 - 1.1e-6)).to != end);
        CHECK(ct_clip_clock_move(clip, CT_CLAMP, begin, by * 1e300).to == end);
    }
    ct_stretch held = ct_clip_clock_move(clip, CT_CLAMP, duration, 0);
    CHECK(held.to == duration && !held.ends);
    ct_clip_destroy(clip);
}

static void test_a_pose_has_no_time_to_play(void)
{
    ct_clip *clip = made_up_clip(skeleton, 1, 0.1, false, false);
    for (double by = -1; by <= 1; by += 0.5) CHECK(ct_clip_clock_move(clip, CT_CLAMP, 0, by).to == 0);
    ct_clip_destroy(clip);
}

int main(void)
{
    skeleton = made_up_tree(2);
    test_parts_of_a_time_lead_round_a_loop_as_often_as_the_whole();
    test_a_seam_belongs_to_the_round_that_it_begins();
    test_an_end_is_met_once_and_within_its_tolerance();
    test_a_pose_has_no_time_to_play();
    ct_skeleton_destroy(skeleton);
    return check_report();
}

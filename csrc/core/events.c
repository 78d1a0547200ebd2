#include "events.h"

#include <assert.h>
#include <math.h>

static const double END_TOLERANCE = 1e-6; // of the period or duration

ct_events ct_events_of(const ct_clip *clip, ct_wrap wrap, const double *times, size_t count)
{
    double period = ct_clip_period(clip);
    ct_events e = {times, count, 0, period, wrap == CT_LOOP && period > 0};
    if (!e.loops) e.end = ct_clip_duration(clip);
    double slack = END_TOLERANCE * e.end;
    while (e.count > 0 && times[e.count - 1] > e.end + slack) --e.count; // on the way back to the start of a loop that is not played as one
    if (!e.loops) return e;
    while (e.at_seam < e.count && times[e.count - 1 - e.at_seam] >= e.end - slack) ++e.at_seam;
    if (e.at_seam == e.count || times[0] > slack) return e;
    e.count -= e.at_seam;
    e.at_seam = 0;
    return e;
}

// Where the i-th event lies in its round.
static double place_of(const ct_events *e, size_t i)
{
    return i + e->at_seam >= e->count && e->at_seam ? e->end : fmin(e->times[i], e->end);
}

// How many events of a round lie before `place`, or at it too.
static size_t count_until(const ct_events *e, double place, bool at)
{
    size_t low = 0, high = e->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double there = place_of(e, middle);
        if (there < place || (at && there == place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The number of the first event at or after a place in a round, or after it alone. What lies at the seam happens at 0 of the next round.
static int64_t number_from(const ct_events *e, ptrdiff_t round, double place, bool after)
{
    int64_t before = (int64_t)round * (int64_t)e->count;
    if (e->loops && place == 0 && !after) return before - (int64_t)e->at_seam;
    return before + (int64_t)count_until(e, place, after);
}

static ct_event_run run(int64_t from, int64_t to, int step)
{
    return (ct_event_run){step > 0 ? from : from - 1, (size_t)(step > 0 ? to - from : from - to), step};
}

ct_event_run ct_events_in(const ct_events *e, ct_stretch s)
{
    if (e->end == 0) return (ct_event_run){0, 0, 1};
    bool backward = s.rounds < 0 || (s.rounds == 0 && s.to < s.from);
    // Forward `to` is left out unless it ends there, backward it is what the numbers above it leave out.
    return run(number_from(e, 0, s.from, backward), number_from(e, s.rounds, s.to, backward != s.ends), backward ? -1 : 1);
}

static int64_t round_of(const ct_events *e, int64_t number)
{
    int64_t count = (int64_t)e->count, round = number / count;
    return number % count < 0 ? round - 1 : round;
}

size_t ct_event_index(const ct_events *e, int64_t number) { return (size_t)(number - round_of(e, number) * (int64_t)e->count); }

double ct_event_time(const ct_events *e, int64_t number)
{
    int64_t round = round_of(e, number);
    double place = place_of(e, ct_event_index(e, number));
    return place == e->end && e->loops ? (double)(round + 1) * e->end : (double)round * e->end + place;
}

// As number_from, of a time that goes on over the seam, by the very times that are told.
static int64_t number_at(const ct_events *e, double time, bool after)
{
    if (e->count == 0) return 0;
    if (!e->loops) return number_from(e, 0, time, after);
    double round = floor(time / e->end);
    assert(fabs(round) <= CT_MOST_ROUNDS);
    int64_t number = number_from(e, (ptrdiff_t)round, time - round * e->end, after);
    while (ct_event_time(e, number) < time || (after && ct_event_time(e, number) == time)) ++number;
    while (ct_event_time(e, number - 1) > time || (!after && ct_event_time(e, number - 1) == time)) --number;
    return number;
}

ct_event_run ct_events_between(const ct_events *e, double from, double to)
{
    bool backward = to < from;
    return run(number_at(e, from, backward), number_at(e, to, backward), backward ? -1 : 1);
}

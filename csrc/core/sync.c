#include "sync.h"

#include <assert.h>
#include <math.h>

static const double END_TOLERANCE = 1e-6; // of the duration

// ------------------------------------------------------------------------------------------------------------- a clip's times and places

// A time of a looping clip, and in which round of its period.
typedef struct moment {
    double time;
    int64_t round;
} moment;

static int64_t divide_down(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient * b > a ? quotient - 1 : quotient;
}

// The stretch from a mark to the next. They may be the same mark, one round apart.
typedef struct interval {
    moment from, to;
    double length; // seconds
} interval;

static interval interval_of(const ct_sync_track *track, int64_t mark)
{
    int64_t count = (int64_t)track->mark_count, lap = divide_down(mark, count);
    size_t at = (size_t)(mark - lap * count), next = at + 1 < track->mark_count ? at + 1 : 0;
    interval i = {{track->marks[at], lap + (at >= track->seam)}, {track->marks[next], lap + (next == 0 || next >= track->seam)}, 0};
    i.length = i.from.round == i.to.round ? i.to.time - i.from.time : track->period - i.from.time + i.to.time;
    return i;
}

static moment moment_of(const ct_sync_track *track, ct_sync_place place)
{
    interval i = interval_of(track, place.mark);
    if (place.part == 0) return i.from;
    moment m = {i.from.time + place.part * i.length, i.from.round};
    if (i.from.round != i.to.round) {
        double before_end = nextafter(track->period, 0);
        if (i.to.time > 0 && m.time >= track->period) {
            m.time -= track->period;
            ++m.round;
        } else if (m.time > before_end) {
            m.time = before_end;
        }
    }
    if (m.round == i.to.round && m.time >= i.to.time) m.time = nextafter(i.to.time, -1);
    return m;
}

static double open_time(const ct_sync_track *track, ct_sync_place place)
{
    const double *mark = track->marks + place.mark;
    if (place.part == 0) return *mark;
    return fmin(mark[0] + place.part * (mark[1] - mark[0]), nextafter(mark[1], 0));
}

double ct_sync_time(const ct_sync *sync, size_t clip, ct_sync_place place)
{
    const ct_sync_track *track = &sync->tracks[clip];
    assert(track->in_step);
    return sync->looping ? moment_of(track, place).time : open_time(track, place);
}

ct_stretch ct_sync_stretch(const ct_sync *sync, size_t clip, ct_sync_place from, ct_sync_place to)
{
    const ct_sync_track *track = &sync->tracks[clip];
    assert(track->in_step);
    if (!sync->looping) {
        int64_t last = (int64_t)track->mark_count - 1;
        return (ct_stretch){open_time(track, from), open_time(track, to), 0, from.mark < last && to.mark == last, CT_CLAMP};
    }
    moment a = moment_of(track, from), b = moment_of(track, to);
    return (ct_stretch){a.time, b.time, (ptrdiff_t)(b.round - a.round), false, CT_LOOP};
}

// ---------------------------------------------------------------------------------------------------------------------------- the cycle

static double seconds_of(const ct_sync_track *track) { return track->period / (double)track->repetitions; }

double ct_sync_cycle(const ct_sync *sync, const double *weights)
{
    double seconds = 0, sum = 0;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        if (!sync->tracks[i].in_step) continue;
        seconds += weights[i] * seconds_of(&sync->tracks[i]);
        sum += weights[i];
    }
    return sum > 0 ? seconds / sum : 0;
}

static const ct_sync_track *leader_of(const ct_sync *sync, const double *weights)
{
    size_t leader = sync->clip_count;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        if (sync->tracks[i].in_step && weights[i] > 0 && (leader == sync->clip_count || weights[i] > weights[leader])) leader = i;
    }
    return leader < sync->clip_count ? &sync->tracks[leader] : NULL;
}

// `seconds` of the clip's own time later, less than a period of it.
static ct_sync_place move_round(const ct_sync_track *track, ct_sync_place place, double seconds)
{
    double length = interval_of(track, place.mark).length;
    for (seconds += place.part * length; seconds >= length; length = interval_of(track, ++place.mark).length) seconds -= length;
    place.part = fmin(seconds / length, nextafter(1, 0));
    return place;
}

static ct_sync_place move_to_end(const ct_sync_track *track, ct_sync_place place, double seconds)
{
    int64_t last = (int64_t)track->mark_count - 1;
    double time = open_time(track, place) + seconds;
    if (time >= track->period * (1 - END_TOLERANCE)) return (ct_sync_place){last, 0};
    while (time >= track->marks[place.mark + 1]) ++place.mark;
    const double *mark = track->marks + place.mark;
    place.part = fmin((time - mark[0]) / (mark[1] - mark[0]), nextafter(1, 0));
    return place;
}

ct_sync_place ct_sync_move(const ct_sync *sync, ct_sync_place place, const double *weights, double dt)
{
    assert(isfinite(dt) && dt >= 0);
    const ct_sync_track *leader = leader_of(sync, weights);
    if (!leader || dt == 0) return place;

    double period = ct_sync_cycle(sync, weights) * (double)leader->repetitions; // of the leader as it is played
    if (!sync->looping) return move_to_end(leader, place, dt / period * leader->period);
    double rest = fmod(dt, period), rounds = (dt - rest) / period;
    // Where rounds no longer fit, the times have lost all their digits anyway.
    place.mark += (int64_t)fmin(round(rounds), 1e15 / (double)leader->mark_count) * (int64_t)leader->mark_count;
    return move_round(leader, place, rest / period * leader->period);
}

// ---------------------------------------------------------------------------------------------------------------------------- places

ct_sync_place ct_sync_wrap(const ct_sync *sync, ct_sync_place place)
{
    if (sync->looping && sync->pattern_count > 0) place.mark -= divide_down(place.mark, sync->lap) * sync->lap;
    return place;
}

double ct_sync_phase(const ct_sync *sync, ct_sync_place place)
{
    if (sync->pattern_count == 0) return 0;
    int64_t count = (int64_t)sync->pattern_count;
    if (!sync->looping) return ((double)place.mark + place.part) / (double)count;
    double phase = ((double)(place.mark - divide_down(place.mark, count) * count) + place.part) / (double)count;
    return fmin(phase, nextafter(1, 0));
}

ct_sync_place ct_sync_start(const ct_sync *sync)
{
    size_t clip = 0;
    while (clip < sync->clip_count && !sync->tracks[clip].in_step) ++clip;
    const ct_sync_track *track = &sync->tracks[clip];
    if (clip == sync->clip_count || !sync->looping || track->marks[0] == 0) return (ct_sync_place){0, 0};

    // The last mark before the seam, and so much of the way as brings it there.
    ct_sync_place place = {(int64_t)track->seam - 1, 0};
    interval i = interval_of(track, place.mark);
    if (i.to.time == 0) return ct_sync_wrap(sync, (ct_sync_place){place.mark + 1, 0});
    place.part = (track->period - i.from.time) / i.length;
    while (place.part > 0 && moment_of(track, place).round == i.to.round && moment_of(track, place).time > 0)
        place.part = nextafter(place.part, 0);
    return ct_sync_wrap(sync, place);
}

#include "clip_clock.h"

#include <assert.h>
#include <math.h>

static const double END_TOLERANCE = 1e-6; // of the duration

static ct_stretch move_round(double period, double from, double by)
{
    double target = from + by, rounds = floor(target / period), to = target - rounds * period;
    if (to < 0) to = 0; // by rounding
    if (to >= period) {
        to = 0;
        ++rounds;
    }
    // Beyond, the times have lost their digits anyway.
    return (ct_stretch){from, to, (ptrdiff_t)fmin(fmax(rounds, -CT_MOST_ROUNDS), CT_MOST_ROUNDS), false, CT_LOOP};
}

static ct_stretch move_to_end(double duration, double from, double by)
{
    double target = from + by, slack = END_TOLERANCE * duration;
    if (by > 0 && target >= duration - slack) return (ct_stretch){from, duration, 0, from < duration || duration == 0, CT_CLAMP};
    if (by < 0 && target <= slack) return (ct_stretch){from, 0, 0, from > 0 || duration == 0, CT_CLAMP};
    return (ct_stretch){from, target, 0, false, CT_CLAMP};
}

ct_stretch ct_clip_clock_move(const ct_clip *clip, ct_wrap wrap, double from, double by)
{
    assert(isfinite(from) && isfinite(by));
    double period = ct_clip_period(clip);
    return wrap == CT_LOOP && period > 0 ? move_round(period, from, by) : move_to_end(ct_clip_duration(clip), from, by);
}

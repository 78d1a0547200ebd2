#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sync.h"

static const double TOLERANCE = 1e-6; // of a period: marks nearer than this are one
enum { MOST_NAMES = 64, MOST_LAPS = 1000000 };

// Markers of one time in a clip.
typedef struct event {
    double time;
    uint64_t names; // bits: indices into maker.names
} event;

typedef struct maker {
    ct_sync *sync;
    const ct_sync_clip *clips;
    size_t first; // clip in step
    size_t name_count;
    const char *names[MOST_NAMES]; // that all clips in step have
    event *events;                 // of all clips; those of clip i begin at starts[i]
    size_t *starts, *counts;
} maker;

// ---------------------------------------------------------------------------------------------------------------------------- names

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

static const ct_marker *find(const ct_sync_clip *clip, const char *name)
{
    for (size_t m = 0; m < clip->marker_count; ++m) {
        if (strcmp(clip->markers[m].name, name) == 0) return &clip->markers[m];
    }
    return NULL;
}

static bool never_up(const ct_sync_clip *clip, const char *name)
{
    size_t stem = strlen(name) - strlen("_down");
    for (size_t m = 0; m < clip->marker_count; ++m) {
        const ct_marker *up = &clip->markers[m];
        if (up->count == 0 && strlen(up->name) == stem + strlen("_up") && memcmp(up->name, name, stem) == 0 && ends_in(up->name, "_up"))
            return true;
    }
    return false;
}

static bool is_used(const ct_sync_clip *clip, const ct_marker *marker)
{
    return clip->period > 0 && marker->count > 0 && !(ends_in(marker->name, "_down") && never_up(clip, marker->name));
}

static bool has(const ct_sync_clip *clip, const char *name)
{
    const ct_marker *marker = find(clip, name);
    return marker && is_used(clip, marker);
}

static bool has_any(const ct_sync_clip *clip)
{
    for (size_t m = 0; m < clip->marker_count; ++m) {
        if (is_used(clip, &clip->markers[m])) return true;
    }
    return false;
}

// It has markers, all of feet that never come up.
static bool stands(const ct_sync_clip *clip)
{
    size_t times = 0;
    for (size_t m = 0; m < clip->marker_count; ++m) times += clip->markers[m].count;
    return times > 0 && !has_any(clip);
}

static bool has_all(const ct_sync_clip *clip, size_t name_count, const char *const *names)
{
    for (size_t n = 0; n < name_count; ++n) {
        if (!has(clip, names[n])) return false;
    }
    return true;
}

// The name that most clips have, the first of several, and how many have it.
static const char *most_shared(const ct_sync *sync, const ct_sync_clip *clips, size_t *shared_by)
{
    const char *best = NULL;
    *shared_by = 0;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        for (size_t m = 0; m < clips[i].marker_count; ++m) {
            if (!is_used(&clips[i], &clips[i].markers[m])) continue;
            size_t count = 0;
            for (size_t k = 0; k < sync->clip_count; ++k) count += has(&clips[k], clips[i].markers[m].name);
            if (count <= *shared_by) continue;
            best = clips[i].markers[m].name;
            *shared_by = count;
        }
    }
    return best;
}

// --------------------------------------------------------------------------------------------------------------------------- messages

static void append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text), room = size - length - 1, count = strlen(more);
    if (count > room) count = room;
    memcpy(text + length, more, count);
    text[length + count] = '\0';
}

static ct_status fail_unshared(const ct_sync *sync, const ct_sync_clip *clips, size_t name_count, const char *const *wanted,
                               ct_error *error)
{
    char has[300] = "", names[120] = "";
    for (size_t i = 0; i < sync->clip_count; ++i) {
        char head[80];
        snprintf(head, sizeof head, "%sclip %zu ('%.40s') has ", i ? "; " : "", i, clips[i].name);
        append(has, sizeof has, head);
        size_t count = 0;
        for (size_t m = 0; m < clips[i].marker_count; ++m) {
            if (!is_used(&clips[i], &clips[i].markers[m])) continue;
            append(has, sizeof has, count++ ? ", " : "");
            append(has, sizeof has, clips[i].markers[m].name);
        }
        append(has, sizeof has, count ? "" : "none");
    }
    for (size_t n = 0; n < name_count; ++n) {
        append(names, sizeof names, n ? ", " : " ");
        append(names, sizeof names, wanted[n]);
    }
    return ct_fail(error, CT_BAD_VALUE,
                   "sync: the clips don't share markers%s (%s); mark the same in each, or use sync 'normalized' or 'none'", names, has);
}

static ct_status check_looping(const ct_sync *sync, const ct_sync_clip *clips, ct_error *error)
{
    size_t looping = sync->clip_count, open = sync->clip_count;
    for (size_t i = sync->clip_count; i-- > 0;) {
        if (clips[i].period > 0) *(clips[i].looping ? &looping : &open) = i;
    }
    if (looping == sync->clip_count || open == sync->clip_count) return CT_OK;
    return ct_fail(error, CT_BAD_VALUE,
                   "sync: clip %zu ('%.60s') loops, clip %zu ('%.60s') does not, and such can't be in step; make all loop or none, or "
                   "play each on its own clock with sync 'none'",
                   looping, clips[looping].name, open, clips[open].name);
}

// --------------------------------------------------------------------------------------------------------------------------- events

static int by_time(const void *a, const void *b)
{
    const event *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->names > y->names) - (x->names < y->names);
}

// The events of a clip by some of the names, in order; those of one time are one.
static void collect(maker *m, size_t clip, uint64_t names)
{
    const ct_sync_clip *c = &m->clips[clip];
    event *events = m->events + m->starts[clip];
    size_t count = 0;
    for (size_t n = 0; n < m->name_count; ++n) {
        if (!(names >> n & 1)) continue;
        const ct_marker *marker = find(c, m->names[n]);
        for (size_t k = 0; k < marker->count; ++k) {
            double time = marker->times[k];
            events[count++] = (event){c->looping && time >= c->period ? 0 : time, (uint64_t)1 << n};
        }
    }
    qsort(events, count, sizeof *events, by_time);

    double near = TOLERANCE * c->period;
    size_t kept = 0;
    for (size_t k = 0; k < count; ++k) {
        bool is_end = !c->looping && (events[k].time <= near || events[k].time >= c->period - near); // marks of their own
        if (is_end) continue;
        if (kept > 0 && events[k].time - events[kept - 1].time <= near)
            events[kept - 1].names |= events[k].names;
        else
            events[kept++] = events[k];
    }
    if (c->looping && kept > 1 && events[kept - 1].time >= events[0].time + c->period - near) {
        events[0].names |= events[kept - 1].names;
        --kept;
    }
    m->counts[clip] = kept;
}

// The least number of events after which a cycle repeats itself.
static size_t cycle_of(size_t count, const event *events)
{
    for (size_t length = 1; length < count; ++length) {
        bool repeats = count % length == 0;
        for (size_t k = 0; repeats && k < count; ++k) repeats = events[k].names == events[(k + length) % count].names;
        if (repeats) return length;
    }
    return count;
}

static bool matches(const event *events, size_t count, size_t first, size_t length, const event *pattern)
{
    for (size_t k = 0; k < length; ++k) {
        if (events[(first + k) % count].names != pattern[k].names) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------------- tracks

static void lay_marks(const maker *m, size_t clip, size_t first, size_t length)
{
    ct_sync_track *track = &m->sync->tracks[clip];
    const event *events = m->events + m->starts[clip];
    size_t count = m->counts[clip];
    if (m->sync->looping) {
        for (size_t k = 0; k < count; ++k) track->marks[k] = events[(first + k) % count].time;
        track->mark_count = count;
        track->seam = count - first;
        track->repetitions = count / length;
        return;
    }
    track->marks[0] = 0;
    for (size_t k = 0; k < count; ++k) track->marks[k + 1] = events[k].time;
    track->marks[count + 1] = track->period;
    track->mark_count = track->seam = count + 2;
    track->repetitions = 1;
}

// Whether all clips in step agree on the order of these names; then their tracks are made.
static bool try_names(maker *m, uint64_t names)
{
    ct_sync *sync = m->sync;
    const event *pattern = m->events + m->starts[m->first];
    size_t length = 0;
    for (size_t i = m->first; i < sync->clip_count; ++i) {
        if (!sync->tracks[i].in_step) continue;
        collect(m, i, names);
        const event *events = m->events + m->starts[i];
        size_t count = m->counts[i], own = sync->looping ? cycle_of(count, events) : count, first = 0;
        if (i == m->first) length = own;
        if (own != length) return false;
        while (first < own && !matches(events, count, first, length, pattern)) ++first;
        if (own > 0 && (first == own || (first > 0 && !sync->looping))) return false;
        lay_marks(m, i, first, length);
    }
    sync->pattern_count = sync->looping ? length : length + 1;
    sync->name_count = 0;
    for (size_t n = 0; n < m->name_count; ++n) {
        const ct_sync_clip *clip = &m->clips[m->first];
        if (names >> n & 1) sync->names[sync->name_count++] = (size_t)(find(clip, m->names[n]) - clip->markers);
    }
    return true;
}

static void find_pattern(maker *m)
{
    uint64_t all = m->name_count ? UINT64_MAX >> (MOST_NAMES - m->name_count) : 0, down = 0;
    for (size_t n = 0; n < m->name_count; ++n) down |= (uint64_t)ends_in(m->names[n], "_down") << n;
    if (try_names(m, all) || (down && try_names(m, down))) return;

    collect(m, m->first, down ? down : all);
    uint64_t names = m->counts[m->first] ? m->events[m->starts[m->first]].names : 0;
    if (names && try_names(m, names & (~names + 1))) return;
    bool always = try_names(m, 0); // open clips by their ends
    assert(always), (void)always;
}

// By the beginning alone.
static void normalize(ct_sync *sync)
{
    sync->pattern_count = 1;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        ct_sync_track *track = &sync->tracks[i];
        if (!track->in_step) continue;
        track->mark_count = track->seam = sync->looping ? 1 : 2;
        track->marks[1] = track->period; // read when open
        track->repetitions = 1;
    }
}

static ct_status count_lap(ct_sync *sync, ct_error *error)
{
    size_t laps = 1;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        if (!sync->tracks[i].in_step) continue;
        size_t a = laps, b = sync->tracks[i].repetitions;
        while (b != 0) {
            size_t rest = a % b;
            a = b;
            b = rest;
        }
        size_t repetitions = sync->tracks[i].repetitions / a;
        if (repetitions > MOST_LAPS / laps) {
            return ct_fail(error, CT_BAD_VALUE,
                           "sync: clip %zu has %zu cycles, the ones before it %zu: they are never at their start at once", i,
                           sync->tracks[i].repetitions, laps);
        }
        laps *= repetitions;
    }
    sync->lap = (int64_t)(laps * sync->pattern_count);
    return CT_OK;
}

// ---------------------------------------------------------------------------------------------------------------------------- making

// Who is in step, by which markers if any.
static ct_status choose(maker *m, ct_sync_mode mode, size_t name_count, const char *const *wanted, ct_error *error)
{
    ct_sync *sync = m->sync;
    const ct_sync_clip *clips = m->clips;
    size_t shared_by = 0, with_markers = 0, in_step = 0, left_out = 0;
    const char *best = most_shared(sync, clips, &shared_by);
    for (size_t i = 0; i < sync->clip_count; ++i) with_markers += has_any(&clips[i]);
    bool nothing_shared = shared_by == 0 || (shared_by == 1 && with_markers > 1);
    bool normalized = mode == CT_SYNC_NORMALIZED || (mode == CT_SYNC_AUTO && !wanted && nothing_shared);
    for (size_t i = 0; i < sync->clip_count; ++i) {
        bool is = clips[i].period > 0 && (normalized || (wanted ? has_all(&clips[i], name_count, wanted) : best && has(&clips[i], best)));
        sync->tracks[i].in_step = is;
        sync->tracks[i].period = clips[i].period;
        in_step += is;
        left_out += !is && clips[i].period > 0 && !stands(&clips[i]);
    }
    sync->mode = normalized ? CT_SYNC_NORMALIZED : CT_SYNC_MARKERS;
    if (normalized) return CT_OK;
    bool all_wanted = wanted || mode == CT_SYNC_MARKERS;
    if (in_step == 0 || (all_wanted && left_out > 0)) return fail_unshared(sync, clips, name_count, wanted, error);

    while (!sync->tracks[m->first].in_step) ++m->first;
    for (size_t n = 0; n < (wanted ? name_count : clips[m->first].marker_count) && m->name_count < MOST_NAMES; ++n) {
        const char *name = wanted ? wanted[n] : clips[m->first].markers[n].name;
        bool shared = true;
        for (size_t i = 0; i < sync->clip_count; ++i) shared &= !sync->tracks[i].in_step || has(&clips[i], name);
        if (shared) m->names[m->name_count++] = name;
    }
    return CT_OK;
}

static ct_status reserve(maker *m, size_t name_count, ct_error *error)
{
    ct_sync *sync = m->sync;
    const ct_allocator *allocator = &sync->allocator;
    size_t count = 0, names = name_count;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        for (size_t k = 0; k < m->clips[i].marker_count; ++k) count += m->clips[i].markers[k].count;
        if (m->clips[i].marker_count > names) names = m->clips[i].marker_count;
    }
    sync->tracks = ct_allocate(allocator, sync->clip_count, sizeof *sync->tracks);
    sync->marks = ct_allocate(allocator, count + 2 * sync->clip_count, sizeof *sync->marks);
    sync->names = ct_allocate(allocator, names, sizeof *sync->names);
    m->events = ct_allocate(allocator, count, sizeof *m->events);
    m->starts = ct_allocate(allocator, sync->clip_count, sizeof *m->starts);
    m->counts = ct_allocate(allocator, sync->clip_count, sizeof *m->counts);
    if (!sync->tracks || !sync->marks || !sync->names || !m->events || !m->starts || !m->counts)
        return ct_fail_memory(error, "the marks of clips in step");

    count = 0;
    for (size_t i = 0; i < sync->clip_count; ++i) {
        m->starts[i] = count;
        sync->tracks[i].marks = sync->marks + count + 2 * i;
        for (size_t k = 0; k < m->clips[i].marker_count; ++k) count += m->clips[i].markers[k].count;
    }
    return CT_OK;
}

static ct_status make(maker *m, ct_sync_mode mode, size_t name_count, const char *const *wanted, ct_error *error)
{
    ct_sync *sync = m->sync;
    ct_status status = reserve(m, name_count, error);
    if (status != CT_OK || mode == CT_SYNC_NONE) return status;
    status = check_looping(sync, m->clips, error);
    if (status == CT_OK) status = choose(m, mode, name_count, wanted, error);
    if (status != CT_OK) return status;

    size_t timed = 0;
    while (timed < sync->clip_count && !(m->clips[timed].period > 0)) ++timed;
    if (timed == sync->clip_count) return CT_OK; // poses that stand still
    sync->looping = m->clips[timed].looping;
    if (sync->mode == CT_SYNC_NORMALIZED)
        normalize(sync);
    else
        find_pattern(m);
    return count_lap(sync, error);
}

ct_status ct_sync_create(const ct_allocator *allocator, ct_sync_mode mode, size_t name_count, const char *const *wanted, size_t clip_count,
                         const ct_sync_clip *clips, ct_sync **out, ct_error *error)
{
    assert(clip_count > 0 && (!wanted || name_count > 0));
    ct_sync *sync = ct_allocate(allocator, 1, sizeof *sync);
    if (!sync) return ct_fail_memory(error, "the marks of clips in step");
    sync->allocator = *allocator;
    sync->clip_count = clip_count;
    maker m = {.sync = sync, .clips = clips};
    ct_status status = make(&m, mode, name_count, wanted, error);
    ct_release(allocator, m.events);
    ct_release(allocator, m.starts);
    ct_release(allocator, m.counts);
    if (status == CT_OK)
        *out = sync;
    else
        ct_sync_destroy(sync);
    return status;
}

void ct_sync_destroy(ct_sync *sync)
{
    if (!sync) return;
    ct_allocator allocator = sync->allocator;
    ct_release(&allocator, sync->tracks);
    ct_release(&allocator, sync->marks);
    ct_release(&allocator, sync->names);
    ct_release(&allocator, sync);
}

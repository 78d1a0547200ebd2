#include "ground_contact.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, HEIGHT = 2 };

static const double *point(ct_tracks tracks, size_t sample, size_t joint)
{
    return tracks.points + AXES * (sample * tracks.joint_count + joint);
}

// How far two points are apart, along the ground alone or in all directions.
static double ground_distance(const double *a, const double *b)
{
    return sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
}

static double distance(const double *a, const double *b)
{
    double along = ground_distance(a, b), up = b[HEIGHT] - a[HEIGHT];
    return sqrt(along * along + up * up);
}

static double height_above(ct_tracks tracks, size_t sample, size_t joint, double ground)
{
    return point(tracks, sample, joint)[HEIGHT] - ground;
}

// --- planted heights ---------------------------------------------------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ct_status ct_planted_heights(const ct_allocator *allocator, ct_tracks tracks, double *heights, ct_error *error)
{
    enum { ONE_IN = 10 };
    assert(tracks.sample_count > 0);
    double *sorted = ct_allocate(allocator, tracks.sample_count, sizeof *sorted);
    if (!sorted) return ct_fail_memory(error, "planted heights");
    for (size_t j = 0; j < tracks.joint_count; ++j) {
        for (size_t i = 0; i < tracks.sample_count; ++i) sorted[i] = height_above(tracks, i, j, 0);
        qsort(sorted, tracks.sample_count, sizeof *sorted, by_value);
        heights[j] = sorted[(tracks.sample_count - 1) / ONE_IN];
    }
    ct_release(allocator, sorted);
    return CT_OK;
}

// --- slide -------------------------------------------------------------------------------------------------------------------------------

void ct_ground_slide(ct_tracks tracks, const double *planted, double height, double *distances, size_t *counts)
{
    for (size_t j = 0; j < tracks.joint_count; ++j) {
        distances[j] = 0;
        counts[j] = 0;
        for (size_t i = 1; i < tracks.sample_count; ++i) {
            bool stands = height_above(tracks, i - 1, j, planted[j]) <= height && height_above(tracks, i, j, planted[j]) <= height;
            if (!stands) continue;
            distances[j] += ground_distance(point(tracks, i - 1, j), point(tracks, i, j));
            counts[j]++;
        }
    }
}

// --- contacts ----------------------------------------------------------------------------------------------------------------------------

// Lengths a step.
static double speed_between(ct_tracks tracks, size_t joint, size_t first, size_t last)
{
    if (first == last) return INFINITY;
    return distance(point(tracks, first, joint), point(tracks, last, joint)) / (double)(last - first);
}

static double speed_at(ct_tracks tracks, size_t joint, size_t sample, size_t window)
{
    size_t last = tracks.sample_count - 1;
    bool fits_before = sample >= window, fits_after = last - sample >= window;
    if (!fits_before && !fits_after) return speed_between(tracks, joint, 0, last);
    double before = fits_before ? speed_between(tracks, joint, sample - window, sample) : INFINITY;
    double after = fits_after ? speed_between(tracks, joint, sample, sample + window) : INFINITY;
    return fmin(before, after);
}

// Clears the runs that never reach the tight limits: below the loose ones alone, a joint is not in contact.
static void mark_runs(ct_tracks tracks, size_t joint, double planted, const ct_contact_limits *limits, bool *contact)
{
    bool counts = false; // does the run that is open reach the tight limits?
    size_t begin = 0;
    for (size_t i = 0; i < tracks.sample_count; ++i) {
        double speed = speed_at(tracks, joint, i, limits->window), height = height_above(tracks, i, joint, planted);
        contact[i] = speed < limits->stay_speed && height < limits->stay_height;
        counts = counts || (contact[i] && speed < limits->speed && height < limits->height);
        bool ends = !contact[i] || i + 1 == tracks.sample_count;
        if (!ends) continue;
        if (!counts) memset(contact + begin, 0, (i + 1 - begin) * sizeof *contact);
        counts = false;
        begin = i + 1;
    }
}

// Turns runs of `value` around that are shorter than the window. Those at the ends stay: nobody knows how long they are.
static void drop_short_runs(size_t count, size_t window, bool value, bool *contact)
{
    size_t begin = 0;
    for (size_t i = 1; i <= count; ++i) {
        if (i < count && contact[i] == contact[begin]) continue;
        // A contact lasts from its first sample to its last, a gap from the contact before it to the one after it.
        size_t steps = value ? i - 1 - begin : i + 1 - begin;
        bool inside = begin > 0 && i < count;
        if (inside && contact[begin] == value && steps < window) memset(contact + begin, !value, (i - begin) * sizeof *contact);
        begin = i;
    }
}

void ct_ground_contacts(ct_tracks tracks, const double *planted, const ct_contact_limits *limits, bool *in_contact)
{
    assert(limits->window > 0);
    for (size_t j = 0; j < tracks.joint_count; ++j) {
        bool *contact = in_contact + j * tracks.sample_count;
        mark_runs(tracks, j, planted[j], limits, contact);
        drop_short_runs(tracks.sample_count, limits->window, false, contact);
        drop_short_runs(tracks.sample_count, limits->window, true, contact);
    }
}

// --- penetration -------------------------------------------------------------------------------------------------------------------------

void ct_ground_penetration(ct_tracks tracks, double ground, double least, double *deepest, double *mean, double *part)
{
    for (size_t j = 0; j < tracks.joint_count; ++j) {
        double sum = 0;
        size_t count = 0;
        deepest[j] = 0;
        for (size_t i = 0; i < tracks.sample_count; ++i) {
            double depth = -height_above(tracks, i, j, ground);
            if (!(depth > least)) continue;
            deepest[j] = fmax(deepest[j], depth);
            sum += depth;
            count++;
        }
        mean[j] = count ? sum / (double)count : 0;
        part[j] = count ? (double)count / (double)tracks.sample_count : 0;
    }
}

#include "root_motion.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "row.h"

static const double PI = 3.14159265358979323846;

// --- the ground --------------------------------------------------------------------------------------------------------------------------

// The ground's own axes: the reference direction and what lies to the left of it.
typedef struct ground {
    ct_vector up, ahead, left;
} ground;

static ground ground_of(ct_axis up)
{
    ground g = {.up = ct_axis_vector(up), .ahead = ct_axis_vector(ct_axis_of(((int)up / 2 + 1) % 3))};
    g.left = ct_vector_cross(g.up, g.ahead);
    return g;
}

// Runs one elementary function over padded blocks: the same bits on every machine, which libm does not give.
static void elementary(const ct_kernels *kernels, ct_elementary_function function, size_t count, const double *const *in,
                       double *const *out)
{
    kernels->elementary.f64[function](ct_stride(count), in, out);
}

static void sine_cosine(const ct_kernels *kernels, double angle, double *sine, double *cosine)
{
    double angles[CT_LANES] = {angle}, sines[CT_LANES], cosines[CT_LANES];
    const double *in[] = {angles};
    double *out[] = {sines, cosines};
    elementary(kernels, CT_ELEMENTARY_sincos, 1, in, out);
    *sine = sines[0];
    *cosine = cosines[0];
}

// A vector of the ground turned to the left.
static ct_vector turned(const ct_kernels *kernels, ct_axis up, ct_vector v, double angle)
{
    double sine, cosine;
    sine_cosine(kernels, angle, &sine, &cosine);
    return ct_vector_add(ct_vector_scale(v, cosine), ct_vector_scale(ct_vector_cross(ct_axis_vector(up), v), sine));
}

static ct_vector turn(const ct_root_motion *motion, ct_vector v, double angle) { return turned(motion->kernels, motion->up, v, angle); }

// --- measuring ---------------------------------------------------------------------------------------------------------------------------

// A point of a joint's parent's axes in the world.
static ct_vector world_point(const ct_clip *clip, size_t frame, int32_t parent, ct_vector point)
{
    const float *row = ct_clip_row(clip, frame);
    for (int32_t j = parent; j != CT_NO_PARENT; j = clip->skeleton->parents[j]) {
        size_t joint = (size_t)j;
        if (ct_has_scales(clip->layout)) point = ct_vector_multiply(point, ct_row_vector(clip->layout, row, CT_SCALE, joint));
        point = ct_quaternion_rotate(ct_row_rotation(clip->layout, row, joint), point);
        point = ct_vector_add(point, ct_row_vector(clip->layout, row, CT_TRANSLATION, joint));
    }
    return point;
}

// A direction of a joint's axes in the world.
static ct_vector world_direction(const ct_clip *clip, size_t frame, size_t joint, ct_vector direction)
{
    const float *row = ct_clip_row(clip, frame);
    for (int32_t j = (int32_t)joint; j != CT_NO_PARENT; j = clip->skeleton->parents[j])
        direction = ct_quaternion_rotate(ct_row_rotation(clip->layout, row, (size_t)j), direction);
    return direction;
}

static ct_vector joint_point(const ct_clip *clip, size_t frame, size_t joint)
{
    ct_vector translation = ct_row_vector(clip->layout, ct_clip_row(clip, frame), CT_TRANSLATION, joint);
    return world_point(clip, frame, clip->skeleton->parents[joint], translation);
}

static ct_vector on_ground(ground g, ct_vector v) { return ct_vector_subtract(v, ct_vector_scale(g.up, ct_vector_dot(v, g.up))); }

// The ways that the joint faces, as parts ahead and to the left; vertical directions repeat the frame before, or the first good one.
static void measure_facing(const ct_clip *clip, ground g, size_t joint, ct_vector local, bool is_left, double *left, double *ahead)
{
    static const double VERTICAL = 1e-6; // of the direction's length
    double least = VERTICAL * ct_vector_length(local);
    size_t good_count = 0;
    for (size_t i = 0; i < clip->frame_count; ++i) {
        ct_vector facing = world_direction(clip, i, joint, local);
        if (is_left) facing = ct_vector_cross(facing, g.up);
        ahead[i] = ct_vector_dot(facing, g.ahead);
        left[i] = ct_vector_dot(facing, g.left);
        if (ahead[i] * ahead[i] + left[i] * left[i] > least * least) {
            for (size_t k = 0; k < i && good_count == 0; ++k) ahead[k] = ahead[i], left[k] = left[i];
            good_count++;
        } else {
            ahead[i] = i ? ahead[i - 1] : 1;
            left[i] = i ? left[i - 1] : 0;
        }
    }
}

static void unwrap(size_t count, ct_root_place *places)
{
    for (size_t i = 1; i < count; ++i) {
        double before = places[i - 1].heading;
        places[i].heading += 2 * PI * floor((before - places[i].heading) / (2 * PI) + 0.5);
    }
}

static ct_status measure_path(const ct_clip *clip, ct_root_motion *motion, ct_vector local, bool is_left, ct_error *error)
{
    ground g = ground_of(motion->up);
    size_t room = ct_stride(motion->frame_count);
    double *left = ct_allocate(&motion->allocator, room, sizeof *left), *ahead = ct_allocate(&motion->allocator, room, sizeof *ahead);
    double *headings = ct_allocate(&motion->allocator, room, sizeof *headings);
    ct_status status = left && ahead && headings ? CT_OK : ct_fail_memory(error, "a root motion");
    if (status == CT_OK) {
        measure_facing(clip, g, motion->joint, local, is_left, left, ahead);
        const double *in[] = {left, ahead};
        elementary(motion->kernels, CT_ELEMENTARY_atan2, motion->frame_count, in, &headings);
        for (size_t i = 0; i < motion->frame_count; ++i)
            motion->places[i] = (ct_root_place){on_ground(g, joint_point(clip, i, motion->joint)), headings[i]};
        unwrap(motion->frame_count, motion->places);
    }
    ct_release(&motion->allocator, left);
    ct_release(&motion->allocator, ahead);
    ct_release(&motion->allocator, headings);
    return status;
}

// --- places and deltas -------------------------------------------------------------------------------------------------------------------

static ct_root_delta between(const ct_root_motion *motion, ct_root_place from, ct_root_place to)
{
    return (ct_root_delta){turn(motion, ct_vector_subtract(to.position, from.position), -from.heading), to.heading - from.heading};
}

ct_root_place ct_root_place_moved(const ct_kernels *kernels, ct_axis up, ct_root_place from, ct_root_delta delta)
{
    ct_vector way = turned(kernels, up, delta.translation, from.heading);
    return (ct_root_place){ct_vector_add(from.position, way), from.heading + delta.turn};
}

// The world motion that takes one place to another.
static ct_root_place world_motion(const ct_root_motion *motion, ct_root_place from, ct_root_place to)
{
    double heading = to.heading - from.heading;
    return (ct_root_place){ct_vector_subtract(to.position, turn(motion, from.position, heading)), heading};
}

// A place after `turns` loops. One loop turns by a and goes by T; n of them turn by n a and go by the sum of T turned by 0, a, ..., (n - 1)
// a, which is T turned by (n - 1) a / 2 and sin(n a / 2) / sin(a / 2) times as long.
static ct_root_place looped(const ct_root_motion *motion, ct_root_place place, double turns)
{
    static const double STRAIGHT = 1e-12;
    if (turns == 0) return place;
    double heading = turns * motion->loop.heading;
    double angle = remainder(motion->loop.heading, 2 * PI), length = turns;
    ct_vector way = motion->loop.position;
    if (fabs(angle) > STRAIGHT) {
        double top, bottom, unused;
        sine_cosine(motion->kernels, turns * angle / 2, &top, &unused);
        sine_cosine(motion->kernels, angle / 2, &bottom, &unused);
        length = top / bottom;
        way = turn(motion, way, (turns - 1) * angle / 2);
    }
    ct_vector position = turn(motion, place.position, fabs(angle) > STRAIGHT ? turns * angle : 0);
    return (ct_root_place){ct_vector_add(position, ct_vector_scale(way, length)), place.heading + heading};
}

// Frame i of the path, on and on: loops take their next turn, others go on point-mirrored at their ends.
static ct_root_place place_beyond(const ct_root_motion *motion, ptrdiff_t i)
{
    ptrdiff_t last = (ptrdiff_t)motion->frame_count - 1, steps = (ptrdiff_t)motion->step_count;
    if (i >= 0 && i <= last) return motion->places[i];
    if (motion->looping) {
        ptrdiff_t turns = i >= 0 ? i / steps : -((steps - 1 - i) / steps);
        return looped(motion, motion->places[i - turns * steps], (double)turns);
    }
    const ct_root_place *end = motion->places + (i < 0 ? 0 : last);
    ct_root_place inside = place_beyond(motion, i < 0 ? -i : 2 * last - i);
    return (ct_root_place){ct_vector_subtract(ct_vector_scale(end->position, 2), inside.position), 2 * end->heading - inside.heading};
}

// --- loops and smoothing -----------------------------------------------------------------------------------------------------------------

static ct_root_delta mean_of(ct_root_delta a, ct_root_delta b)
{
    return (ct_root_delta){ct_vector_scale(ct_vector_add(a.translation, b.translation), 0.5), (a.turn + b.turn) / 2};
}

// Is the first frame as near to the last as frames are to each other?
static bool comes_back(const ct_root_motion *motion, ct_root_delta closing)
{
    double longest = 0, sharpest = 0;
    for (size_t i = 0; i + 1 < motion->frame_count; ++i) {
        ct_root_delta step = between(motion, motion->places[i], motion->places[i + 1]);
        longest = fmax(longest, ct_vector_length(step.translation));
        sharpest = fmax(sharpest, fabs(step.turn));
    }
    return ct_vector_length(closing.translation) <= 2 * longest && fabs(closing.turn) <= 2 * sharpest;
}

static void find_loop(bool looping, bool last_repeats_first, ct_root_motion *motion)
{
    motion->looping = looping && motion->frame_count > 1;
    motion->step_count = motion->frame_count - (motion->looping ? last_repeats_first : 1);
    if (!motion->looping) return;

    ct_root_place first = motion->places[0], last = motion->places[motion->frame_count - 1], end = last;
    if (!last_repeats_first) {
        ct_root_place back = first; // the first frame, by as many whole turns as brings it near
        back.heading += 2 * PI * floor((last.heading - first.heading) / (2 * PI) + 0.5);
        if (comes_back(motion, between(motion, last, back))) {
            end = back;
        } else {
            ct_root_delta leaving = between(motion, first, motion->places[1]);
            ct_root_delta leading = between(motion, motion->places[motion->frame_count - 2], last);
            end = ct_root_place_moved(motion->kernels, motion->up, last, mean_of(leading, leaving));
        }
    }
    motion->loop = world_motion(motion, first, end);
}

// What a loop does evenly: it turns about a centre, or goes along a line. Beside that its places come again with each period, so smoothing
// what is beside it neither shortens lines nor narrows circles.
typedef struct even_motion {
    ct_vector centre, way; // way: of a frame
    double turn;           // of a frame
} even_motion;

static even_motion even_motion_of(const ct_root_motion *motion)
{
    static const double LEAST_SINE = 1e-6; // of half the turn; below, the centre is too far away, or a loop is whole circles
    even_motion even = {.turn = motion->loop.heading / (double)motion->step_count};
    ct_vector way = motion->loop.position;
    double sine, cosine;
    sine_cosine(motion->kernels, motion->loop.heading / 2, &sine, &cosine);
    if (fabs(sine) > LEAST_SINE) {
        ct_vector beside = ct_vector_cross(ct_axis_vector(motion->up), way);
        even.centre = ct_vector_scale(ct_vector_add(way, ct_vector_scale(beside, cosine / sine)), 0.5);
        return even;
    }
    even.way = ct_vector_scale(way, 1 / (double)motion->step_count);
    for (size_t i = 0; i < motion->step_count; ++i) {
        ct_vector here = ct_vector_subtract(motion->places[i].position, ct_vector_scale(even.way, (double)i));
        even.centre = ct_vector_add(even.centre, ct_vector_scale(here, 1 / (double)motion->step_count));
    }
    return even;
}

static ct_root_place without(const ct_root_motion *motion, even_motion even, ct_root_place place, double frame)
{
    ct_vector from = ct_vector_subtract(ct_vector_subtract(place.position, ct_vector_scale(even.way, frame)), even.centre);
    return (ct_root_place){ct_vector_add(even.centre, turn(motion, from, -frame * even.turn)), place.heading - frame * even.turn};
}

static ct_root_place with(const ct_root_motion *motion, even_motion even, ct_root_place place, double frame)
{
    ct_vector from = turn(motion, ct_vector_subtract(place.position, even.centre), frame * even.turn);
    ct_vector position = ct_vector_add(ct_vector_add(even.centre, from), ct_vector_scale(even.way, frame));
    return (ct_root_place){position, place.heading + frame * even.turn};
}

// The place of a frame for smoothing: of a loop, without its even motion.
static ct_root_place place_to_smooth(const ct_root_motion *motion, ptrdiff_t i)
{
    if (!motion->looping) return place_beyond(motion, i);
    ptrdiff_t steps = (ptrdiff_t)motion->step_count, inside = i % steps;
    return motion->places[inside < 0 ? inside + steps : inside];
}

static ct_status smooth(ct_root_motion *motion, double seconds, ct_error *error)
{
    enum { REACH = 3 }; // deviations
    seconds = fmin(seconds, (motion->looping ? 2 : 1) * (double)motion->step_count * motion->frame_time);
    double deviation = seconds / 4 / motion->frame_time;
    size_t half = (size_t)ceil(REACH * deviation);
    if (half == 0) return CT_OK;

    size_t room = ct_stride(half + 1);
    double *weights = ct_allocate(&motion->allocator, room, sizeof *weights);
    ct_root_place *smoothed = ct_allocate(&motion->allocator, motion->frame_count, sizeof *smoothed);
    if (!weights || !smoothed) {
        ct_release(&motion->allocator, weights);
        ct_release(&motion->allocator, smoothed);
        return ct_fail_memory(error, "smoothing a root motion");
    }
    for (size_t k = 0; k <= half; ++k) weights[k] = -0.5 * ((double)k / deviation) * ((double)k / deviation);
    const double *in[] = {weights};
    elementary(motion->kernels, CT_ELEMENTARY_exp, half + 1, in, &weights);
    double sum = weights[0];
    for (size_t k = 1; k <= half; ++k) sum += 2 * weights[k];

    even_motion even = {0};
    if (motion->looping) even = even_motion_of(motion);
    for (size_t i = 0; motion->looping && i < motion->frame_count; ++i)
        motion->places[i] = without(motion, even, motion->places[i], (double)i);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)motion->frame_count; ++i) {
        ct_root_place here = place_to_smooth(motion, i), mean = here;
        for (ptrdiff_t k = 1; k <= (ptrdiff_t)half; ++k) {
            ct_root_place before = place_to_smooth(motion, i - k), after = place_to_smooth(motion, i + k);
            ct_vector away =
                ct_vector_add(ct_vector_subtract(before.position, here.position), ct_vector_subtract(after.position, here.position));
            mean.position = ct_vector_add(mean.position, ct_vector_scale(away, weights[k] / sum));
            mean.heading += ((before.heading - here.heading) + (after.heading - here.heading)) * (weights[k] / sum);
        }
        smoothed[i] = motion->looping ? with(motion, even, mean, (double)i) : mean;
    }
    ct_release(&motion->allocator, motion->places);
    ct_release(&motion->allocator, weights);
    motion->places = smoothed;
    return CT_OK;
}

// --- making one --------------------------------------------------------------------------------------------------------------------------

static ct_status check_options(const ct_clip *clip, const ct_root_options *options, ct_error *error)
{
    if (clip->frame_count == 0) return ct_fail(error, CT_BAD_VALUE, "a clip without frames has no root motion");
    if (options->joint != CT_NOWHERE && (options->joint < 0 || (size_t)options->joint >= clip->layout.joint_count))
        return ct_fail(error, CT_BAD_INDEX, "root motion of joint %td; there are %zu joints", options->joint, clip->layout.joint_count);
    double length = ct_vector_length(options->forward);
    if (options->has_forward && !(length > 0 && isfinite(length)))
        return ct_fail(error, CT_BAD_VALUE, "the forward axis of a root motion needs a finite length above 0");
    if (!(options->smoothing >= 0 && isfinite(options->smoothing)))
        return ct_fail(error, CT_BAD_VALUE, "the smoothing of a root motion must be finite and not negative (seconds)");
    assert(options->up < CT_AXIS_COUNT);
    return CT_OK;
}

ct_status ct_root_motion_create(const ct_clip *clip, const ct_kernels *kernels, const ct_root_options *options, ct_root_motion **out,
                                ct_error *error)
{
    ct_status status = check_options(clip, options, error);
    if (status != CT_OK) return status;
    ct_root_motion *motion = ct_allocate(&clip->allocator, 1, sizeof *motion);
    if (!motion) return ct_fail_memory(error, "a root motion");
    *motion = (ct_root_motion){.allocator = clip->allocator,
                               .kernels = kernels,
                               .up = options->up,
                               .joint = (size_t)options->joint,
                               .frame_count = clip->frame_count,
                               .frame_time = clip->frame_time,
                               .places = ct_allocate(&clip->allocator, clip->frame_count, sizeof *motion->places)};
    if (!motion->places) status = ct_fail_memory(error, "a root motion");
    if (status == CT_OK && options->joint == CT_NOWHERE) status = ct_root_joint(clip, &motion->joint, error);

    ct_vector local = options->has_forward ? options->forward : ground_of(options->up).ahead;
    bool is_left = false;
    if (status == CT_OK && !options->has_forward) status = ct_root_left(clip, motion->joint, &local, &is_left, error);
    if (status == CT_OK) status = measure_path(clip, motion, local, is_left, error);
    if (status == CT_OK) {
        find_loop(clip->looping, clip->last_repeats_first, motion);
        status = smooth(motion, options->smoothing, error);
    }
    if (status != CT_OK) {
        ct_root_motion_destroy(motion);
        return status;
    }
    *out = motion;
    return CT_OK;
}

void ct_root_motion_destroy(ct_root_motion *motion)
{
    if (!motion) return;
    ct_allocator allocator = motion->allocator;
    ct_release(&allocator, motion->places);
    ct_release(&allocator, motion);
}

// --- asking ------------------------------------------------------------------------------------------------------------------------------

ct_root_place ct_root_motion_at(const ct_root_motion *motion, double time)
{
    assert(isfinite(time));
    if (motion->frame_count == 1) return motion->places[0];

    double steps = (double)motion->step_count, frame = time / motion->frame_time, turns = 0;
    if (motion->looping) {
        turns = floor(time / (steps * motion->frame_time));
        frame = (time - turns * (steps * motion->frame_time)) / motion->frame_time;
    }
    frame = fmin(fmax(frame, 0), steps);
    double whole = fmin(floor(frame), steps - 1), part = frame - whole;
    ct_root_place a = motion->places[(size_t)whole], b = place_beyond(motion, (ptrdiff_t)whole + 1);
    ct_root_place place = {ct_vector_add(a.position, ct_vector_scale(ct_vector_subtract(b.position, a.position), part)),
                           a.heading + (b.heading - a.heading) * part};
    return looped(motion, place, turns);
}

ct_root_motion ct_root_motion_round(const ct_root_motion *motion, bool last_repeats_first)
{
    ct_root_motion round = *motion;
    if (!motion->looping) find_loop(true, last_repeats_first, &round);
    return round;
}

ct_root_delta ct_root_motion_delta(const ct_root_motion *motion, double from, double to)
{
    return between(motion, ct_root_motion_at(motion, from), ct_root_motion_at(motion, to));
}

// --- taking it out and putting it back ---------------------------------------------------------------------------------------------------

// Turns the roots about the origin, then moves them; or the other way round and back.
static void move_row(const ct_kernels *kernels, ct_axis axis, const ct_skeleton *skeleton, ct_layout layout, ct_root_place place,
                     bool take_out, float *row)
{
    ct_vector up = ct_axis_vector(axis);
    double sine, cosine;
    sine_cosine(kernels, (take_out ? -0.5 : 0.5) * place.heading, &sine, &cosine);
    ct_quaternion facing = {cosine, up.x * sine, up.y * sine, up.z * sine};
    for (size_t j = 0; j < layout.joint_count; ++j) {
        if (skeleton->parents[j] != CT_NO_PARENT) continue;
        ct_vector t = ct_row_vector(layout, row, CT_TRANSLATION, j);
        if (take_out) t = ct_vector_subtract(t, place.position);
        t = ct_quaternion_rotate(facing, t);
        if (!take_out) t = ct_vector_add(t, place.position);
        ct_row_set_vector(layout, row, CT_TRANSLATION, j, t);
        ct_row_set_rotation(layout, row, j, ct_quaternion_multiply(facing, ct_row_rotation(layout, row, j)));
    }
}

void ct_root_place_row(const ct_kernels *kernels, ct_axis up, const ct_skeleton *skeleton, ct_layout layout, ct_root_place place,
                       float *row)
{
    move_row(kernels, up, skeleton, layout, place, false, row);
}

static ct_status move_roots(const ct_clip *clip, const ct_root_motion *motion, bool take_out, ct_clip **out, ct_error *error)
{
    if (motion->frame_count != clip->frame_count)
        return ct_fail(error, CT_BAD_VALUE, "a root motion of %zu frames does not fit a clip of %zu frames", motion->frame_count,
                       clip->frame_count);
    ct_clip *moved;
    ct_status status = ct_clip_copy(clip, clip->skeleton, &moved, error);
    if (status != CT_OK) return status;
    for (size_t i = 0; i < clip->frame_count; ++i)
        move_row(motion->kernels, motion->up, clip->skeleton, clip->layout, motion->places[i], take_out, ct_clip_row(moved, i));
    status = ct_clip_finish(moved, error);
    if (status != CT_OK) {
        ct_clip_destroy(moved);
        return status;
    }
    moved->last_repeats_first = clip->last_repeats_first; // so that its period stays, also when all it did was to turn
    *out = moved;
    return CT_OK;
}

ct_status ct_clip_in_place(const ct_clip *clip, const ct_root_motion *motion, ct_clip **out, ct_error *error)
{
    return move_roots(clip, motion, true, out, error);
}

ct_status ct_clip_apply_root_motion(const ct_clip *clip, const ct_root_motion *motion, ct_clip **out, ct_error *error)
{
    return move_roots(clip, motion, false, out, error);
}

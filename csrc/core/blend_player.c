#include "blend_player.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double STILL = 1e-3; // of the fastest clip's speed

// ----------------------------------------------------------------------------------------------------------------------------- speeds

// Seconds that a clip takes from its beginning to its beginning, or end.
static double period_of(const ct_clip *clip) { return clip->looping ? ct_clip_period(clip) : ct_clip_duration(clip); }

static double length_of(ct_vector v) { return sqrt(ct_vector_dot(v, v)); }

// What a clip moves the character in a period, step by step in its own axes.
static ct_vector travel_of(const ct_blend_sample *sample)
{
    ct_vector travel = {0, 0, 0};
    const ct_root_motion *motion = sample->motion;
    for (size_t i = 0; motion && i < motion->step_count; ++i) {
        ct_root_delta delta = ct_root_motion_delta(motion, (double)i * motion->frame_time, (double)(i + 1) * motion->frame_time);
        travel = ct_vector_add(travel, delta.translation);
    }
    return travel;
}

static double speed_of(const ct_blend_sample *sample, ct_vector travel)
{
    double period = period_of(sample->clip);
    return period > 0 ? length_of(travel) / period : 0;
}

void ct_blend_player_measure(const ct_blend_space *space, const ct_blend_sample *samples, double *points)
{
    size_t dimensions = space->dimensions;
    for (size_t i = 0; i < space->sample_count; ++i) {
        const double *point = space->points + i * dimensions;
        ct_vector at = {point[0], dimensions > 1 ? point[1] : 0, 0};
        double most = fmax(fabs(at.x), fabs(at.y)), speed = speed_of(&samples[i], travel_of(&samples[i]));
        if (most > 0) at = ct_vector_scale(at, 1 / most);
        double length = length_of(at);
        points[i * dimensions] = length > 0 ? at.x / length * speed : 0;
        if (dimensions > 1) points[i * dimensions + 1] = length > 0 ? at.y / length * speed : 0;
    }
}

// How the mix travels, in units a second of the clips.
static double mixed_speed(const ct_blend_player *self, const double *weights, double cycle)
{
    ct_vector velocity = {0, 0, 0};
    for (size_t i = 0; i < self->count; ++i) {
        const ct_sync_track *track = &self->options.sync->tracks[i];
        double seconds = track->in_step ? cycle * (double)track->repetitions : period_of(self->samples[i].clip);
        if (weights[i] > 0 && seconds > 0) velocity = ct_vector_add(velocity, ct_vector_scale(self->travels[i], weights[i] / seconds));
    }
    return length_of(velocity);
}

static ct_status rate_of(const ct_blend_player *self, const double *point, double speed, double *rate, ct_error *error)
{
    *rate = 1;
    if (self->options.speed == CT_SPEED_PARAMETER || speed <= self->still) return CT_OK;
    *rate = self->options.space->dimensions == 1 ? fabs(point[0]) : sqrt(point[0] * point[0] + point[1] * point[1]);
    *rate /= speed;
    return isfinite(*rate) ? CT_OK : ct_fail(error, CT_BAD_VALUE, "BlendPlayer: the parameters lead to a rate beyond all numbers");
}

static double mean_period(const ct_blend_player *self, const double *weights)
{
    double seconds = 0;
    for (size_t i = 0; i < self->count; ++i) seconds += weights[i] * period_of(self->samples[i].clip);
    return seconds;
}

ct_status ct_blend_player_cycle(const ct_blend_player *self, const double *point, double *weights, ct_blend_cycle *out, ct_error *error)
{
    ct_blend_space_weights_at(self->options.space, point, weights);
    double cycle = ct_sync_cycle(self->options.sync, weights), speed = mixed_speed(self, weights, cycle), rate;
    ct_status status = rate_of(self, point, speed, &rate, error);
    if (status != CT_OK) return status;
    if (cycle == 0) cycle = mean_period(self, weights);
    *out = (ct_blend_cycle){.duration = cycle / rate, .stride = speed * cycle, .speed = speed * rate, .rate = rate};
    return CT_OK;
}

// ----------------------------------------------------------------------------------------------------------------------------- a frame

typedef struct mixing {
    ct_frame *out;
    ct_scratch scratch;
    size_t part_count;
    bool alone; // one clip has all the weight
} mixing;

static void add_clip(ct_blend_player *self, size_t i, double weight, ct_stretch stretch, mixing *mix)
{
    const ct_blend_sample *sample = &self->samples[i];
    const ct_clip *clip = sample->clip;
    float *row = mix->alone ? mix->out->row : ct_scratch_row(&mix->scratch);
    ct_poses pose = {clip->layout, 1, row};
    ct_wrap wrap = clip->looping ? CT_LOOP : CT_CLAMP;
    ct_clip_sample(clip, self->kernels, &stretch.to, self->options.interpolation, wrap, 1, NULL, pose, NULL);
    for (size_t k = ct_row_length(clip->layout); k < ct_row_length(self->source.layout); ++k) row[k] = 1; // scales that it does not have
    self->parts[mix->part_count++] = (ct_blend_part){.row = row, .weight = weight};

    if (sample->motion) {
        ct_root_delta delta = ct_root_motion_delta(sample->motion, stretch.from, ct_stretch_end(stretch, period_of(clip)));
        ct_root_delta *root = &mix->out->root;
        root->translation = ct_vector_add(root->translation, ct_vector_scale(delta.translation, weight));
        root->turn += weight * delta.turn;
    }
    mix->out->played[mix->out->played_count++] = (ct_played){sample->what, stretch, weight};
}

static ct_status update(ct_source *source, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *error)
{
    ct_blend_player *self = (ct_blend_player *)source;
    const ct_sync *sync = self->options.sync;
    double point[2] = {0}, *weights = self->state->numbers, *times = weights + self->count, rate;
    for (size_t d = 0; d < self->options.space->dimensions; ++d) point[d] = ct_amount_of(&self->options.point[d], step->values);
    ct_blend_space_weights_at(self->options.space, point, weights);
    ct_status status = rate_of(self, point, mixed_speed(self, weights, ct_sync_cycle(sync, weights)), &rate, error);
    if (status != CT_OK) return status;
    double by = step->dt * rate;
    if (!isfinite(by)) return ct_fail(error, CT_BAD_VALUE, "BlendPlayer: the rate leads out of all times");

    ct_sync_place before = self->state->place, after = ct_sync_move(sync, before, weights, by);
    self->state->place = ct_sync_wrap(sync, after);
    size_t mixed = 0;
    for (size_t i = 0; i < self->count; ++i) mixed += weights[i] > 0;
    mixing mix = {.out = out, .scratch = scratch, .alone = mixed == 1};
    out->root = (ct_root_delta){0};
    for (size_t i = 0; i < self->count; ++i) {
        const ct_clip *clip = self->samples[i].clip;
        ct_stretch stretch = sync->tracks[i].in_step ? ct_sync_stretch(sync, i, before, after)
                                                     : ct_clip_clock_move(clip, clip->looping ? CT_LOOP : CT_CLAMP, times[i], by);
        times[i] = stretch.to;
        if (weights[i] > 0) add_clip(self, i, weights[i], stretch, &mix);
    }
    if (!mix.alone) ct_blend_frame(self->kernels, source->layout, mix.part_count, self->parts, NULL, out->row);
    return CT_OK;
}

static void reset(ct_source *source)
{
    ct_blend_player *self = (ct_blend_player *)source;
    const ct_sync *sync = self->options.sync;
    memset(self->state, 0, source->state_size);
    self->state->place = ct_sync_start(sync);
    for (size_t i = 0; i < self->count; ++i) {
        if (sync->tracks[i].in_step) self->state->numbers[self->count + i] = ct_sync_time(sync, i, self->state->place);
    }
}

static ct_status bind(ct_source *source, ct_parameters *parameters, ct_error *error)
{
    ct_blend_player_options *o = &((ct_blend_player *)source)->options;
    ct_status status = CT_OK;
    for (size_t d = 0; d < o->space->dimensions && status == CT_OK; ++d) status = ct_amount_bind(&o->point[d], parameters, error);
    return status;
}

static const ct_source_ops ops = {update, reset, bind};

// ----------------------------------------------------------------------------------------------------------------------------- making

static ct_status check_skeletons(const ct_blend_player_options *o, ct_error *error)
{
    const ct_skeleton *first = o->samples[0].clip->skeleton;
    for (size_t i = 1; i < o->space->sample_count; ++i) {
        const ct_skeleton *other = o->samples[i].clip->skeleton;
        if (other == first || ct_skeleton_equal(other, first)) continue;
        if (other->joint_count != first->joint_count) {
            return ct_fail(error, CT_BAD_VALUE, "clip %zu has %zu joints, clip 0 has %zu; all need one skeleton", i, other->joint_count,
                           first->joint_count);
        }
        return ct_fail(error, CT_BAD_VALUE, "clip %zu has another skeleton than clip 0: names, parents or rest pose differ", i);
    }
    return CT_OK;
}

static bool reserve(ct_blend_player *self)
{
    size_t count = self->count;
    self->source.state_size = sizeof *self->state + 2 * count * sizeof(double);
    self->samples = ct_allocate(&self->allocator, count, sizeof *self->samples);
    self->travels = ct_allocate(&self->allocator, count, sizeof *self->travels);
    self->parts = ct_allocate(&self->allocator, count, sizeof *self->parts);
    self->source.state = self->state = ct_allocate(&self->allocator, 1, self->source.state_size);
    return self->samples && self->travels && self->parts && self->state;
}

ct_status ct_blend_player_create(const ct_allocator *allocator, const ct_kernels *kernels, const ct_blend_player_options *options,
                                 ct_blend_player **out, ct_error *error)
{
    size_t count = options->space->sample_count;
    assert(count == options->sync->clip_count);
    ct_status status = check_skeletons(options, error);
    if (status != CT_OK) return status;
    ct_blend_player *self = ct_allocate(allocator, 1, sizeof *self);
    if (!self) return ct_fail_memory(error, "a blend player");
    self->allocator = *allocator;
    self->kernels = kernels;
    self->options = *options;
    self->count = count;
    self->source = (ct_source){.ops = &ops,
                               .skeleton = options->samples[0].clip->skeleton,
                               .layout = options->samples[0].clip->layout,
                               .row_count = count,
                               .played_most = count};
    if (!reserve(self)) {
        ct_blend_player_destroy(self);
        return ct_fail_memory(error, "a blend player");
    }
    memcpy(self->samples, options->samples, count * sizeof *self->samples);
    self->options.samples = self->samples;
    for (size_t i = 0; i < count; ++i) {
        ct_layout layout = self->samples[i].clip->layout;
        if (layout.component_count > self->source.layout.component_count) self->source.layout = layout;
        self->travels[i] = travel_of(&self->samples[i]);
        self->still = fmax(self->still, STILL * speed_of(&self->samples[i], self->travels[i]));
    }
    reset(&self->source);
    *out = self;
    return CT_OK;
}

void ct_blend_player_destroy(ct_blend_player *player)
{
    if (!player) return;
    ct_allocator allocator = player->allocator;
    ct_release(&allocator, player->samples);
    ct_release(&allocator, player->travels);
    ct_release(&allocator, player->parts);
    ct_release(&allocator, player->state);
    ct_release(&allocator, player);
}

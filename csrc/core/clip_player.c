#include "clip_player.h"

#include <assert.h>
#include <math.h>

static ct_status update(ct_source *source, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *error)
{
    (void)scratch;
    ct_clip_player *self = (ct_clip_player *)source;
    const ct_clip_player_options *o = &self->options;
    double rate = ct_amount_of(&o->rate, step->values), by = step->dt * rate;
    if (!isfinite(by)) return ct_fail(error, CT_BAD_VALUE, "ClipPlayer: the rate leads out of all times");

    ct_clip_player_state *state = &self->state;
    double duration = ct_clip_duration(o->clip);
    ct_stretch stretch = ct_clip_clock_move(o->clip, o->wrap, state->time, by);
    if (duration == 0 && state->ended) stretch.ends = false; // its one moment was played
    state->time = stretch.to;
    if (by != 0) state->ended = stretch.wrap == CT_CLAMP && stretch.to == (by > 0 ? duration : 0);
    ct_poses pose = {o->clip->layout, 1, out->row};
    ct_clip_sample(o->clip, self->kernels, &state->time, o->interpolation, o->wrap, 1, NULL, pose, NULL);
    out->root = (ct_root_delta){0};
    if (o->motion) out->root = ct_root_motion_delta(o->motion, stretch.from, ct_stretch_end(stretch, ct_clip_period(o->clip)));
    out->played[out->played_count++] = (ct_played){o->what, stretch, 1};
    return CT_OK;
}

static void reset(ct_source *source)
{
    ct_clip_player *self = (ct_clip_player *)source;
    self->state = (ct_clip_player_state){.time = self->options.start};
}

static ct_status bind(ct_source *source, ct_parameters *parameters, ct_error *error)
{
    return ct_amount_bind(&((ct_clip_player *)source)->options.rate, parameters, error);
}

static const ct_source_ops ops = {update, reset, bind};

ct_status ct_clip_player_create(const ct_allocator *allocator, const ct_kernels *kernels, const ct_clip_player_options *options,
                                ct_clip_player **out, ct_error *error)
{
    const ct_clip *clip = options->clip;
    assert(clip->frame_count > 0);
    ct_clip_player *self = ct_allocate(allocator, 1, sizeof *self);
    if (!self) return ct_fail_memory(error, "a clip player");
    self->source = (ct_source){.ops = &ops,
                               .skeleton = clip->skeleton,
                               .layout = clip->layout,
                               .additive = options->additive,
                               .side = options->side,
                               .played_most = 1,
                               .state = &self->state,
                               .state_size = sizeof self->state};
    self->allocator = *allocator;
    self->kernels = kernels;
    self->options = *options;
    if (options->motion) {
        self->motion = options->wrap == CT_LOOP ? ct_root_motion_round(options->motion, clip->last_repeats_first) : *options->motion;
        self->options.motion = &self->motion;
    }
    reset(&self->source);
    *out = self;
    return CT_OK;
}

void ct_clip_player_destroy(ct_clip_player *player)
{
    if (player) ct_release(&player->allocator, player);
}

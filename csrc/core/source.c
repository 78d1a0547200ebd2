#include "source.h"

#include <assert.h>
#include <math.h>
#include <string.h>

ct_status ct_source_adopt(ct_source *parent, ct_source *child, const char *what, ct_error *error)
{
    if (child->parent) return ct_fail(error, CT_BAD_VALUE, "%s is part of another source already, which would move it on too", what);
    if (child->busy) return ct_fail(error, CT_BAD_VALUE, "%s is in an update; sources are for one thread at a time", what);
    for (const ct_source *above = parent; above; above = above->parent) {
        if (above == child) return ct_fail(error, CT_BAD_VALUE, "%s would hold itself", what);
    }
    if (child->skeleton != parent->skeleton && !ct_skeleton_equal(child->skeleton, parent->skeleton)) {
        size_t has = child->skeleton->joint_count, wanted = parent->skeleton->joint_count;
        if (has != wanted) return ct_fail(error, CT_BAD_VALUE, "%s has %zu joints, the skeleton has %zu", what, has, wanted);
        return ct_fail(error, CT_BAD_VALUE, "%s has another skeleton of %zu joints: names, parents or rest pose differ", what, has);
    }
    if (child->depth >= CT_MAX_SOURCE_DEPTH)
        return ct_fail(error, CT_BAD_VALUE, "%s holds %d levels of sources in each other, which is the most", what, CT_MAX_SOURCE_DEPTH);
    if (parent->depth <= child->depth) parent->depth = child->depth + 1;
    child->parent = parent;
    parent->children[parent->child_count++] = child;
    parent->played_most += child->played_most;
    parent->foreign |= child->foreign;
    return CT_OK;
}

void ct_source_release_children(ct_source *parent)
{
    for (size_t i = 0; i < parent->child_count; ++i) parent->children[i]->parent = NULL;
    parent->child_count = 0;
}

void ct_source_reset(ct_source *source)
{
    if (source->ops->reset) source->ops->reset(source);
    for (size_t i = 0; i < source->child_count; ++i) ct_source_reset(source->children[i]);
}

ct_status ct_source_update_child(ct_source *child, const ct_step *step, ct_scratch scratch, ct_layout layout, double weight, float *row,
                                 ct_root_delta *root, ct_frame *out, ct_error *error)
{
    ct_frame frame = {.row = row, .played = out->played + out->played_count};
    ct_status status = child->ops->update(child, step, scratch, &frame, error);
    if (status != CT_OK) return status;
    for (size_t i = 0; i < frame.played_count; ++i) frame.played[i].weight *= weight;
    for (size_t i = ct_row_length(child->layout); i < ct_row_length(layout); ++i) row[i] = 1;
    out->played_count += frame.played_count;
    *root = frame.root;
    return CT_OK;
}

// ------------------------------------------------------------------------------------------------------------------------- the stage

typedef struct needs {
    size_t rows;  // at once
    size_t state; // bytes in all
    size_t components;
} needs;

// One child at a time is at work, while the parent holds all its rows.
static needs measure(const ct_source *source)
{
    needs most = {0, source->state_size, source->layout.component_count};
    for (size_t i = 0; i < source->child_count; ++i) {
        needs child = measure(source->children[i]);
        if (child.rows > most.rows) most.rows = child.rows;
        if (child.components > most.components) most.components = child.components;
        most.state += child.state;
    }
    most.rows += source->row_count;
    return most;
}

static ct_status bind(ct_source *source, ct_parameters *parameters, ct_error *error)
{
    ct_status status = source->ops->bind ? source->ops->bind(source, parameters, error) : CT_OK;
    for (size_t i = 0; status == CT_OK && i < source->child_count; ++i) status = bind(source->children[i], parameters, error);
    return status;
}

void ct_stage_destroy(ct_stage *stage)
{
    if (!stage) return;
    ct_allocator allocator = stage->allocator;
    ct_parameters_release(&stage->parameters);
    ct_release(&allocator, stage->values);
    ct_release(&allocator, stage->scratch.rows);
    ct_release(&allocator, stage->played);
    ct_release(&allocator, stage->kept);
    ct_release(&allocator, stage);
}

ct_status ct_stage_create(const ct_allocator *allocator, ct_source *source, ct_stage **out, ct_error *error)
{
    if (source->parent) return ct_fail(error, CT_BAD_VALUE, "the source is part of another, which moves it on; update that one");
    ct_stage *stage = ct_allocate(allocator, 1, sizeof *stage);
    if (!stage) return ct_fail_memory(error, "a stage");
    stage->allocator = *allocator;
    stage->source = source;
    stage->parameters = ct_parameters_none(allocator);

    needs most = measure(source);
    ct_scratch *scratch = &stage->scratch;
    stage->state_size = most.state;
    scratch->row_count = most.rows;
    scratch->row_length = source->layout.stride * most.components;
    ct_status status = bind(source, &stage->parameters, error);
    if (status == CT_OK) {
        stage->values = ct_allocate(allocator, stage->parameters.count, sizeof *stage->values);
        scratch->rows = ct_allocate(allocator, most.rows, scratch->row_length * sizeof *scratch->rows);
        stage->played = ct_allocate(allocator, source->played_most, sizeof *stage->played);
        stage->kept = ct_allocate(allocator, most.state, 1);
        bool all = stage->values && scratch->rows && stage->played && stage->kept;
        if (!all) status = ct_fail_memory(error, "a stage");
    }
    if (status != CT_OK) {
        ct_stage_destroy(stage);
        return status;
    }
    *out = stage;
    return CT_OK;
}

// Both return the end of what they have kept or put back.
static unsigned char *keep(const ct_source *source, unsigned char *kept)
{
    if (source->state_size) memcpy(kept, source->state, source->state_size);
    kept += source->state_size;
    for (size_t i = 0; i < source->child_count; ++i) kept = keep(source->children[i], kept);
    return kept;
}

static const unsigned char *put_back(ct_source *source, const unsigned char *kept)
{
    if (source->state_size) memcpy(source->state, kept, source->state_size);
    kept += source->state_size;
    for (size_t i = 0; i < source->child_count; ++i) kept = put_back(source->children[i], kept);
    return kept;
}

void ct_stage_keep(const ct_stage *stage, unsigned char *kept) { keep(stage->source, kept); }

void ct_stage_put_back(ct_stage *stage, const unsigned char *kept) { put_back(stage->source, kept); }

ct_status ct_stage_update(ct_stage *stage, double dt, void *context, float *row, ct_frame *frame, ct_error *error)
{
    assert(isfinite(dt) && dt >= 0);
    ct_source *source = stage->source;
    ct_step step = {dt, stage->values, context};
    *frame = (ct_frame){.row = row, .played = stage->played};
    ct_stage_keep(stage, stage->kept);
    ct_status status = source->ops->update(source, &step, stage->scratch, frame, error);
    if (status != CT_OK) ct_stage_put_back(stage, stage->kept);
    return status;
}

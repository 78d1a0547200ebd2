#include "layers.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

static const double TOLERANCE = 1e-6;

enum { LAYER_TEXT = 48 };

// Within the bounds after a tolerance; not when NaN.
static bool bound(double *value)
{
    if (!(*value >= -TOLERANCE && *value <= 1 + TOLERANCE)) return false;
    *value = fmin(fmax(*value, 0), 1);
    return true;
}

static const char *number_text(double value, char text[CT_NUMBER_SIZE])
{
    if (!isfinite(value)) return isnan(value) ? "NaN" : value > 0 ? "infinity" : "-infinity";
    ct_number_write(value, text);
    return text;
}

static const char *layer_text(size_t index, char text[LAYER_TEXT])
{
    snprintf(text, LAYER_TEXT, "LayerStack: layer %zu", index);
    return text;
}

static ct_status fail_weight(const ct_amount *amount, double weight, bool additive, const char *what, ct_error *error)
{
    char number[CT_NUMBER_SIZE], parameter[200] = "";
    const char *shown = number_text(weight, number), *name = amount->name;
    if (name) snprintf(parameter, sizeof parameter, " (parameter '%.*s')", ct_name_shown(name, strlen(name)), name);
    if (!additive) return ct_fail(error, CT_BAD_VALUE, "%s: weight%s is %s; that of an override is from 0 to 1", what, parameter, shown);
    return ct_fail(error, CT_BAD_VALUE, "%s: weight%s is %s; with the mask, that of an additive is at most %d either way", what, parameter,
                   shown, CT_MAX_DELTA_WEIGHT);
}

// `most`: the largest number of the mask, without sign.
static bool weight_fits(double *weight, bool additive, double most)
{
    return additive ? fabs(*weight) * fmax(most, 1) <= CT_MAX_DELTA_WEIGHT : bound(weight);
}

static double most_of(const float *mask, size_t joint_count)
{
    double most = mask ? 0 : 1;
    for (size_t j = 0; mask && j < joint_count; ++j) most = fmax(most, fabs((double)mask[j]));
    return most;
}

// ------------------------------------------------------------------------------------------------------------------------ a frame

static double between(double below, double above, double t) { return (1 - t) * below + t * above; }

static ct_root_delta root_between(ct_root_delta below, ct_root_delta above, double t)
{
    ct_vector b = below.translation, a = above.translation;
    return (ct_root_delta){{between(b.x, a.x, t), between(b.y, a.y, t), between(b.z, a.z, t)}, between(below.turn, above.turn, t)};
}

static void override(const ct_layer_stack *self, const ct_stacked_layer *stacked, double weight, const float *above, float *row)
{
    const ct_layout layout = self->source.layout;
    const ct_layers_kernels *kernels = &self->kernels->layers;
    const float *mask = stacked->layer.mask;
    if (stacked->layer.in_mesh_space)
        ct_mesh_space_override(self->mesh, layout, above, (float)weight, mask, row);
    else
        kernels->override_rotations(above, layout.stride, (float)weight, mask, row);
    kernels->override_linear(above, layout.stride, CT_COMPONENTS_ROTATION, layout.component_count, (float)weight, mask, row);
}

// What the delta adds to nothing, at its weight: then its rotations can be turned into other axes.
static void add_in_mesh_space(const ct_layer_stack *self, ct_pose_deltas delta, double weight, const float *mask, float *added, float *row)
{
    const ct_layout layout = self->source.layout;
    const size_t stride = layout.stride, scales = CT_SCALE * stride, end = ct_row_length(delta.layout);
    for (size_t i = 0; i < stride; ++i) added[i] = 1;
    memset(added + stride, 0, (CT_COMPONENTS_ROTATION - 1) * stride * sizeof *added);
    for (size_t i = CT_TRANSLATION * stride; i < scales; ++i) added[i] = -0.0f; // a sum with it keeps every bit
    for (size_t i = scales; i < end; ++i) added[i] = 1;
    ct_pose_add(self->kernels, delta.layout, added, delta, weight, mask, added);
    ct_mesh_space_add(self->mesh, layout, added, row);
    for (size_t i = CT_TRANSLATION * stride; i < scales; ++i) row[i] += added[i];
    for (size_t i = scales; i < end; ++i) row[i] *= added[i];
}

static void add(const ct_layer_stack *self, const ct_stacked_layer *stacked, double weight, float *delta, ct_scratch *scratch, float *row)
{
    const ct_source *source = stacked->layer.source;
    const float *mask = stacked->masked ? stacked->layer.mask : NULL;
    const ct_pose_deltas deltas = {source->side, source->layout, 1, delta};
    if (stacked->layer.in_mesh_space)
        add_in_mesh_space(self, deltas, weight, mask, ct_scratch_row(scratch), row);
    else
        ct_pose_add(self->kernels, self->source.layout, row, deltas, weight, mask, row);
}

// One layer, onto what out shows.
static ct_status update_layer(const ct_layer_stack *self, size_t index, const ct_step *step, ct_scratch scratch, ct_frame *out,
                              ct_error *error)
{
    const ct_stacked_layer *stacked = &self->layers[index];
    const ct_layer *layer = &stacked->layer;
    const bool additive = layer->source->additive;
    double weight = ct_amount_of(&layer->weight, step->values);
    if (!weight_fits(&weight, additive, stacked->most)) {
        char what[LAYER_TEXT];
        return fail_weight(&layer->weight, weight, additive, layer_text(index, what), error);
    }
    const bool replaces = !additive && !stacked->masked && weight == 1;
    const double part = fmin(fabs(weight) * stacked->most, 1);
    const size_t below = out->played_count;
    float *row = ct_scratch_row(&scratch);
    ct_root_delta root;
    ct_status status = ct_source_update_child(layer->source, step, scratch, additive ? layer->source->layout : self->source.layout, part,
                                              replaces ? out->row : row, &root, out, error);
    if (status != CT_OK) return status;

    if (additive)
        add(self, stacked, weight, row, &scratch, out->row);
    else if (!replaces)
        override(self, stacked, weight, row, out->row);
    if (layer->moves) out->root = root_between(out->root, root, weight);
    if (additive || stacked->masked) return CT_OK;
    for (size_t i = 0; i < below; ++i) out->played[i].weight *= 1 - weight;
    return CT_OK;
}

static ct_status update(ct_source *source, const ct_step *step, ct_scratch scratch, ct_frame *out, ct_error *error)
{
    const ct_layer_stack *self = (const ct_layer_stack *)source;
    const ct_poses rest = ct_skeleton_rest(source->skeleton);
    ct_layout_fit(rest.layout, rest.rows, source->layout, out->row);
    out->root = (ct_root_delta){0};
    ct_status status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < source->child_count; ++i) status = update_layer(self, i, step, scratch, out, error);
    return status;
}

static ct_status bind(ct_source *source, ct_parameters *parameters, ct_error *error)
{
    ct_layer_stack *self = (ct_layer_stack *)source;
    ct_status status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < source->child_count; ++i)
        status = ct_amount_bind(&self->layers[i].layer.weight, parameters, error);
    return status;
}

static const ct_source_ops ops = {.update = update, .bind = bind};

// ---------------------------------------------------------------------------------------------------------------------------- making

ct_status ct_layer_check(const ct_layer *layer, bool additive, ct_delta_side side, size_t joint_count, const char *what, ct_error *error)
{
    for (size_t j = 0; layer->mask && j < joint_count; ++j) {
        double value = (double)layer->mask[j];
        if (additive ? isfinite(value) : bound(&value)) continue;
        char number[CT_NUMBER_SIZE];
        ct_fail(error, CT_BAD_VALUE, "%s: mask is %s at joint %zu; that of %s", what, number_text(value, number), j,
                additive ? "an additive is finite" : "an override is from 0 to 1");
        if (error) error->joint = (ptrdiff_t)j;
        return CT_BAD_VALUE;
    }
    double weight = layer->weight.fixed;
    if (!layer->weight.name && !weight_fits(&weight, additive, most_of(layer->mask, joint_count)))
        return fail_weight(&layer->weight, weight, additive, what, error);
    if (additive && layer->in_mesh_space && side == CT_SIDE_LOCAL)
        return ct_fail(error, CT_BAD_VALUE,
                       "%s: deltas of side 'local' turn about a joint's own axes, which space 'mesh' does not know; make them with "
                       "additive(..., side='parent')",
                       what);
    return CT_OK;
}

static ct_status take_layer(ct_layer_stack *self, size_t index, const ct_layer *layer, ct_error *error)
{
    ct_stacked_layer *stacked = &self->layers[index];
    const ct_source *source = layer->source;
    char text[LAYER_TEXT];
    const char *what = layer_text(index, text);
    assert(!(layer->moves && source->additive));
    ct_status status = ct_source_adopt(&self->source, layer->source, what, error);
    if (status == CT_OK) status = ct_layer_check(layer, source->additive, source->side, source->layout.joint_count, what, error);
    if (status != CT_OK) return status;

    float *mask = self->masks + index * self->source.layout.stride;
    for (size_t j = 0; j < self->source.layout.stride; ++j) {
        double value = layer->mask && j < source->layout.joint_count ? (double)layer->mask[j] : 1;
        if (!source->additive) bound(&value);
        mask[j] = (float)value;
    }
    *stacked = (ct_stacked_layer){*layer, layer->mask != NULL, most_of(layer->mask, source->layout.joint_count)};
    stacked->layer.mask = mask;
    if (index == 0) stacked->layer.moves = !source->additive;
    return CT_OK;
}

ct_status ct_layer_stack_create(const ct_allocator *allocator, const ct_kernels *kernels, const ct_skeleton *skeleton, size_t layer_count,
                                const ct_layer *layers, ct_layer_stack **out, ct_error *error)
{
    bool scales = false, mesh = false, adds_in_mesh = false;
    for (size_t i = 0; i < layer_count; ++i) {
        scales |= ct_has_scales(layers[i].source->layout);
        mesh |= layers[i].in_mesh_space;
        adds_in_mesh |= layers[i].in_mesh_space && layers[i].source->additive;
    }
    ct_layer_stack *self = ct_allocate(allocator, 1, sizeof *self);
    if (!self) return ct_fail_memory(error, "a stack of layers");
    self->allocator = *allocator;
    self->kernels = kernels;
    self->source = (ct_source){
        .ops = &ops, .skeleton = skeleton, .layout = ct_layout_of(skeleton->joint_count, true, scales), .row_count = adds_in_mesh ? 2 : 1};

    size_t mask_length;
    ct_status status = CT_OK;
    if (!ct_multiply(layer_count, self->source.layout.stride, &mask_length)) status = ct_fail_memory(error, "the masks of layers");
    if (status == CT_OK) {
        self->layers = ct_allocate(allocator, layer_count, sizeof *self->layers);
        self->masks = ct_allocate(allocator, mask_length, sizeof *self->masks);
        self->source.children = ct_allocate(allocator, layer_count, sizeof(ct_source *));
        if (!self->layers || !self->masks || !self->source.children) status = ct_fail_memory(error, "a stack of layers");
    }
    if (status == CT_OK && mesh) status = ct_mesh_space_create(allocator, skeleton, &self->mesh, error);
    for (size_t i = 0; status == CT_OK && i < layer_count; ++i) status = take_layer(self, i, &layers[i], error);
    if (status != CT_OK) {
        ct_layer_stack_destroy(self);
        return status;
    }
    *out = self;
    return CT_OK;
}

void ct_layer_stack_destroy(ct_layer_stack *stack)
{
    if (!stack) return;
    ct_allocator allocator = stack->allocator;
    ct_source_release_children(&stack->source);
    ct_mesh_space_destroy(stack->mesh);
    ct_release(&allocator, stack->layers);
    ct_release(&allocator, stack->masks);
    ct_release(&allocator, stack->source.children);
    ct_release(&allocator, stack);
}

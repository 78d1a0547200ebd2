#include "layout.h"

#include <assert.h>
#include <string.h>

static float neutral(size_t component) { return component == CT_ROTATION || component >= CT_SCALE ? 1.0f : 0.0f; }

void ct_layout_pad(ct_layout layout, size_t count, float *rows)
{
    for (size_t i = 0; i < count; ++i) {
        for (size_t c = 0; c < layout.component_count; ++c) {
            float *component = rows + i * ct_row_length(layout) + c * layout.stride;
            for (size_t j = layout.joint_count; j < layout.stride; ++j) component[j] = neutral(c);
        }
    }
}

void ct_layout_fit(ct_layout from, const float *row, ct_layout to, float *out)
{
    assert(from.joint_count == to.joint_count && (ct_has_translations(from) || !ct_has_translations(to)));
    size_t length = ct_row_length(to), known = ct_row_length(from) < length ? ct_row_length(from) : length;
    memcpy(out, row, known * sizeof *out);
    for (size_t i = known; i < length; ++i) out[i] = 1;
}

static size_t width_of(size_t component)
{
    assert(component == CT_ROTATION || component == CT_TRANSLATION || component == CT_SCALE);
    return component == CT_ROTATION ? 4 : 3;
}

void ct_layout_write(ct_layout layout, size_t component, size_t count, const float *from, float *rows)
{
    size_t width = width_of(component);
    assert(component + width <= layout.component_count);

    for (size_t i = 0; i < count; ++i) {
        float *row = rows + i * ct_row_length(layout) + component * layout.stride;
        const float *pose = from + i * layout.joint_count * width;
        for (size_t c = 0; c < width; ++c) {
            float *to = row + c * layout.stride;
            for (size_t j = 0; j < layout.joint_count; ++j) to[j] = pose[j * width + c];
            for (size_t j = layout.joint_count; j < layout.stride; ++j) to[j] = neutral(component + c);
        }
    }
}

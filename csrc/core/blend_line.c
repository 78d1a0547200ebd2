#include "blend_line.h"

bool ct_blend_line_reserve(const ct_allocator *allocator, size_t count, ct_blend_line *line)
{
    line->count = 0;
    line->positions = ct_allocate(allocator, count, sizeof *line->positions);
    line->samples = ct_allocate(allocator, count, sizeof *line->samples);
    return line->positions && line->samples;
}

void ct_blend_line_release(const ct_allocator *allocator, ct_blend_line *line)
{
    ct_release(allocator, line->positions);
    ct_release(allocator, line->samples);
}

void ct_blend_line_put(ct_blend_line *line, double position, size_t sample)
{
    size_t at = line->count++;
    for (; at > 0 && position < line->positions[at - 1]; --at) {
        line->positions[at] = line->positions[at - 1];
        line->samples[at] = line->samples[at - 1];
    }
    line->positions[at] = position;
    line->samples[at] = sample;
}

void ct_blend_line_add_weights(const ct_blend_line *line, double x, double part, double *row)
{
    size_t above = 0;
    while (above < line->count && line->positions[above] <= x) ++above;
    if (above == 0 || above == line->count) {
        row[line->samples[above == 0 ? 0 : above - 1]] += part;
        return;
    }
    double low = line->positions[above - 1], share = (x - low) / (line->positions[above] - low);
    row[line->samples[above - 1]] += part * (1 - share);
    row[line->samples[above]] += part * share;
}

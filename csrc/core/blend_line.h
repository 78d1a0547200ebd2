// blend_line.h: samples on a line, and linear weights between them.
#ifndef CT_BLEND_LINE_H
#define CT_BLEND_LINE_H

#include "memory.h"

// From low to high.
typedef struct ct_blend_line {
    size_t count;
    double *positions;
    size_t *samples; // which sample each is
} ct_blend_line;

// An empty line with room for `count` samples; false when out of memory. Release it in any case.
bool ct_blend_line_reserve(const ct_allocator *allocator, size_t count, ct_blend_line *line);
void ct_blend_line_release(const ct_allocator *allocator, ct_blend_line *line);

void ct_blend_line_put(ct_blend_line *line, double position, size_t sample);

// Adds `part` times the weights at x to a row of weights: linear between the two samples around x, all for the last one beyond the ends.
void ct_blend_line_add_weights(const ct_blend_line *line, double x, double part, double *row);

#endif

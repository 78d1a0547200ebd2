// elementwise.h: functions over structure-of-arrays blocks.
#ifndef CT_ELEMENTWISE_H
#define CT_ELEMENTWISE_H

#include <stddef.h>

// in[c] and out[c] are the components of all arguments one after another, each `count` long, count a multiple of CT_LANES. Padding may hold
// anything finite. An output may be an input at the same place.
typedef void (*ct_elementwise_f32)(size_t count, const float *const *in, float *const *out);
typedef void (*ct_elementwise_f64)(size_t count, const double *const *in, double *const *out);

#endif

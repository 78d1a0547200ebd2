// parameters.h: numbers that steer a tree of pose sources, by name.
//
// Whoever updates the tree gives one number a slot; sources ask for the slot of each name once (ct_source_bind), never by name in a frame.
#ifndef CT_PARAMETERS_H
#define CT_PARAMETERS_H

#include "memory.h"
#include "status.h"

typedef struct ct_parameters {
    ct_allocator allocator;
    size_t count;
    char **names; // [count] UTF-8, in the order in which they were first asked for
} ct_parameters;

static inline ct_parameters ct_parameters_none(const ct_allocator *allocator) { return (ct_parameters){*allocator, 0, NULL}; }
void ct_parameters_release(ct_parameters *parameters);

// The slot of a name (NUL-terminated), a new one when nobody asked for it before. Fails: out of memory.
ct_status ct_parameters_slot(ct_parameters *parameters, const char *name, size_t *slot, ct_error *error);

// A number that is either fixed or a parameter.
typedef struct ct_amount {
    double fixed;
    const char *name; // NULL: fixed; borrowed from whoever made the amount
    size_t slot;      // of `name`, by ct_amount_bind
} ct_amount;

ct_status ct_amount_bind(ct_amount *amount, ct_parameters *parameters, ct_error *error);

static inline double ct_amount_of(const ct_amount *amount, const double *values)
{
    return amount->name ? values[amount->slot] : amount->fixed;
}

#endif

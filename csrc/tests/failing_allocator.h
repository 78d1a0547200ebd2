// failing_allocator.h: an allocator that counts the blocks that are out and fails when told to.
#ifndef CT_FAILING_ALLOCATOR_H
#define CT_FAILING_ALLOCATOR_H

#include <stdlib.h>

#include "memory.h"

typedef struct failing_allocator {
    size_t fail_at; // the call that fails, from 1; 0: none
    size_t calls;   // so far
    size_t live;    // blocks not yet released
} failing_allocator;

static inline void *failing_allocate(void *context, size_t bytes)
{
    failing_allocator *f = context;
    if (++f->calls == f->fail_at) return NULL;
    void *block = malloc(bytes);
    if (block) ++f->live;
    return block;
}

static inline void failing_release(void *context, void *block)
{
    failing_allocator *f = context;
    --f->live;
    free(block);
}

// `f` must outlive what was made with it.
static inline ct_allocator failing_allocator_use(failing_allocator *f) { return (ct_allocator){failing_allocate, failing_release, f}; }

#endif

// memory.h: where the core's memory comes from.
//
// Every constructor takes a ct_allocator and keeps a copy, so that what it made can be released without asking again. Blocks are
// aligned to CT_ALIGNMENT. Per-frame functions never allocate; worker threads never allocate.
#ifndef CT_MEMORY_H
#define CT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum { CT_ALIGNMENT = 64 };

// allocate returns NULL on failure; release takes what allocate returned (never NULL). Both may be called from the thread
// that constructs or destroys an object, never from a worker.
typedef struct ct_allocator {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *block);
    void *context;
} ct_allocator;

// malloc and free, for C programs and tests.
ct_allocator ct_allocator_default(void);

// *product = a * b; false when that does not fit.
bool ct_multiply(size_t a, size_t b, size_t *product);

// `count` things of `size` bytes, zeroed and aligned; NULL when out of memory or when the size overflows. A count of 0 gives a
// block that may be released but not read.
void *ct_allocate(const ct_allocator *allocator, size_t count, size_t size);

// The same without the zeroes, for large blocks that are written whole at once.
void *ct_allocate_raw(const ct_allocator *allocator, size_t count, size_t size);

// NULL is fine.
void ct_release(const ct_allocator *allocator, void *block);

// A block with room for `new_count` things of `size` bytes, the first `old_count` of them kept and the rest zeroed. On success the
// old block is gone; on failure it is untouched and NULL is returned.
void *ct_grow(const ct_allocator *allocator, void *block, size_t old_count, size_t new_count, size_t size);

#endif

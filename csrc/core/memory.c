#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // madvise
#endif
#include "memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

static void *default_allocate(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void default_release(void *context, void *block)
{
    (void)context;
    free(block);
}

ct_allocator ct_allocator_default(void) { return (ct_allocator){default_allocate, default_release, NULL}; }

bool ct_multiply(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b) return false;
    *product = a * b;
    return true;
}

// Large blocks hold clips, whose rows are read in any order: with large pages, most of those reads find their page's address at hand.
static void ask_for_large_pages(char *raw, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    enum { LARGE = 1 << 22, PAGE = 4096 };
    if (bytes < LARGE) return;
    size_t skipped = (PAGE - (uintptr_t)raw % PAGE) % PAGE;
    madvise(raw + skipped, bytes - skipped, MADV_HUGEPAGE); // a wish: nothing depends on its being granted
#else
    (void)raw;
    (void)bytes;
#endif
}

// The raw pointer stands just before the aligned block, so that release finds it.
void *ct_allocate_raw(const ct_allocator *allocator, size_t count, size_t size)
{
    size_t bytes;
    const size_t extra = CT_ALIGNMENT + sizeof(void *);
    if (!ct_multiply(count, size, &bytes) || bytes > SIZE_MAX - extra) return NULL;

    char *raw = allocator->allocate(allocator->context, bytes + extra);
    if (!raw) return NULL;
    ask_for_large_pages(raw, bytes + extra);
    uintptr_t start = (uintptr_t)raw + extra;
    char *block = raw + (extra - start % CT_ALIGNMENT);
    memcpy(block - sizeof raw, &raw, sizeof raw);
    return block;
}

void *ct_allocate(const ct_allocator *allocator, size_t count, size_t size)
{
    void *block = ct_allocate_raw(allocator, count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

void ct_release(const ct_allocator *allocator, void *block)
{
    if (!block) return;
    void *raw;
    memcpy(&raw, (char *)block - sizeof raw, sizeof raw);
    allocator->release(allocator->context, raw);
}

void *ct_grow(const ct_allocator *allocator, void *block, size_t old_count, size_t new_count, size_t size)
{
    assert(old_count <= new_count);
    void *grown = ct_allocate(allocator, new_count, size);
    if (!grown) return NULL;
    if (block) memcpy(grown, block, old_count * size);
    ct_release(allocator, block);
    return grown;
}

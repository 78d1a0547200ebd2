// parallel.h: one call's work on several threads.
//
// Work is cut into blocks that do not depend on the number of workers, so results have the same bits for any of them. Threads live for one
// call and take no signals. If one can't start, the others do its blocks; where there are no POSIX threads the caller does all. Workers
// must not allocate (the allocator may wait for a lock that the caller holds).
#ifndef CT_PARALLEL_H
#define CT_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

// Asked between blocks on the calling thread only, at most every few milliseconds; true stops the work. NULL never stops.
typedef struct ct_interrupt {
    bool (*asked)(void *context);
    void *context;
} ct_interrupt;

// Runs run(context, worker, block) for block = 0 .. block_count - 1. `worker` is below ct_worker_count(workers, block_count), and no two
// blocks run with the same worker at once, so scratch memory can be indexed by it. workers: 1 runs inline, -1 means all cores that this
// process may use, else that many (0 and others below -1 are the caller's mistake); never more than 256 or than blocks. Returns CT_OK or
// CT_INTERRUPTED, once all workers have stopped. When interrupted some blocks have not run.
typedef void (*ct_block)(void *context, size_t worker, size_t block);
ct_status ct_parallel(int workers, size_t block_count, ct_block run, void *context, const ct_interrupt *interrupt);

// How many workers ct_parallel uses at most; at least 1. Ask once and pass the answer on: the cores of a process may change.
size_t ct_worker_count(int workers, size_t block_count);

#endif

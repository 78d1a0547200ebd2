// Every block runs once, whoever runs it, and the caller can stop the work.
#include "parallel.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"
#if !defined(_WIN32)
#include <pthread.h>
#include <signal.h>
#endif

enum { BLOCKS = 1000, WORKERS = 5 };

typedef struct tally {
    unsigned char runs[BLOCKS];
    size_t per_worker[WORKERS]; // plain, so a thread checker sees two blocks of one worker at once
    double block_seconds;
} tally;

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count_block(void *context, size_t worker, size_t block)
{
    tally *t = context;
    ++t->runs[block];
    ++t->per_worker[worker];
    for (double start = seconds(); seconds() - start < t->block_seconds;) {
    }
}

static void test_every_block_runs_once(void)
{
    for (int workers = -1; workers <= WORKERS; ++workers) {
        if (workers == 0 || ct_worker_count(workers, BLOCKS) > WORKERS) continue;
        tally t = {.block_seconds = 0};
        CHECK(ct_parallel(workers, BLOCKS, count_block, &t, NULL) == CT_OK);
        size_t total = 0;
        for (int i = 0; i < WORKERS; ++i) total += t.per_worker[i];
        CHECK(total == BLOCKS);
        CHECK(memchr(t.runs, 0, BLOCKS) == NULL && memchr(t.runs, 2, BLOCKS) == NULL);
    }
    tally none = {.block_seconds = 0};
    CHECK(ct_parallel(3, 0, count_block, &none, NULL) == CT_OK && none.runs[0] == 0);
}

static void test_workers_are_never_more_than_blocks(void)
{
    CHECK(ct_worker_count(1, 100) == 1);
    CHECK(ct_worker_count(7, 3) == 3);
    CHECK(ct_worker_count(7, 0) == 1);
    CHECK(ct_worker_count(100000, 100000) == 256);
    CHECK(ct_worker_count(-1, 1000) >= 1);
}

static bool stop_at_once(void *context)
{
    ++*(int *)context;
    return true;
}

static bool never_stop(void *context)
{
    ++*(int *)context;
    return false;
}

static void test_an_interrupt_stops_the_work(void)
{
    for (int workers = 1; workers <= 2; ++workers) {
        int asked = 0;
        ct_interrupt interrupt = {stop_at_once, &asked};
        tally t = {.block_seconds = 2e-3};
        CHECK(ct_parallel(workers, BLOCKS, count_block, &t, &interrupt) == CT_INTERRUPTED);
        CHECK(asked == 1);
        CHECK(t.runs[BLOCKS - 1] == 0);
    }
}

static void test_short_work_is_not_held_up_by_questions(void)
{
    int asked = 0;
    ct_interrupt interrupt = {never_stop, &asked};
    tally t = {.block_seconds = 20e-6};
    double start = seconds();
    CHECK(ct_parallel(1, BLOCKS, count_block, &t, &interrupt) == CT_OK);
    CHECK(asked <= (seconds() - start) / 5e-3);
    CHECK(asked >= 1);
}

#if !defined(_WIN32)
enum { UNSEEN = -1 };

// Leaves a block to the other worker, however late that one starts.
static void note_signal_mask(void *context, size_t worker, size_t block)
{
    (void)block;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    atomic_int *seen = context; // [2]: SIGINT blocked on the caller, on another worker
    seen[worker] = sigismember(&mask, SIGINT);
    for (double start = seconds(); seen[1 - worker] == UNSEEN && seconds() - start < 60;) {
    }
}

static void test_signals_go_to_the_caller(void)
{
    atomic_int seen[2] = {UNSEEN, UNSEEN};
    CHECK(ct_parallel(2, 2, note_signal_mask, seen, NULL) == CT_OK);
    CHECK(seen[0] == 0 && seen[1] == 1);

    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    CHECK(sigismember(&mask, SIGINT) == 0);
}
#endif

int main(void)
{
    test_every_block_runs_once();
    test_workers_are_never_more_than_blocks();
    test_an_interrupt_stops_the_work();
    test_short_work_is_not_held_up_by_questions();
#if !defined(_WIN32)
    test_signals_go_to_the_caller();
#endif
    return check_report();
}

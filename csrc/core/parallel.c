#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "parallel.h"

#include <assert.h>
#include <stdatomic.h>
#include <time.h>

#if !defined(_WIN32)
#define CT_THREADS 1
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>
#endif

enum { MAX_WORKERS = 256 };
#define POLL_SECONDS 5e-3

typedef struct job {
    ct_block run;
    void *context;
    size_t block_count;
    atomic_size_t next_block;
    atomic_bool stopped;
} job;

// False when no block is left or the work was stopped.
static bool take_block(job *j, size_t *block)
{
    if (atomic_load_explicit(&j->stopped, memory_order_relaxed)) return false;
    *block = atomic_fetch_add_explicit(&j->next_block, 1, memory_order_relaxed);
    return *block < j->block_count;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The calling thread's share, as worker 0. The wall clock may jump; then it asks once too often.
static void work_and_poll(job *j, const ct_interrupt *interrupt)
{
    double asked_at = interrupt ? now() : 0;
    for (size_t block; take_block(j, &block);) {
        j->run(j->context, 0, block);
        if (!interrupt) continue;

        double time = now();
        if (time >= asked_at && time - asked_at < POLL_SECONDS) continue;
        asked_at = time;
        if (interrupt->asked(interrupt->context)) atomic_store_explicit(&j->stopped, true, memory_order_relaxed);
    }
}

#ifdef CT_THREADS

typedef struct crew_member {
    job *job;
    size_t worker;
    pthread_t thread;
} crew_member;

static void *work(void *argument)
{
    crew_member *member = argument;
    for (size_t block; take_block(member->job, &block);) member->job->run(member->job->context, member->worker, block);
    return NULL;
}

// Starts workers 1 .. count - 1 and returns how many started. Signals stay with the caller's threads, faults of the code itself apart.
static size_t start_crew(job *j, crew_member *crew, size_t count)
{
    sigset_t blocked, before;
    sigfillset(&blocked);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);

    size_t started = 0;
    while (started + 1 < count) {
        crew[started] = (crew_member){.job = j, .worker = started + 1};
        if (pthread_create(&crew[started].thread, NULL, work, &crew[started]) != 0) break;
        ++started;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static size_t core_count(void)
{
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return (size_t)CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

#else

static size_t core_count(void) { return 1; }

#endif

size_t ct_worker_count(int workers, size_t block_count)
{
    assert(workers == -1 || workers >= 1);
    size_t count = workers == 1 ? 1 : workers == -1 ? core_count() : (size_t)workers;
    if (count > MAX_WORKERS) count = MAX_WORKERS;
    if (count > block_count) count = block_count;
    return count > 0 ? count : 1;
}

ct_status ct_parallel(int workers, size_t block_count, ct_block run, void *context, const ct_interrupt *interrupt)
{
    job j = {.run = run, .context = context, .block_count = block_count};
#ifdef CT_THREADS
    crew_member crew[MAX_WORKERS];
    size_t count = ct_worker_count(workers, block_count);
    size_t started = count > 1 ? start_crew(&j, crew, count) : 0;
    work_and_poll(&j, interrupt);
    for (size_t i = 0; i < started; ++i) pthread_join(crew[i].thread, NULL);
#else
    (void)workers;
    work_and_poll(&j, interrupt);
#endif
    return atomic_load_explicit(&j.stopped, memory_order_relaxed) ? CT_INTERRUPTED : CT_OK;
}

/* See autodeploy_pool.h.
 *
 * One word, the state, says whether a loop is open, which one, and how many threads have joined it.
 * A thread joins by adding one to a state that is open, so the description of a loop is only read
 * between joining and leaving; the caller closes the loop when no iteration is left to take, waits
 * until all that joined have left, and only then writes the next one. Threads that sleep or come
 * late are never waited for.
 *
 * Each thread has a share of the iterations, which are neighbours. Loops with the same number of
 * iterations have the same shares: rows that a thread wrote in one kernel are then in its cache when
 * it reads them in the next one. A thread that is done with its own share helps with the others'.
 *
 * A thread that goes to sleep counts itself first and looks at the state once more; who opens a
 * loop changes the state first and looks at the count then. All accesses have one order, so one of
 * the two sees the other, and no loop is slept through.
 *
 * A fork copies the memory of a pool but not its threads. The child sees that another process has
 * started the pool, and leaves alone what a thread may have held in that moment: locks, conditions
 * and the state.
 */
#if !defined(_GNU_SOURCE) && defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#elif !defined(_POSIX_C_SOURCE) && !defined(__linux__) && !defined(__APPLE__)
#define _POSIX_C_SOURCE 200112L
#endif

#include "autodeploy_pool.h"

#include "autodeploy_float_mode.h"
#include "autodeploy_shared.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#if !defined(_WIN32)
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

enum {
    /* Bytes that no two threads' data share. */
    LINE = 128,
    /* How long threads watch for work before they sleep. */
    WATCH_NANOSECONDS = 50000,
    /* Looks at the state between two looks at the clock. */
    LOOKS = 32,
    /* The number of portions in which a share is taken. */
    PORTIONS = 8,
    /* Stack of a thread: kernels keep no more than some tens of kilobytes there. */
    STACK_BYTES = 1 << 20
};

/* The state: from bit 0 the number of threads that joined, then two flags, then the loop's number. */
#define JOINED 0xfffU
#define OPEN 0x1000U
#define STOPPED 0x2000U
#define NEXT_LOOP 0x4000U

/* The iterations that one thread begins with, on a line of their own. */
typedef struct share {
    shared next; /* the first that nobody has taken; may exceed end */
    unsigned end;
    unsigned char behind[LINE];
} share;

/* One thread besides the caller's. */
typedef struct worker {
    autodeploy_runtime runtime;
    autodeploy_pool *pool;
    unsigned number; /* the caller is 0 */
    pthread_t thread;
    int code; /* what its first failing iteration of this loop returned */
    unsigned char behind[LINE];
} worker;

struct autodeploy_pool {
    /* The loop that is open; written while nobody has joined. */
    autodeploy_task task;
    uint8_t *closure;
    int first;
    unsigned portion;
    autodeploy_float_mode mode; /* of the caller */
    unsigned share_count; /* that are not empty */
    share *shares; /* one for each thread */
    int thread_count;

    autodeploy_runtime *caller;
    worker *workers;
    int worker_count;
#if !defined(_WIN32)
    pid_t process; /* that has the workers */
#endif

    pthread_mutex_t lock; /* of the two conditions */
    pthread_cond_t opened;
    pthread_cond_t left;
    shared sleepers; /* workers that wait for `opened`, or are about to */
    shared waiting; /* 1 while the caller waits for `left`, or is about to */

    /* What all threads write while they work, on a line of its own. */
    unsigned char before_state[LINE];
    shared state;
    unsigned char behind_state[LINE];
};

/* ---- Watching ------------------------------------------------------------------------------ */

/* Leave the core to its other hardware thread for a moment. */
static void relax(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __asm__ __volatile__("pause");
#elif defined(__GNUC__) && (defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 7))
    __asm__ __volatile__("yield");
#endif
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
}

/* Tell whether a worker that has seen loop `seen` has something to do. */
static int has_news(unsigned state, unsigned seen)
{
    return (state & STOPPED) != 0 || ((state & OPEN) != 0 && state / NEXT_LOOP != seen);
}

static int has_left(unsigned state)
{
    return (state & JOINED) == 0;
}

/* Look at the state for a while: until there are news for a worker, or, without `seen`, until all
 * have left. Returns the last state. */
static unsigned watch(autodeploy_pool *pool, const unsigned *seen)
{
    int64_t end = 0;
    int looks = 0;
    for (;;) {
        const unsigned state = load(&pool->state);
        if (seen != NULL ? has_news(state, *seen) : has_left(state)) {
            return state;
        }
        if (++looks % LOOKS == 0) {
            const int64_t now = nanoseconds();
            if (looks == LOOKS) {
                end = now + WATCH_NANOSECONDS;
            } else if (now >= end) {
                return state;
            }
        }
        relax();
    }
}

/* ---- Work ---------------------------------------------------------------------------------- */

/* Leave no iteration to take. */
static void empty_shares(autodeploy_pool *pool)
{
    unsigned i;
    for (i = 0; i < pool->share_count; ++i) {
        store(&pool->shares[i].next, pool->shares[i].end);
    }
}

/* Take iterations of a share until none is left; returns 0, or what a failing one returned. */
static int work_on(autodeploy_pool *pool, autodeploy_runtime *runtime, share *from)
{
    for (;;) {
        unsigned index = add(&from->next, pool->portion);
        unsigned end = index + pool->portion;
        if (index >= from->end) {
            return 0;
        }
        if (end > from->end) {
            end = from->end;
        }
        for (; index < end; ++index) {
            /* In unsigned numbers: a loop may start below zero. */
            const int code =
                pool->task(runtime, (int)((unsigned)pool->first + index), pool->closure);
            if (code != 0) {
                empty_shares(pool);
                return code;
            }
        }
    }
}

/* Work on the share of a thread, then on those of others; returns 0, or what a failing iteration
 * returned. */
static int work(autodeploy_pool *pool, autodeploy_runtime *runtime, unsigned number)
{
    const unsigned count = pool->share_count;
    unsigned i;
    for (i = 0; i < count; ++i) {
        const int code = work_on(pool, runtime, &pool->shares[(number + i) % count]);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Count this thread among those that work; 0 where the loop is closed by now. */
static int join(autodeploy_pool *pool)
{
    for (;;) {
        const unsigned state = load(&pool->state);
        if ((state & OPEN) == 0) {
            return 0;
        }
        if (replace(&pool->state, state, state + 1)) {
            return 1;
        }
    }
}

static void leave(autodeploy_pool *pool)
{
    const unsigned state = add(&pool->state, (unsigned)-1) - 1;
    if (has_left(state) && load(&pool->waiting) != 0) {
        (void)pthread_mutex_lock(&pool->lock);
        (void)pthread_cond_signal(&pool->left);
        (void)pthread_mutex_unlock(&pool->lock);
    }
}

/* Return the state when there are news for a worker. */
static unsigned await_news(autodeploy_pool *pool, unsigned seen)
{
    unsigned state = watch(pool, &seen);
    if (has_news(state, seen)) {
        return state;
    }
    (void)pthread_mutex_lock(&pool->lock);
    (void)add(&pool->sleepers, 1);
    state = load(&pool->state);
    while (!has_news(state, seen)) {
        (void)pthread_cond_wait(&pool->opened, &pool->lock);
        state = load(&pool->state);
    }
    (void)add(&pool->sleepers, (unsigned)-1);
    (void)pthread_mutex_unlock(&pool->lock);
    return state;
}

static void *run_worker(void *argument)
{
    worker *const self = (worker *)argument;
    autodeploy_pool *const pool = self->pool;
    unsigned seen = 0;
    for (;;) {
        const unsigned state = await_news(pool, seen);
        if ((state & STOPPED) != 0) {
            return NULL;
        }
        seen = state / NEXT_LOOP;
        if (join(pool)) {
            int code;
            /* Results do not depend on which thread computes them. */
            autodeploy_float_mode_write(pool->mode);
            code = work(pool, &self->runtime, self->number);
            if (code != 0) {
                self->code = code;
            }
            leave(pool);
        }
    }
}

/* ---- Loops --------------------------------------------------------------------------------- */

/* Wake as many sleepers as there is work for. */
static void wake(autodeploy_pool *pool, unsigned wanted)
{
    unsigned sleepers = load(&pool->sleepers);
    if (sleepers == 0) {
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    if (sleepers <= wanted) {
        (void)pthread_cond_broadcast(&pool->opened);
    } else {
        for (; wanted > 0; --wanted) {
            (void)pthread_cond_signal(&pool->opened);
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

/* Return when all that joined the loop, which is closed, have left. */
static void await_workers(autodeploy_pool *pool)
{
    if (has_left(watch(pool, NULL))) {
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    store(&pool->waiting, 1);
    while (!has_left(load(&pool->state))) {
        (void)pthread_cond_wait(&pool->left, &pool->lock);
    }
    store(&pool->waiting, 0);
    (void)pthread_mutex_unlock(&pool->lock);
}

/* Hand the first error of the workers on and make them forget theirs; returns its code, or 0. */
static int collect_error(autodeploy_pool *pool)
{
    int code = 0;
    int i;
    for (i = 0; i < pool->worker_count; ++i) {
        worker *const at = &pool->workers[i];
        if (at->code == 0) {
            continue;
        }
        if (code == 0) {
            code = at->code;
            if (at->runtime.failed) {
                halide_error(pool->caller, at->runtime.message);
            }
        }
        at->code = 0;
        autodeploy_runtime_reset(&at->runtime);
    }
    return code;
}

/* Share `count` iterations out. Nobody else looks at the shares now. */
static void share_out(autodeploy_pool *pool, unsigned count)
{
    const unsigned threads = (unsigned)pool->thread_count;
    const unsigned shares = count < threads ? count : threads;
    unsigned i, begin = 0;
    pool->share_count = shares;
    pool->portion = count / (shares * PORTIONS);
    if (pool->portion == 0) {
        pool->portion = 1;
    }
    for (i = 0; i < shares; ++i) {
        const unsigned end = (unsigned)((uint64_t)count * (i + 1) / shares);
        set_alone(&pool->shares[i].next, begin);
        pool->shares[i].end = end;
        begin = end;
    }
}

/* An autodeploy_parallel_for. */
static int run_loop(autodeploy_runtime *runtime, autodeploy_task task, int first, int count,
                    uint8_t *closure)
{
    autodeploy_pool *const pool = (autodeploy_pool *)runtime->pool;
    unsigned state;
    int code, other;

    /* What runs inside of an iteration of this loop runs alone. */
    runtime->parallel_for = NULL;
    if (count <= 1) {
        code = halide_do_par_for(runtime, task, first, count, closure);
        runtime->parallel_for = run_loop;
        return code;
    }
    pool->task = task;
    pool->closure = closure;
    pool->first = first;
    pool->mode = autodeploy_float_mode_read();
    share_out(pool, (unsigned)count);
    state = load(&pool->state);
    store(&pool->state, (state / NEXT_LOOP + 1) * NEXT_LOOP + OPEN);
    wake(pool, (unsigned)count - 1);

    code = work(pool, runtime, 0);
    (void)add(&pool->state, 0U - OPEN);
    await_workers(pool);
    other = collect_error(pool);
    runtime->parallel_for = run_loop;
    return code != 0 ? code : other;
}

/* ---- Life of a pool ------------------------------------------------------------------------ */

static size_t rounded(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

int autodeploy_pool_processors(void)
{
    long count = 0;
#if defined(__linux__)
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        count = CPU_COUNT(&allowed);
    }
#endif
#if defined(_SC_NPROCESSORS_ONLN)
    if (count < 1) {
        count = sysconf(_SC_NPROCESSORS_ONLN);
    }
#elif defined(_WIN32)
    count = pthread_num_processors_np();
#endif
    return count < 1 ? 1 : count > INT_MAX ? INT_MAX : (int)count;
}

/* Tell whether a fork has left the workers in another process. Windows has no fork. */
static int is_copy(const autodeploy_pool *pool)
{
#if defined(_WIN32)
    (void)pool;
    return 0;
#else
    return pool->process != getpid();
#endif
}

size_t autodeploy_pool_bytes(int threads, size_t scratch_bytes)
{
    size_t workers;
    if (threads < 2 || threads > AUTODEPLOY_POOL_MAX_THREADS) {
        return 0;
    }
    workers = (size_t)threads - 1;
    if (scratch_bytes > (size_t)-1 / 2 / workers - LINE) {
        return 0;
    }
    return LINE + rounded(sizeof(autodeploy_pool)) + rounded((workers + 1) * sizeof(share)) +
           rounded(workers * sizeof(worker)) + workers * rounded(scratch_bytes);
}

/* Set up what threads share; not 0 where the system has no more of it. */
static int init_shared(autodeploy_pool *pool)
{
    int i, failed = pthread_mutex_init(&pool->lock, NULL);
    failed |= pthread_cond_init(&pool->opened, NULL);
    failed |= pthread_cond_init(&pool->left, NULL);
    failed |= shared_init(&pool->sleepers);
    failed |= shared_init(&pool->waiting);
    failed |= shared_init(&pool->state);
    for (i = 0; i < pool->thread_count; ++i) {
        failed |= shared_init(&pool->shares[i].next);
    }
    return failed;
}

/* Start the workers; worker_count becomes the number of those that run. Signals of the process go
 * to its other threads. */
static void start_workers(autodeploy_pool *pool, int count)
{
    pthread_attr_t attributes;
#if !defined(_WIN32)
    sigset_t all, before;
#endif
    if (pthread_attr_init(&attributes) != 0) {
        return;
    }
    /* Where the system wants more for a stack it keeps to its own size. */
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
#if !defined(_WIN32)
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
#endif
    while (pool->worker_count < count) {
        worker *const next = &pool->workers[pool->worker_count];
        if (pthread_create(&next->thread, &attributes, run_worker, next) != 0) {
            break;
        }
        ++pool->worker_count;
    }
#if !defined(_WIN32)
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
    (void)pthread_attr_destroy(&attributes);
}

autodeploy_pool *autodeploy_pool_start(void *memory, int threads, size_t scratch_bytes,
                                       autodeploy_runtime *runtime)
{
    unsigned char *at = (unsigned char *)memory;
    autodeploy_pool *pool;
    int i;
    if (autodeploy_pool_bytes(threads, scratch_bytes) == 0) {
        return NULL;
    }
    at += (LINE - (uintptr_t)at % LINE) % LINE;
    pool = (autodeploy_pool *)(void *)at;
    memset(pool, 0, sizeof *pool);
    pool->caller = runtime;
    pool->thread_count = threads;
#if !defined(_WIN32)
    pool->process = getpid();
#endif
    at += rounded(sizeof *pool);
    pool->shares = (share *)(void *)at;
    memset(pool->shares, 0, (size_t)threads * sizeof(share));
    at += rounded((size_t)threads * sizeof(share));
    pool->workers = (worker *)(void *)at;
    at += rounded((size_t)(threads - 1) * sizeof(worker));
    for (i = 0; i < threads - 1; ++i) {
        worker *const next = &pool->workers[i];
        memset(next, 0, sizeof *next);
        next->pool = pool;
        next->number = (unsigned)i + 1;
        autodeploy_runtime_init(&next->runtime, at, scratch_bytes);
        at += rounded(scratch_bytes);
    }
    if (init_shared(pool) != 0) {
        return NULL;
    }
    start_workers(pool, threads - 1);
    runtime->pool = pool;
    runtime->parallel_for = run_loop;
    if (pool->worker_count < threads - 1) {
        autodeploy_pool_stop(pool);
        return NULL;
    }
    return pool;
}

void autodeploy_pool_enter(autodeploy_pool *pool)
{
    if (pool != NULL && is_copy(pool)) {
        pool->caller->parallel_for = NULL;
#if !defined(_WIN32)
        pool->process = 0; /* of no process: a number may be given to a grandchild again */
#endif
    }
}

void autodeploy_pool_stop(autodeploy_pool *pool)
{
    int i;
    if (pool == NULL) {
        return;
    }
    pool->caller->parallel_for = NULL;
    pool->caller->pool = NULL;
    if (is_copy(pool)) {
        return;
    }
    (void)add(&pool->state, STOPPED);
    (void)pthread_mutex_lock(&pool->lock);
    (void)pthread_cond_broadcast(&pool->opened);
    (void)pthread_mutex_unlock(&pool->lock);
    for (i = 0; i < pool->worker_count; ++i) {
        (void)pthread_join(pool->workers[i].thread, NULL);
    }
    for (i = 0; i < pool->thread_count; ++i) {
        shared_destroy(&pool->shares[i].next);
    }
    shared_destroy(&pool->state);
    shared_destroy(&pool->waiting);
    shared_destroy(&pool->sleepers);
    (void)pthread_cond_destroy(&pool->left);
    (void)pthread_cond_destroy(&pool->opened);
    (void)pthread_mutex_destroy(&pool->lock);
}

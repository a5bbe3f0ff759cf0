/* Numbers that threads share: every access is whole, and all of them have one order.
 *
 * C99 has no such thing. GCC and Clang have it built in; for other compilers, and where
 * AUTODEPLOY_WITHOUT_ATOMICS is defined, each number has a lock. For one source file to include.
 */
#ifndef AUTODEPLOY_SHARED_H
#define AUTODEPLOY_SHARED_H

#include <pthread.h>

#if !defined(__GNUC__) && !defined(AUTODEPLOY_WITHOUT_ATOMICS)
#define AUTODEPLOY_WITHOUT_ATOMICS
#endif

#if defined(AUTODEPLOY_WITHOUT_ATOMICS)

/* A number that threads share. */
typedef struct shared {
    unsigned value;
    pthread_mutex_t lock;
} shared;

static int shared_init(shared *number)
{
    number->value = 0;
    return pthread_mutex_init(&number->lock, NULL);
}

static void shared_destroy(shared *number)
{
    (void)pthread_mutex_destroy(&number->lock);
}

static unsigned load(shared *number)
{
    unsigned value;
    (void)pthread_mutex_lock(&number->lock);
    value = number->value;
    (void)pthread_mutex_unlock(&number->lock);
    return value;
}

static void store(shared *number, unsigned value)
{
    (void)pthread_mutex_lock(&number->lock);
    number->value = value;
    (void)pthread_mutex_unlock(&number->lock);
}

/* Add to a number and return what it was. */
static unsigned add(shared *number, unsigned difference)
{
    unsigned value;
    (void)pthread_mutex_lock(&number->lock);
    value = number->value;
    number->value = value + difference;
    (void)pthread_mutex_unlock(&number->lock);
    return value;
}

/* Change a number that is `expected`; tell whether it was. */
static int replace(shared *number, unsigned expected, unsigned value)
{
    int same;
    (void)pthread_mutex_lock(&number->lock);
    same = number->value == expected;
    if (same) {
        number->value = value;
    }
    (void)pthread_mutex_unlock(&number->lock);
    return same;
}

#else

/* A number that threads share. */
typedef struct shared {
    unsigned value;
} shared;

static int shared_init(shared *number)
{
    number->value = 0;
    return 0;
}

static void shared_destroy(shared *number)
{
    (void)number;
}

static unsigned load(shared *number)
{
    return __atomic_load_n(&number->value, __ATOMIC_SEQ_CST);
}

static void store(shared *number, unsigned value)
{
    __atomic_store_n(&number->value, value, __ATOMIC_SEQ_CST);
}

/* Add to a number and return what it was. */
static unsigned add(shared *number, unsigned difference)
{
    return __atomic_fetch_add(&number->value, difference, __ATOMIC_SEQ_CST);
}

/* Change a number that is `expected`; tell whether it was. */
static int replace(shared *number, unsigned expected, unsigned value)
{
    return __atomic_compare_exchange_n(
        &number->value, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#endif

/* Set a number at which no other thread looks until it is told so by another number. */
static void set_alone(shared *number, unsigned value)
{
    number->value = value;
}

#endif

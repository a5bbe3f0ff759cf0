/* Natural numbers of up to 4096 bits: binary numbers as decimal ones, and back, are exact in them. */
#ifndef AUTODEPLOY_NATURAL_H
#define AUTODEPLOY_NATURAL_H

#include <stddef.h>
#include <stdint.h>

enum { AUTODEPLOY_NATURAL_WORDS = 128 };

/* The lowest word is the first one, and the last one of those in use is not 0. */
typedef struct {
    uint32_t words[AUTODEPLOY_NATURAL_WORDS];
    size_t used;
} autodeploy_natural;

/* Multiply a number, and add to it. */
static inline void autodeploy_natural_scale(autodeploy_natural *number, uint32_t factor,
                                            uint32_t more)
{
    uint64_t carry = more;
    size_t i;
    for (i = 0; i < number->used; ++i) {
        carry += (uint64_t)number->words[i] * factor;
        number->words[i] = (uint32_t)(carry & 0xFFFFFFFFU);
        carry >>= 32;
    }
    if (carry != 0 && number->used < AUTODEPLOY_NATURAL_WORDS) {
        number->words[number->used++] = (uint32_t)carry;
    }
}

/* Multiply a number by a power: of 2, or of 10. */
static inline void autodeploy_natural_raise(autodeploy_natural *number, uint32_t base, int32_t power)
{
    for (; base == 2 && power >= 31; power -= 31) {
        autodeploy_natural_scale(number, 1U << 31, 0);
    }
    for (; power > 0; --power) {
        autodeploy_natural_scale(number, base, 0);
    }
}

static inline autodeploy_natural autodeploy_natural_of(uint64_t value)
{
    autodeploy_natural number;
    number.words[0] = (uint32_t)(value & 0xFFFFFFFFU);
    number.words[1] = (uint32_t)(value >> 32);
    number.used = value >> 32 != 0 ? 2 : value != 0 ? 1 : 0;
    return number;
}

static inline int32_t autodeploy_natural_bits(const autodeploy_natural *number)
{
    uint32_t last = number->used > 0 ? number->words[number->used - 1] : 0;
    int32_t bits = 32 * (int32_t)number->used - (number->used > 0 ? 32 : 0);
    for (; last != 0; last >>= 1) {
        ++bits;
    }
    return bits;
}

/* Less than 0, 0 or more, as the first number is less than the second, equal or more. */
static inline int autodeploy_natural_compare(const autodeploy_natural *first,
                                             const autodeploy_natural *second)
{
    size_t i = first->used;
    if (first->used != second->used) {
        return first->used < second->used ? -1 : 1;
    }
    while (i > 0 && first->words[i - 1] == second->words[i - 1]) {
        --i;
    }
    return i == 0 ? 0 : first->words[i - 1] < second->words[i - 1] ? -1 : 1;
}

/* Subtract the second number if the first one is not less; returns whether it was. */
static inline int autodeploy_natural_take(autodeploy_natural *first,
                                          const autodeploy_natural *second)
{
    uint64_t borrow = 0;
    size_t i;
    if (autodeploy_natural_compare(first, second) < 0) {
        return 0;
    }
    for (i = 0; i < first->used; ++i) {
        const uint64_t less = (i < second->used ? second->words[i] : 0) + borrow;
        borrow = first->words[i] < less;
        first->words[i] = (uint32_t)((first->words[i] - less) & 0xFFFFFFFFU);
    }
    while (first->used > 0 && first->words[first->used - 1] == 0) {
        --first->used;
    }
    return 1;
}

#endif

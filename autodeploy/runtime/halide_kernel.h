/* What kernels as C99 source are written with: buffers, scratch memory, functions.
 *
 * A kernel computes what the same kernel as an object file does:
 *
 * - Integers wrap when they overflow: compile kernels with -fwrapv, which GCC is told here.
 * - A maximum and a minimum are their second operand where either is nan.
 * - Products and sums are rounded one by one. Only a product that is added to a sum of products is
 *   not rounded before, where the machine has an instruction for that.
 */
#ifndef AUTODEPLOY_HALIDE_KERNEL_H
#define AUTODEPLOY_HALIDE_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "kernels need floating point as IEEE 754 defines it: compile them without -ffast-math"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "wrapv")
#endif

#if defined(__GNUC__)
#define HALIDE_KERNEL_INLINE static inline __attribute__((always_inline, unused))
/* A kernel without elements reads none of its buffers. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#if !defined(__clang__)
/* Halide computes nothing that a choice leaves out, and reads its place all the same. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#else
#define HALIDE_KERNEL_INLINE static inline
#endif

/* A tensor in memory, laid out as in halide_buffer.h. */
typedef struct halide_dimension_t {
    int32_t min, extent, stride;
    uint32_t flags;
} halide_dimension_t;

struct halide_buffer_t {
    uint64_t device;
    const void *device_interface;
    uint8_t *host;
    uint64_t flags;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } type;
    int32_t dimensions;
    halide_dimension_t *dim;
    void *padding;
};

/* The runtime that the program brings: see halide_runtime.h. */
void *halide_malloc(void *user_context, size_t bytes);
void halide_free(void *user_context, void *pointer);

HALIDE_KERNEL_INLINE float float_from_bits(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

HALIDE_KERNEL_INLINE double double_from_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

HALIDE_KERNEL_INLINE uint32_t bits_from_float(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

HALIDE_KERNEL_INLINE uint64_t bits_from_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

HALIDE_KERNEL_INLINE float nan_f32(void)
{
    return float_from_bits(0x7fc00000U);
}

HALIDE_KERNEL_INLINE float inf_f32(void)
{
    return float_from_bits(0x7f800000U);
}

HALIDE_KERNEL_INLINE float neg_inf_f32(void)
{
    return float_from_bits(0xff800000U);
}

HALIDE_KERNEL_INLINE bool is_nan_f32(float x)
{
    return x != x;
}

HALIDE_KERNEL_INLINE bool is_nan_f64(double x)
{
    return x != x;
}

/* a * b + c for sums of products. Machines that round it once do so by one instruction. */
HALIDE_KERNEL_INLINE float multiply_add_float(float a, float b, float c)
{
#if defined(__FP_FAST_FMAF) || defined(__FMA__) || \
    (defined(__ARM_FEATURE_FMA) && defined(__ARM_FP) && (__ARM_FP & 4))
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

HALIDE_KERNEL_INLINE double multiply_add_double(double a, double b, double c)
{
#if defined(__FP_FAST_FMA) || defined(__FMA__) || \
    (defined(__ARM_FEATURE_FMA) && defined(__ARM_FP) && (__ARM_FP & 8))
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* sum + a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3].
 *
 * ARM's DSP extension adds two products of 16-bit numbers at a time. It widens bytes 0 and 2 of a
 * word, or, as a word is rotated, bytes 1 and 3. GCC makes two instructions of a rotation in C. */
#if defined(__ARM_FEATURE_DSP) && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 10))
#include <arm_acle.h>
#if defined(__clang__)
#define HALIDE_KERNEL_ODD_BYTES(extend, pair, word) pair = (int32_t)__##extend((word) >> 8)
#else
#define HALIDE_KERNEL_ODD_BYTES(extend, pair, word) \
    __asm__(#extend " %0, %1, ror #8" : "=r"(pair) : "r"(word))
#endif
#define HALIDE_KERNEL_DOT(name, element, extend)                                       \
    HALIDE_KERNEL_INLINE int32_t name(const element *a, const int8_t *b, int32_t sum)  \
    {                                                                                  \
        uint32_t one, other;                                                           \
        int32_t x, y;                                                                  \
        memcpy(&one, a, sizeof one);                                                   \
        memcpy(&other, b, sizeof other);                                               \
        HALIDE_KERNEL_ODD_BYTES(extend, x, one);                                       \
        HALIDE_KERNEL_ODD_BYTES(sxtb16, y, other);                                     \
        sum = __smlad((int32_t)__##extend(one), (int32_t)__sxtb16(other), sum);        \
        return __smlad(x, y, sum);                                                     \
    }
#else
#define HALIDE_KERNEL_DOT(name, element, extend)                                       \
    HALIDE_KERNEL_INLINE int32_t name(const element *a, const int8_t *b, int32_t sum)  \
    {                                                                                  \
        return sum + a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];            \
    }
#endif

HALIDE_KERNEL_DOT(dot_int8, int8_t, sxtb16)
HALIDE_KERNEL_DOT(dot_uint8, uint8_t, uxtb16)

#undef HALIDE_KERNEL_DOT

#define HALIDE_KERNEL_FUNCTION(name)               \
    HALIDE_KERNEL_INLINE float name##_f32(float x) \
    {                                              \
        return name##f(x);                         \
    }                                              \
    HALIDE_KERNEL_INLINE double name##_f64(double x) \
    {                                              \
        return name(x);                            \
    }

HALIDE_KERNEL_FUNCTION(ceil)
HALIDE_KERNEL_FUNCTION(cos)
HALIDE_KERNEL_FUNCTION(exp)
HALIDE_KERNEL_FUNCTION(floor)
HALIDE_KERNEL_FUNCTION(log)
HALIDE_KERNEL_FUNCTION(sin)
HALIDE_KERNEL_FUNCTION(sqrt)
HALIDE_KERNEL_FUNCTION(tanh)
HALIDE_KERNEL_FUNCTION(trunc)

#undef HALIDE_KERNEL_FUNCTION

HALIDE_KERNEL_INLINE float pow_f32(float x, float y)
{
    return powf(x, y);
}

HALIDE_KERNEL_INLINE double pow_f64(double x, double y)
{
    return pow(x, y);
}

#endif

/* The floating-point mode of a thread: how it rounds, which exceptions trap, and whether subnormal
 * numbers are flushed.
 *
 * A subnormal number is not zero, and its magnitude is below that of the smallest number of full
 * precision: 1.2e-38 for floats of 32 bits, 2.2e-308 for those of 64. Arithmetic on such numbers
 * takes many times as long on most processors. A thread that flushes them takes a subnormal operand
 * for zero and returns zero for a subnormal result, of the same sign. Floats of 16 bits whose
 * exponent has five bits (float16) are never flushed: kernels compute with them in 32 bits, where
 * their subnormal numbers are ordinary ones.
 *
 * There are modes on x86-64, on AArch64 and on 32-bit ARM with a floating-point unit (whose vector
 * instructions always flush). On any other machine, or with a compiler that gives no access to the
 * mode, these functions do nothing.
 */
#ifndef AUTODEPLOY_FLOAT_MODE_H
#define AUTODEPLOY_FLOAT_MODE_H

#include <stdint.h>

#if (defined(__x86_64__) && defined(__SSE__)) || defined(_M_X64)
#define AUTODEPLOY_FLOAT_MODE_X86
#include <xmmintrin.h>
#elif defined(__GNUC__) && defined(__aarch64__)
#define AUTODEPLOY_FLOAT_MODE_AARCH64
#elif defined(__GNUC__) && defined(__arm__) && defined(__ARM_FP) && \
    (!defined(__thumb__) || defined(__thumb2__))
#define AUTODEPLOY_FLOAT_MODE_ARM
#endif

/* Control bits, and the flags of the exceptions that have been met. */
typedef uint64_t autodeploy_float_mode;

/* Return the mode of this thread. */
static inline autodeploy_float_mode autodeploy_float_mode_read(void)
{
#if defined(AUTODEPLOY_FLOAT_MODE_X86)
    return _mm_getcsr();
#elif defined(AUTODEPLOY_FLOAT_MODE_AARCH64)
    uint64_t control, flags;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control) : : "memory");
    __asm__ __volatile__("mrs %0, fpsr" : "=r"(flags) : : "memory");
    return control | flags << 32;
#elif defined(AUTODEPLOY_FLOAT_MODE_ARM)
    uint32_t mode;
    __asm__ __volatile__("vmrs %0, fpscr" : "=r"(mode) : : "memory");
    return mode;
#else
    return 0;
#endif
}

/* Let this thread compute in another mode. */
static inline void autodeploy_float_mode_write(autodeploy_float_mode mode)
{
#if defined(AUTODEPLOY_FLOAT_MODE_X86)
    _mm_setcsr((unsigned)mode);
#elif defined(AUTODEPLOY_FLOAT_MODE_AARCH64)
    const uint64_t control = mode & 0xffffffffU;
    const uint64_t flags = mode >> 32;
    __asm__ __volatile__("msr fpcr, %0" : : "r"(control) : "memory");
    __asm__ __volatile__("msr fpsr, %0" : : "r"(flags) : "memory");
#elif defined(AUTODEPLOY_FLOAT_MODE_ARM)
    const uint32_t word = (uint32_t)mode;
    __asm__ __volatile__("vmsr fpscr, %0" : : "r"(word) : "memory");
#else
    (void)mode;
#endif
}

/* Return the mode in which a network computes: results are rounded to nearest, no exception traps,
 * and subnormal numbers are flushed or kept. */
static inline autodeploy_float_mode autodeploy_float_mode_of_runs(int flush_subnormals)
{
#if defined(AUTODEPLOY_FLOAT_MODE_X86)
    /* All exceptions masked; flush results (bit 15) and operands (bit 6). */
    return flush_subnormals ? 0x9fc0U : 0x1f80U;
#elif defined(AUTODEPLOY_FLOAT_MODE_AARCH64) || defined(AUTODEPLOY_FLOAT_MODE_ARM)
    return flush_subnormals ? 1U << 24 : 0U;
#else
    (void)flush_subnormals;
    return 0;
#endif
}

#endif

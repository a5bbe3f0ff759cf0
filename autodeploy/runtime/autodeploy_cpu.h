/* Which instruction sets this processor has, on x86-64.
 *
 * A set counts only where the operating system saves the registers that go with it.
 */
#ifndef AUTODEPLOY_CPU_H
#define AUTODEPLOY_CPU_H

#include <stddef.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

/* An instruction set: its bit in one of the registers EAX to EDX that CPUID gives for a leaf and a
 * subleaf, and the bits of XCR0 for the registers that it uses. */
typedef struct autodeploy_cpu_set {
    const char *name;
    unsigned leaf, subleaf, word, bit, state;
} autodeploy_cpu_set;

/* Ask the processor; zeros where it does not know the leaf, or where this is no x86-64. */
static inline void autodeploy_cpu_id(unsigned leaf, unsigned subleaf, unsigned words[4])
{
    memset(words, 0, 4 * sizeof words[0]);
#if defined(_MSC_VER) && !defined(__clang__)
    {
        int found[4];
        __cpuidex(found, (int)(leaf & 0x80000000u), 0);
        if ((unsigned)found[0] >= leaf) {
            __cpuidex(found, (int)leaf, (int)subleaf);
            memcpy(words, found, sizeof found);
        }
    }
#elif defined(__x86_64__)
    if ((unsigned)__get_cpuid_max(leaf & 0x80000000u, NULL) >= leaf) {
        __cpuid_count(leaf, subleaf, words[0], words[1], words[2], words[3]);
    }
#else
    (void)leaf;
    (void)subleaf;
#endif
}

/* Return the registers that the operating system saves. */
static inline unsigned autodeploy_cpu_state(void)
{
    unsigned words[4];
    autodeploy_cpu_id(1, 0, words);
    if ((words[2] >> 27 & 1) == 0) { /* OSXSAVE: it does not say */
        return 0;
    }
#if defined(_MSC_VER) && !defined(__clang__)
    return (unsigned)_xgetbv(0);
#elif defined(__x86_64__)
    {
        unsigned low, high;
        __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        (void)high;
        return low;
    }
#else
    return 0;
#endif
}

/* Ask the system for the tile registers (AMX), which Linux offers to processes that do. */
static inline int autodeploy_cpu_may_use_tiles(void)
{
#if defined(__linux__) && defined(__x86_64__)
    const long arch_prctl = 158, request_permission = 0x1023, tile_data = 18;
    long error;
    __asm__ __volatile__("syscall"
                         : "=a"(error)
                         : "a"(arch_prctl), "D"(request_permission), "S"(tile_data)
                         : "rcx", "r11", "memory");
    return error == 0;
#else
    return 0;
#endif
}

/* Return the first of `count` instruction sets that this processor or its operating system lacks,
 * NULL where there is none. An unknown name is lacking. */
static inline const char *autodeploy_cpu_lacks(const char *const *names, int count)
{
    enum { A, B, C, D, NONE = 0, AVX = 0x6, AVX512 = 0xe6, TILES = 0x60000 };
    static const autodeploy_cpu_set sets[] = {
        {"sse4.1", 1, 0, C, 19, NONE},
        {"sse4a", 0x80000001u, 0, C, 6, NONE},
        {"avx", 1, 0, C, 28, AVX},
        {"f16c", 1, 0, C, 29, AVX},
        {"fma", 1, 0, C, 12, AVX},
        {"avx2", 7, 0, B, 5, AVX},
        {"avxvnni", 7, 1, A, 4, AVX},
        {"avx512f", 7, 0, B, 16, AVX512},
        {"avx512cd", 7, 0, B, 28, AVX512},
        {"avx512dq", 7, 0, B, 17, AVX512},
        {"avx512bw", 7, 0, B, 30, AVX512},
        {"avx512vl", 7, 0, B, 31, AVX512},
        {"avx512ifma", 7, 0, B, 21, AVX512},
        {"avx512vbmi", 7, 0, C, 1, AVX512},
        {"avx512vbmi2", 7, 0, C, 6, AVX512},
        {"avx512vnni", 7, 0, C, 11, AVX512},
        {"avx512bitalg", 7, 0, C, 12, AVX512},
        {"avx512vpopcntdq", 7, 0, C, 14, AVX512},
        {"avx512bf16", 7, 1, A, 5, AVX512},
        {"amx-tile", 7, 0, D, 24, TILES},
        {"amx-int8", 7, 0, D, 25, TILES},
        {"amx-bf16", 7, 0, D, 22, TILES},
    };
    const unsigned state = autodeploy_cpu_state();
    int i;
    for (i = 0; i < count; ++i) {
        const autodeploy_cpu_set *set = NULL;
        unsigned words[4];
        size_t j;
        for (j = 0; j < sizeof sets / sizeof sets[0] && set == NULL; ++j) {
            set = strcmp(sets[j].name, names[i]) == 0 ? &sets[j] : NULL;
        }
        if (set == NULL) {
            return names[i];
        }
        autodeploy_cpu_id(set->leaf, set->subleaf, words);
        if ((words[set->word] >> set->bit & 1) == 0 || (state & set->state) != set->state) {
            return names[i];
        }
        if (set->state == TILES && !autodeploy_cpu_may_use_tiles()) {
            return names[i];
        }
    }
    return NULL;
}

#endif

/* Aligned memory on large pages; see autodeploy_memory.h. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* madvise */
#endif

#include "autodeploy_memory.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* The large pages of x86-64, and of AArch64 with small pages of 4 KiB. */
static const size_t LARGE_PAGE_BYTES = (size_t)2 << 20;

/* Ask for large pages; where there are none, small ones serve as well. */
static void prefer_large_pages(void *start, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    (void)madvise(start, bytes / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES, MADV_HUGEPAGE);
#else
    (void)start;
    (void)bytes;
#endif
}

void *autodeploy_memory_take(size_t bytes, void **block)
{
    const int is_large = bytes >= 2 * LARGE_PAGE_BYTES;
    const size_t alignment = is_large ? LARGE_PAGE_BYTES : (size_t)AUTODEPLOY_MEMORY_ALIGNMENT;
    uint8_t *start;
    if (is_large && bytes % LARGE_PAGE_BYTES >= LARGE_PAGE_BYTES / 2 &&
        bytes <= SIZE_MAX - LARGE_PAGE_BYTES) {
        bytes += LARGE_PAGE_BYTES - bytes % LARGE_PAGE_BYTES;
    }
    *block = bytes > SIZE_MAX - alignment ? NULL : malloc(bytes + alignment);
    if (*block == NULL) {
        return NULL;
    }
    start = (uint8_t *)*block;
    start += (alignment - (uintptr_t)start % alignment) % alignment;
    if (is_large) {
        prefer_large_pages(start, bytes);
    }
    return start;
}

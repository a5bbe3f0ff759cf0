/* A file that keeps what is slow to make, such as compiled kernels, from one start to the next.
 *
 * It holds one entry, with a key that differs where another content is needed, and a checksum.
 */
#ifndef AUTODEPLOY_CACHE_H
#define AUTODEPLOY_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* A key, or a checksum, of bytes; before is that of the bytes before them, or 0. */
uint64_t autodeploy_cache_key(uint64_t before, const void *bytes, size_t count);

/* Read the content for a key. NULL if the file is missing, damaged or has another key; else memory
 * to be given back by free, of *count bytes.
 */
void *autodeploy_cache_read(const char *path, uint64_t key, size_t *count);

/* Let the file have a content. It appears whole or not at all; that it cannot be written is no
 * error. */
void autodeploy_cache_write(const char *path, uint64_t key, const void *content, size_t count);

#endif

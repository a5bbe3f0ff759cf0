/* Memory for tensors and weights: aligned, and on large pages where the system has them. */
#ifndef AUTODEPLOY_MEMORY_H
#define AUTODEPLOY_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The least alignment of what autodeploy_memory_take returns, in bytes. */
enum { AUTODEPLOY_MEMORY_ALIGNMENT = 256 };

/* Return memory of that size, and set *block to what the caller gives to free(); NULL, and *block NULL,
 * where the system has no more memory.
 *
 * A computation that reads megabytes once, as a fully connected layer reads its weights, spends
 * part of its time on finding pages of 4 KiB. So a block of several megabytes begins at a multiple
 * of 2 MiB, and Linux is asked to use pages of that size for it. No more memory is touched.
 */
void *autodeploy_memory_take(size_t bytes, void **block);

#ifdef __cplusplus
}
#endif

#endif

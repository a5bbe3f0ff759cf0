/* What no kernel computes: functions on dense tensors that are no loop nests.
 *
 * The buffers are those of the driver, innermost dimension first. A function reads those whose
 * pointer is to const and writes the others; it keeps nothing and allocates nothing. It returns 0,
 * or not 0 with an error recorded in the runtime where the tensors hold what it cannot take.
 */
#ifndef AUTODEPLOY_LIBRARY_H
#define AUTODEPLOY_LIBRARY_H

#include "halide_buffer.h"
#include "halide_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Write the numbers of the first elements of each row of x along its innermost dimension, in
 * falling order, with `largest` 0 in rising order; of equal elements the one with the lower number
 * comes first. nan is above all numbers. Elements of x are of 32 or 64 bits, those of indices of
 * 64; indices has as many rows, and as many elements in each as are asked for. */
int autodeploy_order(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     halide_buffer_t *indices, int64_t largest);

/* Write the number of the row of `allowed` that equals `given`, both of 64-bit integers; refuse
 * what equals none. */
int autodeploy_choose(autodeploy_runtime *runtime, const halide_buffer_t *given,
                      const halide_buffer_t *allowed, halide_buffer_t *row);

/* Copy the rows of x to the result, and put each of `updates` into the row whose number stands in
 * `places`, one after the other: in place of what is there with a `reduction` of 0, else its sum
 * (1), product (2), the larger (3) or the smaller (4) of both. These are for elements of 64 bits
 * and floats of 32. All are matrices but `places`, a list of 64-bit integers; one that is outside
 * is refused. */
int autodeploy_scatter(autodeploy_runtime *runtime, const halide_buffer_t *x,
                       const halide_buffer_t *places, const halide_buffer_t *updates,
                       halide_buffer_t *result, int64_t reduction);

#ifdef __cplusplus
}
#endif

#endif

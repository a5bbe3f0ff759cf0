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
 * 64; indices has as many rows, and as many elements in each as are asked for. Rows of either may
 * have strides. */
int autodeploy_order(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     halide_buffer_t *indices, int64_t largest);

/* Write the number of the row of `allowed` that equals `given`, both of 64-bit integers; refuse
 * what equals none. */
int autodeploy_choose(autodeploy_runtime *runtime, const halide_buffer_t *given,
                      const halide_buffer_t *allowed, halide_buffer_t *row);

/* Copy 64-bit integers; refuse one that is less than `least` or more than `most`, with a message that
 * begins with `name`, which ends with a zero byte. */
int autodeploy_bound(autodeploy_runtime *runtime, const halide_buffer_t *given,
                     const halide_buffer_t *name, halide_buffer_t *numbers, int64_t least,
                     int64_t most);

/* Refuse a tensor whose bytes are not those of `expected`, of the same type and shape. */
int autodeploy_expect(autodeploy_runtime *runtime, const halide_buffer_t *given,
                      const halide_buffer_t *expected);

/* Copy the rows of x to the result, and put each of `updates` into the row whose number stands in
 * `places`, one after the other: in place of what is there with a `reduction` of 0, else its sum
 * (1), product (2), the larger (3) or the smaller (4) of both. These are for elements of 64 bits
 * and floats of 32. All are matrices but `places`, a list of 64-bit integers; one that is outside
 * is refused, but with `spare` the number of rows is the place of an update that is left out. */
int autodeploy_scatter(autodeploy_runtime *runtime, const halide_buffer_t *x,
                       const halide_buffer_t *places, const halide_buffer_t *updates,
                       halide_buffer_t *result, int64_t reduction, int64_t spare);

/* Write the places that a slice reads along each axis, one axis behind the other. `bounds` are three
 * rows, starts, ends and steps, with an entry for each of `axes`; they mean what Python's do.
 * `extents` are two rows, those of the operand and those that the result must have; all are 64-bit
 * integers. */
int autodeploy_slice(autodeploy_runtime *runtime, const halide_buffer_t *bounds,
                     const halide_buffer_t *axes, const halide_buffer_t *extents,
                     halide_buffer_t *places);

/* The same for a pad. `pads` are those before each of `axes`, then those behind; one below zero
 * takes elements away. A `mode` of 0 pads with a number (-1 is written as the place), 1 reflects,
 * 2 repeats the elements at the ends, 3 goes around. */
int autodeploy_pad(autodeploy_runtime *runtime, const halide_buffer_t *pads,
                   const halide_buffer_t *axes, const halide_buffer_t *extents,
                   halide_buffer_t *places, int64_t mode);

/* Write the places that a resize reads along each axis, and their weights as doubles, one axis
 * behind the other. `extents` are three rows: those of the operand, those that the result must have,
 * and how many places each of its elements reads. `sizes` are doubles: scales, or sizes in one of
 * three meanings, as `wanted` says; `regions` the starts, then the ends of what a crop takes. Each
 * place is -1 for an element outside of the operand where the `flags` say so. */
int autodeploy_resize(autodeploy_runtime *runtime, const halide_buffer_t *sizes,
                      const halide_buffer_t *regions, const halide_buffer_t *extents,
                      const halide_buffer_t *coefficient, halide_buffer_t *places,
                      halide_buffer_t *weights, int64_t wanted, int64_t mode, int64_t kind,
                      int64_t rounding, int64_t flags);

/* Write random numbers, doubles: from 0 to below 1, or, where `is_normal` is not 0, of mean 0 and
 * variance 1. They depend on the seed alone, and are those of MT19937: 53 bits of two words for
 * each, and the polar method. `words` are the 624 of the generator. */
int autodeploy_random(autodeploy_runtime *runtime, halide_buffer_t *numbers,
                      halide_buffer_t *words, int64_t seed, int64_t is_normal);

/* Write the numbers of the bytes of a list that are not 0, how many these are, and zeros behind
 * them; refuse more than there is room for. Numbers and count are 64-bit integers. */
int autodeploy_select(autodeploy_runtime *runtime, const halide_buffer_t *mask,
                      halide_buffer_t *numbers, halide_buffer_t *count);

/* Copy the first `count` rows of each matrix of x, one matrix behind the other, and zeros behind
 * them. */
int autodeploy_compact(autodeploy_runtime *runtime, const halide_buffer_t *x,
                       const halide_buffer_t *count, halide_buffer_t *result);

/* Write the number of the first of each of the different rows of a matrix, for each row which of
 * these it is like, how often each occurs, and how many there are; in rising order, with `sorted` 0
 * in that in which they occur. nan equals nan and is above all numbers. Elements are 64-bit
 * integers or floats. */
int autodeploy_unique(autodeploy_runtime *runtime, const halide_buffer_t *x,
                      halide_buffer_t *first, halide_buffer_t *inverse, halide_buffer_t *counts,
                      halide_buffer_t *count, int64_t sorted);

/* Write which boxes remain of each batch and class: batch, class and number of a box in each row,
 * in falling order of their scores, which `order` says. A box is left out where its score is not
 * above the second threshold, or where it has a larger part in common with a better one than the
 * first threshold. Boxes are four floats: two opposite corners, or centre and size. */
int autodeploy_suppress(autodeploy_runtime *runtime, const halide_buffer_t *boxes,
                        const halide_buffer_t *scores, const halide_buffer_t *order,
                        const halide_buffer_t *most, const halide_buffer_t *thresholds,
                        halide_buffer_t *selected, halide_buffer_t *count, int64_t is_centre);

/* Write for each element of a pool of maxima the number of the element that it is. x is a matrix
 * with a row for each image. The rows of `geometry` have an entry for each axis of an image: its
 * extent, that of the result, the window, its strides and dilations, the padding before, and how far
 * numbers of neighbours are apart. Of equal elements the first one counts; nan is above all. */
int autodeploy_pool_places(autodeploy_runtime *runtime, const halide_buffer_t *x,
                           const halide_buffer_t *geometry, halide_buffer_t *places);

/* Write the determinants of square matrices of doubles; `work` has room for one of these. */
int autodeploy_det(autodeploy_runtime *runtime, const halide_buffer_t *x, halide_buffer_t *result,
                   halide_buffer_t *work);

/* Divide regions of images into cells, and write the mean of samples of each cell, or the largest
 * of their four parts where `is_max` is not 0. A region is left, top, right and bottom, times the
 * scale, a double; half an element less where `is_half` is not 0. `samples` is their number along
 * each axis; with 0 there is one an element. `batches` says which image a region is of. */
int autodeploy_roi_align(autodeploy_runtime *runtime, const halide_buffer_t *x,
                         const halide_buffer_t *rois, const halide_buffer_t *batches,
                         const halide_buffer_t *scale, halide_buffer_t *result, int64_t samples,
                         int64_t is_max, int64_t is_half);

/* Divide regions of images into cells, and write the largest element of each cell, 0 where it has
 * none. A region is the number of an image, left, top, right and bottom. All are floats. */
int autodeploy_roi_pool(autodeploy_runtime *runtime, const halide_buffer_t *x,
                        const halide_buffer_t *rois, const halide_buffer_t *scale,
                        halide_buffer_t *result);

/* Count in each row of x how often it has each of the sequences `grams`, and write the counts to
 * their `places`. The sequences are in rising order of their `sizes`, then of their elements. Those
 * of `least` to `most` elements count; up to `skips` elements may lie between two of them, between
 * all alike. All are 64-bit integers. */
int autodeploy_grams(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     const halide_buffer_t *grams, const halide_buffer_t *sizes,
                     const halide_buffer_t *places, halide_buffer_t *counts, int64_t least,
                     int64_t most, int64_t skips);

/* Write the shares of the bins of a spectrum in mel bands, which overlap. `sizes` are the number of
 * bands, the length of the Fourier transform and the sampling rate, `edges` the lowest and the
 * highest frequency, and the weights doubles. Sizes that lead to other weights are refused. */
int autodeploy_mel(autodeploy_runtime *runtime, const halide_buffer_t *sizes,
                   const halide_buffer_t *edges, halide_buffer_t *weights);

/* Let each row of x fall through trees, and collect the votes of the leaves where it ends: their sums,
 * with `how` 1 the least and with 2 the largest of them. A node is a row of four integers: the number
 * of a feature, how it is compared with the split (at most, below, equal; 4 more where nan goes on as
 * if that held), where to go if so and if not. What is below zero is a leaf: -1 is the first one.
 * Leaf n has the votes from starts[n] to below starts[n + 1], each a target and a weight. A target
 * without votes gets 0. Integers are of 32 bits, numbers doubles. */
int autodeploy_trees(autodeploy_runtime *runtime, const halide_buffer_t *x,
                     const halide_buffer_t *nodes, const halide_buffer_t *splits,
                     const halide_buffer_t *roots, const halide_buffer_t *starts,
                     const halide_buffer_t *targets, const halide_buffer_t *weights,
                     halide_buffer_t *result, int64_t how);

/* Write for each row the probabilities of classes that fit best those of pairs of classes: of the
 * first one of both, for classes 0 and 1, 0 and 2, and so on. A row with nan gives all classes the same one. `work`
 * has room for a row more than there are classes. All are doubles. */
int autodeploy_couple(autodeploy_runtime *runtime, const halide_buffer_t *shares,
                      halide_buffer_t *result, halide_buffer_t *work);

/* Write for each row of x the number of the row of `keys` that equals it, or how many keys there are
 * where none does. The keys are different, in rising order: of their bytes, or of the one 64-bit
 * integer that each has. */
int autodeploy_find(autodeploy_runtime *runtime, const halide_buffer_t *x,
                    const halide_buffer_t *keys, halide_buffer_t *numbers);

/* Strings are rows of bytes, cells: UTF-8, then zeros, one of them at least. */

/* Copy the strings that a caller gives; refuse one without a zero. Bytes behind it become zeros. */
int autodeploy_text_take(autodeploy_runtime *runtime, const halide_buffer_t *given,
                         halide_buffer_t *table);

/* Write strings of two tables behind each other; which rows these are stands in `of_first` and
 * `of_second`, 32-bit integers. */
int autodeploy_text_join(autodeploy_runtime *runtime, const halide_buffer_t *first,
                         const halide_buffer_t *of_first, const halide_buffer_t *second,
                         const halide_buffer_t *of_second, halide_buffer_t *table);

/* Write for each string how many different ones come before it, in the order of their bytes, which is
 * that of their characters, and for each such number the first row that has it; zeros behind. All are
 * 32-bit integers. */
int autodeploy_text_order(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          halide_buffer_t *ranks, halide_buffer_t *first);

/* Write strings with other characters: a row of `map` is a character and up to three that it
 * becomes, then zeros, in rising order. What is no UTF-8 stays. */
int autodeploy_text_case(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                         const halide_buffer_t *map, halide_buffer_t *result);

/* Cut the strings in some `rows` at a delimiter, or at white space, of which there is none in pieces
 * but the last one; `most` cuts are made. Write the pieces of each, empty ones behind them, and how
 * many there are, a 64-bit integer. */
int autodeploy_text_split(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          const halide_buffer_t *rows, const halide_buffer_t *delimiter,
                          halide_buffer_t *pieces, halide_buffer_t *counts, int64_t most,
                          int64_t at_space);

/* Write whether strings are what an automaton accepts. A character is of the class of the last of
 * `starts` that is not above it. `steps` has a row for each state, the first one being where strings
 * begin: for each class the next state, -1 for none, and behind these whether strings may end. */
int autodeploy_text_match(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                          const halide_buffer_t *starts, const halide_buffer_t *classes,
                          const halide_buffer_t *steps, halide_buffer_t *matched);

/* Read the strings in some `rows` as doubles: digits, a point, an exponent; inf, infinity and nan in
 * any case; a sign, white space around. A row below 0 gives 0; refuse other strings. */
int autodeploy_text_to_float(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                             const halide_buffer_t *rows, halide_buffer_t *numbers);

/* Read the strings in some `rows` as integers of that many bits, and write them as 64-bit ones.
 * Digits behind a point are left out. A row below 0 gives 0; refuse other strings. */
int autodeploy_text_to_integer(autodeploy_runtime *runtime, const halide_buffer_t *strings,
                               const halide_buffer_t *rows, halide_buffer_t *numbers, int64_t bits,
                               int64_t is_signed);

/* Write doubles as %.8g of printf does, NaN, INF and -INF; a string takes 16 bytes at most. */
int autodeploy_text_of_float(autodeploy_runtime *runtime, const halide_buffer_t *numbers,
                             halide_buffer_t *strings);

/* Write 64-bit integers; a string takes 21 bytes at most. */
int autodeploy_text_of_integer(autodeploy_runtime *runtime, const halide_buffer_t *numbers,
                               halide_buffer_t *strings, int64_t is_signed);

#ifdef __cplusplus
}
#endif

#endif

#include "autodeploy_library.h"

enum { CONSTANT, REFLECT, EDGE, WRAP };

/* More than any extent. */
static const int64_t FAR = (int64_t)1 << 32;

static int64_t remainder_of(int64_t number, int64_t divisor)
{
    const int64_t rest = number % divisor;
    return rest < 0 ? rest + divisor : rest;
}

/* Which of `count` elements stands at a place before, among or behind them; -1: none. */
static int64_t element_at(int64_t place, int64_t count, int64_t mode)
{
    if (place >= 0 && place < count) {
        return place;
    }
    if (mode == CONSTANT || count <= 0) {
        return -1;
    }
    if (mode == EDGE || count == 1) {
        return place < 0 ? 0 : count - 1;
    }
    if (mode == WRAP) {
        return remainder_of(place, count);
    }
    place = remainder_of(place, 2 * (count - 1));
    return place < count ? place : 2 * (count - 1) - place;
}

int autodeploy_pad(autodeploy_runtime *runtime, const halide_buffer_t *pads,
                   const halide_buffer_t *axes, const halide_buffer_t *extents,
                   halide_buffer_t *places, int64_t mode)
{
    const int64_t *const given = (const int64_t *)(const void *)pads->host;
    const int64_t *const named = (const int64_t *)(const void *)axes->host;
    const int64_t *const before = (const int64_t *)(const void *)extents->host;
    const int64_t count = axes->dim[0].extent, rank = extents->dim[0].extent;
    int64_t *place = (int64_t *)(void *)places->host;
    int64_t axis, i;
    for (i = 0; i < count; ++i) {
        if (named[i] < -rank || named[i] >= rank) {
            halide_error(runtime, "an axis is outside of the rank of a tensor");
            return 1;
        }
    }
    for (axis = 0; axis < rank; ++axis) {
        int64_t low = 0, high = 0, first, kept;
        int named_before = 0;
        for (i = 0; i < count; ++i) {
            if (named[i] == axis || named[i] == axis - rank) {
                low = given[i];
                high = given[count + i];
                if (named_before++) {
                    halide_error(runtime, "an axis is named twice");
                    return 1;
                }
            }
        }
        /* A pad below zero takes elements away, before the others are put around what is left. */
        if (low < -FAR || low > FAR || high < -FAR || high > FAR ||
            before[axis] + low + high != before[rank + axis]) {
            halide_error(runtime, "an input has another value than the shapes of the model say");
            return 1;
        }
        first = low < 0 ? -low : 0;
        kept = before[axis] - first + (high < 0 ? high : 0);
        if (kept < 0) {
            halide_error(runtime, "a pad takes away more elements than there are");
            return 1;
        }
        if (mode != CONSTANT && kept == 0 && before[rank + axis] > 0) {
            halide_error(runtime, "there are no elements to pad with");
            return 1;
        }
        for (i = 0; i < before[rank + axis]; ++i) {
            const int64_t found = element_at(i - (low > 0 ? low : 0), kept, mode);
            *place++ = found < 0 ? -1 : first + found;
        }
    }
    return 0;
}

#include "autodeploy_library.h"

/* More than any extent: numbers beyond it are cut off. */
static const int64_t FAR = (int64_t)1 << 32;

static int64_t held(int64_t number, int64_t low, int64_t high)
{
    return number < low ? low : number > high ? high : number;
}

/* Where a bound below zero counts from the end; within what steps can reach. */
static int64_t bound(int64_t given, int64_t extent, int64_t step)
{
    const int64_t place = given < 0 ? held(given, -FAR, 0) + extent : given;
    return step > 0 ? held(place, 0, extent) : held(place, -1, extent - 1);
}

/* The entry that is about an axis; -1 where there is none, -2 where there are several. */
static int64_t entry_of(const int64_t *axes, int64_t count, int64_t axis, int64_t rank)
{
    int64_t found = -1, i;
    for (i = 0; i < count; ++i) {
        if (axes[i] == axis || axes[i] == axis - rank) {
            found = found == -1 ? i : -2;
        }
    }
    return found;
}

int autodeploy_slice(autodeploy_runtime *runtime, const halide_buffer_t *bounds,
                     const halide_buffer_t *axes, const halide_buffer_t *extents,
                     halide_buffer_t *places)
{
    const int64_t *const given = (const int64_t *)(const void *)bounds->host;
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
        const int64_t extent = before[axis], entry = entry_of(named, count, axis, rank);
        const int64_t step = entry < 0 ? 1 : held(given[2 * count + entry], -FAR, FAR);
        int64_t start, end, made;
        if (entry == -2 || step == 0) {
            halide_error(runtime, entry == -2 ? "an axis is named twice" : "a step of a slice is 0");
            return 1;
        }
        start = entry < 0 ? 0 : bound(given[entry], extent, step);
        end = entry < 0 ? extent : bound(given[count + entry], extent, step);
        made = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
        if ((made > 0 ? made : 0) != before[rank + axis]) {
            halide_error(runtime, "an input has another value than the shapes of the model say");
            return 1;
        }
        for (i = 0; i < made; ++i) {
            *place++ = start + i * step;
        }
    }
    return 0;
}

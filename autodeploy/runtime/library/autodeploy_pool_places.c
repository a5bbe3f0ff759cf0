#include "autodeploy_library.h"

/* Whether element a is above element b; nan is above all. */
#define IS_ABOVE(type) \
    do { \
        const type x = ((const type *)(const void *)elements->host)[a]; \
        const type y = ((const type *)(const void *)elements->host)[b]; \
        return x > y || (x != x && y == y); \
    } while (0)

static int is_above(const halide_buffer_t *elements, int64_t a, int64_t b)
{
    switch (elements->type.code) {
    case halide_type_float:
        if (elements->type.bits == 64) {
            IS_ABOVE(double);
        }
        IS_ABOVE(float);
    case halide_type_uint:
        IS_ABOVE(uint64_t);
    default:
        IS_ABOVE(int64_t);
    }
}

int autodeploy_pool_places(autodeploy_runtime *runtime, const halide_buffer_t *x,
                           const halide_buffer_t *geometry, halide_buffer_t *places)
{
    const int64_t rank = geometry->dim[0].extent;
    const int64_t *const extents = (const int64_t *)(const void *)geometry->host;
    const int64_t *const outer = extents + rank, *const window = outer + rank;
    const int64_t *const strides = window + rank, *const dilations = strides + rank;
    const int64_t *const pads = dilations + rank, *const steps = pads + rank;
    const int64_t size = x->dim[0].extent, count = places->dim[0].extent;
    int64_t *const found = (int64_t *)(void *)places->host;
    int64_t plane, i, tap, axis, taps = 1;
    (void)runtime;
    for (axis = 0; axis < rank; ++axis) {
        taps *= window[axis];
    }
    for (plane = 0; plane < x->dim[1].extent; ++plane) {
        for (i = 0; i < count; ++i) {
            int64_t best = -1, number = -1;
            for (tap = 0; tap < taps; ++tap) {
                int64_t place = i, offset = tap, at = 0, scale = 1, own = 0;
                for (axis = rank - 1; axis >= 0; --axis) {
                    const int64_t along = place % outer[axis] * strides[axis] +
                                          offset % window[axis] * dilations[axis] - pads[axis];
                    if (along < 0 || along >= extents[axis]) {
                        break;
                    }
                    place /= outer[axis];
                    offset /= window[axis];
                    at += along * scale;
                    scale *= extents[axis];
                    own += along * steps[axis];
                }
                at += plane * size;
                if (axis < 0 && (best < 0 || is_above(x, at, best))) {
                    best = at;
                    number = own + plane * size;
                }
            }
            found[plane * count + i] = number;
        }
    }
    return 0;
}

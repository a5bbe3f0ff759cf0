#include "autodeploy_library.h"

#include <math.h>

enum { LARGEST_DENOMINATOR = 1 << 12 };

#define TIE 1e-6

/* What the input that decides sizes holds. */
enum { SCALES, SIZES, SIZES_NOT_LARGER, SIZES_NOT_SMALLER };

/* How places are computed, in the order of the names that the conversion lists. */
enum {
    HALF_PIXEL,
    PYTORCH_HALF_PIXEL,
    HALF_PIXEL_SYMMETRIC,
    HALF_PIXEL_FOR_NEAREST,
    ASYMMETRIC,
    ALIGN_CORNERS,
    CROP_AND_RESIZE
};

enum { NEAREST, LINEAR, CUBIC };
enum { HALF_DOWN, HALF_UP, BELOW, ABOVE };
enum { EXCLUDE_OUTSIDE = 1, ANTIALIAS = 2, EXTRAPOLATE = 4 };

/* A fraction of whole numbers, exact as long as they are below 2 ** 53. */
typedef struct {
    double top, bottom;
} fraction;

/* Element i of the result stands at (i * step + offset) / divisor of the operand. */
typedef struct {
    double step, offset, divisor;
} line;

/* The fraction next to a number among those of small denominators. */
static fraction fraction_near(double number)
{
    double p0 = 0.0, q0 = 1.0, p1 = 1.0, q1 = 0.0, rest = number;
    fraction found;
    for (;;) {
        const double whole = floor(rest);
        const double q2 = q0 + whole * q1, p2 = p0 + whole * p1;
        if (q2 > LARGEST_DENOMINATOR) {
            break;
        }
        p0 = p1;
        q0 = q1;
        p1 = p2;
        q1 = q2;
        if (rest == whole) {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    found.top = p1;
    found.bottom = q1;
    if (number != p1 / q1) {
        const double k = floor((LARGEST_DENOMINATOR - q0) / q1);
        const double top = p0 + k * p1, bottom = q0 + k * q1;
        if (fabs(top / bottom - number) < fabs(p1 / q1 - number)) {
            found.top = top;
            found.bottom = bottom;
        }
    }
    return found;
}

/* The scale that a number in single precision stands for: most come from two extents. */
static fraction scale_of(double scale, double before, double after)
{
    fraction found;
    if (before > 0.0 && after > 0.0 && (float)(after / before) == (float)scale) {
        found.top = after;
        found.bottom = before;
        return found;
    }
    found = fraction_near(scale);
    if (!(found.top > 0.0)) {
        found.top = scale;
        found.bottom = 1.0;
    }
    return found;
}

static line line_of(int64_t mode, fraction scale, double before, double after, fraction start,
                    fraction end)
{
    const double p = scale.top, q = scale.bottom, wide = after - 1.0;
    line made;
    made.step = 2.0 * q;
    made.offset = q - p;
    made.divisor = 2.0 * p;
    switch (mode) {
    case PYTORCH_HALF_PIXEL:
        if (after <= 1.0) {
            made.step = made.offset = 0.0;
        }
        break;
    case HALF_PIXEL_SYMMETRIC:
        made.offset = before * p - after * q + q - p;
        break;
    case HALF_PIXEL_FOR_NEAREST:
        made.offset = q;
        break;
    case ASYMMETRIC:
        made.step = q;
        made.offset = 0.0;
        made.divisor = p;
        break;
    case ALIGN_CORNERS:
    case CROP_AND_RESIZE: {
        const double d = start.bottom * end.bottom, last = before - 1.0;
        const double a = start.top * end.bottom, b = end.top * start.bottom;
        if (after == 1.0) {
            made.step = 0.0;
            made.offset = last * (mode == CROP_AND_RESIZE ? a + b : 2.0 * a);
            made.divisor = 2.0 * d;
        } else {
            made.step = last * (b - a);
            made.offset = last * a * wide;
            made.divisor = d * wide;
        }
        break;
    }
    default:
        break;
    }
    if (made.divisor < 0.0) {
        made.step = -made.step;
        made.offset = -made.offset;
        made.divisor = -made.divisor;
    }
    return made;
}

/* A place by a scale in single precision, in the steps of ONNX's text: the last digit may decide
   which element is the nearest. What is as good as in the middle of two elements is there. */
static double single_place(int64_t mode, float scale, float before, float after, int64_t i)
{
    const float at = (float)i;
    float place;
    double part;
    switch (mode) {
    case ASYMMETRIC:
        place = at / scale;
        break;
    case HALF_PIXEL_FOR_NEAREST:
        place = (at + 0.5f) / scale;
        break;
    case HALF_PIXEL_SYMMETRIC: {
        const float wide = scale * before, part_of = after / wide;
        const float offset = before / 2.0f * (1.0f - part_of);
        place = (float)((double)offset + ((double)at + 0.5) / (double)scale - 0.5);
        break;
    }
    default:
        if (mode == PYTORCH_HALF_PIXEL && after <= 1.0f) {
            return 0.0;
        }
        place = (at + 0.5f) / scale;
        place -= 0.5f;
        break;
    }
    part = (double)place - floor((double)place);
    return fabs(part - 0.5) < TIE ? floor((double)place) + 0.5 : (double)place;
}

static double cubic_weight(double distance, double a)
{
    const double x = fabs(distance);
    if (x <= 1.0) {
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    }
    return x < 2.0 ? ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a : 0.0;
}

static double linear_weight(double distance)
{
    const double x = 1.0 - fabs(distance);
    return x > 0.0 ? x : 0.0;
}

static int64_t nearest(double place, int64_t rounding)
{
    const double below = floor(place), part = place - below;
    const int up = rounding == HALF_DOWN ? part > 0.5
                   : rounding == HALF_UP ? part >= 0.5
                                         : rounding == ABOVE && part > 0.0;
    return (int64_t)below + up;
}

/* The places that are read for one element of the result, and their weights. */
static void take(double place, int64_t extent, int64_t taps, double scale, int64_t kind,
                 int64_t rounding, int64_t flags, double a, int64_t *places, double *weights)
{
    const double reach = (kind == LINEAR ? 1.0 : 2.0) / scale;
    const int64_t first = kind == NEAREST ? nearest(place, rounding)
                                          : (int64_t)floor(place - reach) + 1;
    double total = 0.0;
    int64_t i;
    for (i = 0; i < taps; ++i) {
        const int64_t at = first + i;
        const double distance = ((double)at - place) * scale;
        double weight = kind == NEAREST  ? 1.0
                        : kind == LINEAR ? linear_weight(distance)
                                         : cubic_weight(distance, a);
        if ((flags & EXCLUDE_OUTSIDE) != 0 && (at < 0 || at >= extent)) {
            weight = 0.0;
        }
        places[i] = at < 0 ? 0 : at >= extent ? extent - 1 : at;
        weights[i] = weight;
        total += weight;
    }
    for (i = 0; i < taps && (flags & (EXCLUDE_OUTSIDE | ANTIALIAS)) != 0; ++i) {
        weights[i] /= total;
    }
    if ((flags & EXTRAPOLATE) != 0 && (place < 0.0 || place > (double)(extent - 1))) {
        for (i = 0; i < taps; ++i) {
            places[i] = -1;
        }
    }
}

/* The scale that sizes of all axes have in common: the smallest of them, or the largest. */
static fraction common_scale(const double *sizes, const int64_t *before, int64_t count,
                             int64_t wanted)
{
    fraction found = {1.0, 1.0};
    int64_t i;
    for (i = 0; i < count; ++i) {
        const double n = (double)before[i];
        const double difference = sizes[i] * found.bottom - found.top * n;
        if (i == 0 || (wanted == SIZES_NOT_LARGER ? difference < 0.0 : difference > 0.0)) {
            found.top = n > 0.0 && sizes[i] > 0.0 ? sizes[i] : 1.0;
            found.bottom = n > 0.0 && sizes[i] > 0.0 ? n : 1.0;
        }
    }
    return found;
}

int autodeploy_resize(autodeploy_runtime *runtime, const halide_buffer_t *sizes,
                      const halide_buffer_t *regions, const halide_buffer_t *extents,
                      const halide_buffer_t *coefficient, halide_buffer_t *places,
                      halide_buffer_t *weights, int64_t wanted, int64_t mode, int64_t kind,
                      int64_t rounding, int64_t flags)
{
    const double *const given = (const double *)(const void *)sizes->host;
    const double *const ends = (const double *)(const void *)regions->host;
    const int64_t *const before = (const int64_t *)(const void *)extents->host;
    const int64_t count = extents->dim[0].extent;
    const int64_t *const after = before + count, *const taps = after + count;
    const double a = *(const double *)(const void *)coefficient->host;
    int64_t *place = (int64_t *)(void *)places->host;
    double *weight = (double *)(void *)weights->host;
    int64_t axis, i;
    for (axis = 0; axis < count; ++axis) {
        const double n = (double)before[axis], m = (double)after[axis];
        const fraction none = {0.0, 1.0}, all = {1.0, 1.0};
        const int cropped = mode == CROP_AND_RESIZE;
        fraction scale = {1.0, 1.0};
        double made = given[axis], antialias = 1.0;
        line at;
        if (wanted == SCALES) {
            made = given[axis] > 0.0 ? floor((double)((float)n * (float)given[axis])) : -1.0;
        } else if (wanted != SIZES) {
            scale = common_scale(given, before, count, wanted);
            made = floor((2.0 * scale.top * n + scale.bottom) / (2.0 * scale.bottom));
        } else if (n > 0.0 && m > 0.0) {
            scale.top = m;
            scale.bottom = n;
        }
        if (!(made == m) ||
            (cropped && !(fabs(ends[axis]) < 1e6 && fabs(ends[count + axis]) < 1e6))) {
            halide_error(runtime, "an input has another value than the shapes of the model say");
            return 1;
        }
        if (wanted == SCALES) {
            scale = scale_of(given[axis], n, m);
        }
        at = line_of(mode, scale, n, m, cropped ? fraction_near(ends[axis]) : none,
                     cropped ? fraction_near(ends[count + axis]) : all);
        if ((flags & ANTIALIAS) != 0 && scale.top < scale.bottom) {
            antialias = scale.top / scale.bottom;
        }
        for (i = 0; i < after[axis]; ++i) {
            double where = ((double)i * at.step + at.offset) / at.divisor;
            if (wanted == SCALES && kind == NEAREST && !cropped && mode != ALIGN_CORNERS) {
                where = single_place(mode, (float)given[axis], (float)n, (float)m, i);
            }
            take(where, before[axis], taps[axis],
                 antialias, kind, rounding, flags, a, place, weight);
            place += taps[axis];
            weight += taps[axis];
        }
    }
    return 0;
}

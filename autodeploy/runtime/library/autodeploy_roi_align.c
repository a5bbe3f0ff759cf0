#include "autodeploy_library.h"

#include <math.h>

/* How many samples a cell may have along an axis. */
#define MOST_SAMPLES 65536.0

/* Numbers are floats or doubles; what is computed of floats is rounded to one. */
static double element(const halide_buffer_t *buffer, int64_t i)
{
    return buffer->type.bits == 64 ? ((const double *)(const void *)buffer->host)[i]
                                   : (double)((const float *)(const void *)buffer->host)[i];
}

static double rounded(const halide_buffer_t *buffer, double number)
{
    return buffer->type.bits == 64 ? number : (double)(float)number;
}

/* What cells of a region are along an axis: where they begin, and how often each is sampled. */
typedef struct {
    double start;
    double size;
    int64_t samples;
    int64_t extent;
} cells;

/* The two elements that a sample lies between, and the share of the second one. */
typedef struct {
    int64_t low;
    int64_t high;
    double share;
} between;

/* Whether a sample of a cell is near enough to the image; if so, say where it is. */
static int sampled(const halide_buffer_t *x, const cells *axis, int64_t cell, int64_t sample,
                   between *found)
{
    const double half = rounded(x, ((double)sample + 0.5) * axis->size);
    const double offset = rounded(x, half / (double)axis->samples);
    const double from = rounded(x, axis->start + rounded(x, (double)cell * axis->size));
    double at = rounded(x, from + offset);
    if (!(at >= -1.0 && at <= (double)axis->extent)) {
        return 0;
    }
    at = at > 0.0 ? at : 0.0;
    found->low = (int64_t)at;
    if (found->low >= axis->extent - 1) {
        found->low = axis->extent - 1;
        found->high = found->low;
        found->share = 0.0;
    } else {
        found->high = found->low + 1;
        found->share = at - (double)found->low;
    }
    return 1;
}

static double cell_of(const halide_buffer_t *x, int64_t image, const cells *rows,
                      const cells *columns, int64_t row, int64_t column, int64_t is_max)
{
    const int64_t down = x->dim[1].stride, right = x->dim[0].stride;
    double total = 0.0;
    int64_t i, j, k;
    for (i = 0; i < rows->samples; ++i) {
        for (j = 0; j < columns->samples; ++j) {
            double parts[4] = {0.0, 0.0, 0.0, 0.0};
            between y, w;
            if (sampled(x, rows, row, i, &y) && sampled(x, columns, column, j, &w)) {
                const int64_t above = image + y.low * down, below = image + y.high * down;
                const int64_t low = w.low * right, high = w.high * right;
                parts[0] = (1.0 - y.share) * (1.0 - w.share) * element(x, above + low);
                parts[1] = (1.0 - y.share) * w.share * element(x, above + high);
                parts[2] = y.share * (1.0 - w.share) * element(x, below + low);
                parts[3] = y.share * w.share * element(x, below + high);
            } else if (is_max) {
                /* Weights of zero, of the first element. */
                for (k = 0; k < 4; ++k) {
                    parts[k] = 0.0 * element(x, image);
                }
            }
            if (is_max) {
                for (k = 0; k < 4; ++k) {
                    total = (i + j + k == 0 || parts[k] > total || parts[k] != parts[k])
                                ? parts[k] : total;
                }
            } else {
                total += parts[0] + parts[1] + parts[2] + parts[3];
            }
        }
    }
    return is_max || rows->samples * columns->samples == 0
               ? total
               : total / (double)(rows->samples * columns->samples);
}

/* Divide a region into `count` cells along an axis; refuse one that takes too many samples. */
static int divided(const halide_buffer_t *rois, double start, double end, double scale,
                   int64_t count, int64_t samples, int64_t is_half, cells *axis)
{
    const double offset = is_half ? 0.5 : 0.0;
    double size;
    axis->start = rounded(rois, rounded(rois, start * scale) - offset);
    size = rounded(rois, rounded(rois, rounded(rois, end * scale) - offset) - axis->start);
    if (!is_half && !(size >= 1.0)) {
        size = 1.0;
    }
    axis->size = rounded(rois, size / (double)count);
    axis->samples = samples;
    if (samples <= 0) {
        const double wanted = ceil(axis->size);
        if (!(wanted <= MOST_SAMPLES)) {
            return 1;
        }
        axis->samples = wanted > 0.0 ? (int64_t)wanted : 0;
    }
    return 0;
}

int autodeploy_roi_align(autodeploy_runtime *runtime, const halide_buffer_t *x,
                         const halide_buffer_t *rois, const halide_buffer_t *batches,
                         const halide_buffer_t *scale, halide_buffer_t *result, int64_t samples,
                         int64_t is_max, int64_t is_half)
{
    const int64_t width = result->dim[0].extent, height = result->dim[1].extent;
    const int64_t channels = x->dim[2].extent;
    const int64_t *const images = (const int64_t *)(const void *)batches->host;
    const double factor = *(const double *)(const void *)scale->host;
    int64_t region, channel, row, column, i = 0;
    for (region = 0; region < result->dim[3].extent; ++region) {
        const int64_t at = 4 * region, image = images[region];
        cells rows, columns;
        rows.extent = x->dim[1].extent;
        columns.extent = x->dim[0].extent;
        if (image < 0 || image >= x->dim[3].extent) {
            halide_error(runtime, "a region is of an image that is not there");
            return 1;
        }
        if (divided(rois, element(rois, at), element(rois, at + 2), factor, width, samples,
                    is_half, &columns) ||
            divided(rois, element(rois, at + 1), element(rois, at + 3), factor, height, samples,
                    is_half, &rows)) {
            halide_error(runtime, "a region is too large to be sampled");
            return 1;
        }
        for (channel = 0; channel < channels; ++channel) {
            const int64_t plane = image * x->dim[3].stride + channel * x->dim[2].stride;
            for (row = 0; row < height; ++row) {
                for (column = 0; column < width; ++column, ++i) {
                    const double value = cell_of(x, plane, &rows, &columns, row, column, is_max);
                    if (result->type.bits == 64) {
                        ((double *)(void *)result->host)[i] = value;
                    } else {
                        ((float *)(void *)result->host)[i] = (float)value;
                    }
                }
            }
        }
    }
    return 0;
}

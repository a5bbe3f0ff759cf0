#include "autodeploy_library.h"

#include <math.h>

/* Cells of a region along an axis, in elements of the image. */
typedef struct {
    double start;
    double size;
    int64_t extent;
} cells;

static float element(const halide_buffer_t *buffer, int64_t i)
{
    return ((const float *)(const void *)buffer->host)[i];
}

/* The nearest integer, of halves the one away from zero. */
static double nearest(float number)
{
    return number < 0.0f ? ceil((double)number - 0.5) : floor((double)number + 0.5);
}

static cells divided(float start, float end, float scale, int64_t count, int64_t extent)
{
    const double size = nearest(end * scale) - nearest(start * scale) + 1.0;
    cells axis;
    axis.start = nearest(start * scale);
    axis.size = (double)((float)(size > 1.0 ? size : 1.0) / (float)count);
    axis.extent = extent;
    return axis;
}

/* The number of an element, within the image. */
static int64_t within(const cells *axis, double at)
{
    at += axis->start;
    if (!(at > 0.0)) {
        return 0;
    }
    return at < (double)axis->extent ? (int64_t)at : axis->extent;
}

static float cell_of(const halide_buffer_t *x, int64_t plane, const cells *rows,
                     const cells *columns, int64_t row, int64_t column)
{
    const int64_t top = within(rows, floor((double)((float)row * (float)rows->size)));
    const int64_t bottom = within(rows, ceil((double)((float)(row + 1) * (float)rows->size)));
    const int64_t left = within(columns, floor((double)((float)column * (float)columns->size)));
    const int64_t right =
        within(columns, ceil((double)((float)(column + 1) * (float)columns->size)));
    float largest = 0.0f;
    int64_t i, j;
    for (i = top; i < bottom; ++i) {
        for (j = left; j < right; ++j) {
            const float value = element(x, plane + i * x->dim[1].stride + j * x->dim[0].stride);
            if ((i == top && j == left) || value > largest || value != value) {
                largest = value;
            }
        }
    }
    return largest;
}

int autodeploy_roi_pool(autodeploy_runtime *runtime, const halide_buffer_t *x,
                        const halide_buffer_t *rois, const halide_buffer_t *scale,
                        halide_buffer_t *result)
{
    const int64_t width = result->dim[0].extent, height = result->dim[1].extent;
    const int64_t channels = x->dim[2].extent;
    const float factor = element(scale, 0);
    float *const results = (float *)(void *)result->host;
    int64_t region, channel, row, column, i = 0;
    for (region = 0; region < result->dim[3].extent; ++region) {
        const int64_t at = 5 * region;
        const float image = element(rois, at);
        cells rows, columns;
        if (!(image >= 0.0f && image < (float)x->dim[3].extent)) {
            halide_error(runtime, "a region is of an image that is not there");
            return 1;
        }
        columns = divided(element(rois, at + 1), element(rois, at + 3), factor, width,
                          x->dim[0].extent);
        rows = divided(element(rois, at + 2), element(rois, at + 4), factor, height,
                       x->dim[1].extent);
        for (channel = 0; channel < channels; ++channel) {
            const int64_t plane =
                (int64_t)image * x->dim[3].stride + channel * x->dim[2].stride;
            for (row = 0; row < height; ++row) {
                for (column = 0; column < width; ++column, ++i) {
                    results[i] = cell_of(x, plane, &rows, &columns, row, column);
                }
            }
        }
    }
    return 0;
}

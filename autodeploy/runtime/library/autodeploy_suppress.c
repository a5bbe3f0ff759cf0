#include "autodeploy_library.h"

/* A box: its corners, lowest first. */
typedef struct {
    float low[2], high[2];
} box;

static box box_at(const float *given, int is_centre)
{
    box made;
    int i;
    for (i = 0; i < 2; ++i) {
        if (is_centre) {
            made.low[i] = given[i] - given[i + 2] / 2.0f;
            made.high[i] = given[i] + given[i + 2] / 2.0f;
        } else {
            const int falls = given[i] > given[i + 2];
            made.low[i] = given[falls ? i + 2 : i];
            made.high[i] = given[falls ? i : i + 2];
        }
    }
    return made;
}

static float area(const box *one)
{
    return (one->high[0] - one->low[0]) * (one->high[1] - one->low[1]);
}

/* The part of two boxes' union that lies in both. */
static float overlap(const box *one, const box *other)
{
    float both = 1.0f, all;
    int i;
    for (i = 0; i < 2; ++i) {
        const float low = one->low[i] > other->low[i] ? one->low[i] : other->low[i];
        const float high = one->high[i] < other->high[i] ? one->high[i] : other->high[i];
        both *= high > low ? high - low : 0.0f;
    }
    all = area(one) + area(other) - both;
    return both > 0.0f && all > 0.0f ? both / all : 0.0f;
}

int autodeploy_suppress(autodeploy_runtime *runtime, const halide_buffer_t *boxes,
                        const halide_buffer_t *scores, const halide_buffer_t *order,
                        const halide_buffer_t *most, const halide_buffer_t *thresholds,
                        halide_buffer_t *selected, halide_buffer_t *count, int64_t is_centre)
{
    const int64_t number = scores->dim[0].extent, classes = scores->dim[1].extent;
    const int64_t batches = scores->dim[2].extent, room = selected->dim[1].extent;
    const int64_t wanted = *(const int64_t *)(const void *)most->host;
    const float *const limits = (const float *)(const void *)thresholds->host;
    const float *const all = (const float *)(const void *)boxes->host;
    int64_t (*const rows)[3] = (int64_t (*)[3])(void *)selected->host;
    int64_t batch, class_, found = 0, i, j;
    for (batch = 0; batch < batches; ++batch) {
        for (class_ = 0; class_ < classes; ++class_) {
            const int64_t row = (batch * classes + class_) * number, first = found;
            const float *const own = (const float *)(const void *)scores->host + row;
            const int64_t *const falling = (const int64_t *)(const void *)order->host + row;
            const float *const given = all + batch * number * 4;
            for (i = 0; i < number && found - first < wanted; ++i) {
                const box next = box_at(given + falling[i] * 4, is_centre != 0);
                int kept = own[falling[i]] > limits[1];
                for (j = first; j < found && kept; ++j) {
                    const box before = box_at(given + rows[j][2] * 4, is_centre != 0);
                    kept = !(overlap(&next, &before) > limits[0]);
                }
                if (!kept) {
                    continue;
                }
                if (found == room) {
                    halide_error(runtime, "more boxes are selected than the model has room for");
                    return 1;
                }
                rows[found][0] = batch;
                rows[found][1] = class_;
                rows[found++][2] = falling[i];
            }
        }
    }
    *(int64_t *)(void *)count->host = found;
    for (i = found; i < room; ++i) {
        rows[i][0] = rows[i][1] = rows[i][2] = 0;
    }
    return 0;
}

#include "detector.h"

#include "yunet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The network looks at a grid of cells at each of three strides. For a cell it has two scores,
 * whose product counts, a box and five points. */
enum { LEVELS = 3, KINDS = 4, STRIDE = 32 };
static const int STRIDES[LEVELS] = {8, 16, STRIDE};
static const char *const NAMES[KINDS] = {"cls", "obj", "bbox", "kps"};
static const int NUMBERS[KINDS] = {1, 1, 4, 2 * FACE_MARKS};

struct face_detector {
    yunet_context *context;
    int width, height; /* of the largest picture that the network reads */
    float *input;
    void *outputs[KINDS * LEVELS];
    face *found; /* room for all cells of all levels */
};

/* Check that the network is as this file needs it: the names and sizes of its tensors. */
static int fits(face_detector *self)
{
    const yunet_tensor_info *info = yunet_input_info(0);
    int i, result = YUNET_INPUT_COUNT == 1 && YUNET_OUTPUT_COUNT == KINDS * LEVELS &&
                    info->dtype == YUNET_FLOAT32 && info->rank == 4 && info->shape[1] == 3;
    self->height = result ? (int)info->shape[2] : 0;
    self->width = result ? (int)info->shape[3] : 0;
    for (i = 0; result && i < KINDS * LEVELS; ++i) {
        const int kind = i / LEVELS, stride = STRIDES[i % LEVELS];
        const int cells = (self->width / stride) * (self->height / stride);
        char name[16];
        (void)snprintf(name, sizeof name, "%s_%d", NAMES[kind], stride);
        info = yunet_output_info(i);
        result = strcmp(info->name, name) == 0 && info->dtype == YUNET_FLOAT32 &&
                 info->bytes == (size_t)cells * (size_t)NUMBERS[kind] * sizeof(float);
    }
    return result;
}

static int allocate(face_detector *self)
{
    const size_t most = (size_t)(self->width / STRIDES[0]) * (size_t)(self->height / STRIDES[0]);
    int i, result;
    self->input = (float *)malloc(yunet_input_info(0)->bytes);
    self->found = (face *)malloc(most * 2 * sizeof(face));
    result = self->input != NULL && self->found != NULL;
    for (i = 0; i < KINDS * LEVELS; ++i) {
        self->outputs[i] = malloc(yunet_output_info(i)->bytes);
        result = result && self->outputs[i] != NULL;
    }
    return result;
}

face_detector *face_detector_new(const char *weights_path, char *message, size_t message_bytes)
{
    face_detector *const self = (face_detector *)calloc(1, sizeof *self);
    yunet_options options = {0};
    options.weights_path = weights_path;
    options.threads = YUNET_MAX_THREADS;
    options.message = message;
    options.message_bytes = message_bytes;
    if (self == NULL) {
        (void)snprintf(message, message_bytes, "there is not enough memory");
    } else if (!fits(self)) {
        (void)snprintf(message, message_bytes, "the network is not of the YuNet family");
    } else if (!allocate(self)) {
        (void)snprintf(message, message_bytes, "there is not enough memory");
    } else if (yunet_init(&self->context, &options) == YUNET_OK) {
        return self;
    }
    face_detector_free(self);
    return NULL;
}

void face_detector_free(face_detector *self)
{
    int i;
    if (self != NULL) {
        for (i = 0; i < KINDS * LEVELS; ++i) {
            free(self->outputs[i]);
        }
        free(self->input);
        free(self->found);
        yunet_free(self->context);
        free(self);
    }
}

static float unit(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

/* Store the faces of a level whose score is high enough, with cells of across x down pixels;
 * returns their number. */
static int decode(void *const *outputs, int columns, int rows, float across, float down,
                  double least, face *to)
{
    const float *const scores = (const float *)outputs[0], *const others =
                                                               (const float *)outputs[LEVELS];
    int i, mark, count = 0;
    for (i = 0; i < columns * rows; ++i) {
        const float x = (float)(i % columns), y = (float)(i / columns);
        const float *const box = (const float *)outputs[2 * LEVELS] + 4 * i;
        const float *const marks = (const float *)outputs[3 * LEVELS] + 2 * FACE_MARKS * i;
        face *const one = to + count;
        one->score = sqrtf(unit(scores[i]) * unit(others[i]));
        one->width = expf(box[2]) * across;
        one->height = expf(box[3]) * down;
        one->left = (x + box[0]) * across - one->width / 2;
        one->top = (y + box[1]) * down - one->height / 2;
        for (mark = 0; mark < FACE_MARKS; ++mark) {
            one->marks[mark][0] = (x + marks[2 * mark]) * across;
            one->marks[mark][1] = (y + marks[2 * mark + 1]) * down;
        }
        count += one->score >= least;
    }
    return count;
}

/* The length that two parts of an axis share. */
static float shared(float first, float length, float other, float other_length)
{
    const float begin = first > other ? first : other;
    const float end = first + length < other + other_length ? first + length : other + other_length;
    return end > begin ? end - begin : 0.0f;
}

/* The area that two boxes share, as a part of the area that they cover. */
static float overlap_of(const face *a, const face *b)
{
    const float both =
        shared(a->left, a->width, b->left, b->width) * shared(a->top, a->height, b->top, b->height);
    return both / (a->width * a->height + b->width * b->height - both);
}

/* Move the faces that remain to ``faces``: each time the best one, without those that it covers. */
static int choose(face *found, int count, double overlap, face *faces, int most)
{
    int kept, i, left;
    for (kept = 0; kept < most && count > 0; ++kept) {
        int best = 0;
        for (i = 1; i < count; ++i) {
            best = found[i].score > found[best].score ? i : best;
        }
        faces[kept] = found[best];
        for (i = 0, left = 0; i < count; ++i) {
            if (i != best && !(overlap_of(&faces[kept], &found[i]) > overlap)) {
                found[left++] = found[i];
            }
        }
        count = left;
    }
    return kept;
}

static int smaller(int extent, double scale)
{
    const int found = (int)(extent * scale + 0.5);
    return found > 1 ? found : 1;
}

/* Let the network read a picture of this size, or the next larger one that it can read. */
static yunet_status set_size(face_detector *self, int *width, int *height)
{
#if defined(YUNET_EXTENT_WIDTH) && defined(YUNET_EXTENT_HEIGHT)
    yunet_status status;
    *width = *width > YUNET_EXTENT_WIDTH_LEAST ? *width : YUNET_EXTENT_WIDTH_LEAST;
    *height = *height > YUNET_EXTENT_HEIGHT_LEAST ? *height : YUNET_EXTENT_HEIGHT_LEAST;
    *width = (*width + STRIDE - 1) / STRIDE * STRIDE;
    *height = (*height + STRIDE - 1) / STRIDE * STRIDE;
    status = yunet_set_extent(self->context, YUNET_EXTENT_WIDTH, *width);
    return status != YUNET_OK ? status
                              : yunet_set_extent(self->context, YUNET_EXTENT_HEIGHT, *height);
#else
    *width = self->width;
    *height = self->height;
    return YUNET_OK;
#endif
}

int face_detector_run(face_detector *self, const picture *from, double least, double overlap,
                      face *faces, int most, char *message, size_t message_bytes)
{
    const double narrow = (double)self->width / from->width;
    const double low = (double)self->height / from->height;
    const double less = narrow < low ? narrow : low, scale = less < 1.0 ? less : 1.0;
    const int width = smaller(from->width, scale), height = smaller(from->height, scale);
    const void *inputs[1];
    int columns = width, rows = height, level, count = 0;
    yunet_status status = set_size(self, &columns, &rows);
    inputs[0] = self->input;
    if (status == YUNET_OK) {
        picture_planes(from, width, height, self->input, columns, rows);
        status = yunet_run(self->context, inputs, self->outputs);
    }
    if (status != YUNET_OK) {
        (void)snprintf(message, message_bytes, "%s", yunet_status_message(status));
        return -1;
    }
    for (level = 0; level < LEVELS; ++level) {
        const int side = STRIDES[level];
        count += decode(self->outputs + level, columns / side, rows / side,
                        (float)(side * (double)from->width / width),
                        (float)(side * (double)from->height / height), least, self->found + count);
    }
    return choose(self->found, count, overlap, faces, most);
}

#include "picture.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 1 << 28 };

/* ---- Files ---------------------------------------------------------------------------------- */

static int fail(char *message, size_t message_bytes, const char *path, const char *why)
{
    (void)snprintf(message, message_bytes, "picture '%s' %s", path, why);
    return 1;
}

/* The next number of a header, after comments; 0 where there is none. */
static int number(FILE *file)
{
    char sign[2];
    int found;
    while (fscanf(file, " %1[#]", sign) == 1) {
        (void)fscanf(file, "%*[^\n]");
    }
    return fscanf(file, "%5d", &found) == 1 && found > 0 ? found : 0;
}

static int read_from(FILE *file, picture *self, const char *path, char *message, size_t bytes)
{
    const int letter = getc(file) == 'P' ? getc(file) : EOF;
    const size_t channels = letter == '6' ? 3 : 1;
    const int width = number(file), height = number(file), largest = number(file);
    size_t count, i;
    if ((letter != '5' && letter != '6') || width == 0 || height == 0 || !isspace(getc(file))) {
        return fail(message, bytes, path, "is no PPM (P6) or PGM (P5) file");
    }
    if (largest != 255 || width > MOST_PIXELS / height) {
        return fail(message, bytes, path, "is too large, or its largest value is not 255");
    }
    count = (size_t)width * (size_t)height;
    self->pixels = (unsigned char *)malloc(count * 3);
    if (self->pixels == NULL || fread(self->pixels, channels, count, file) != count) {
        free(self->pixels);
        return fail(message, bytes, path, "ends too early, or needs more memory than there is");
    }
    for (i = count; channels == 1 && i-- > 0;) {
        memset(self->pixels + 3 * i, self->pixels[i], 3);
    }
    self->width = width;
    self->height = height;
    return 0;
}

int picture_read(picture *self, const char *path, char *message, size_t message_bytes)
{
    FILE *const file = fopen(path, "rb");
    int result;
    if (file == NULL) {
        return fail(message, message_bytes, path, "cannot be opened");
    }
    result = read_from(file, self, path, message, message_bytes);
    (void)fclose(file);
    return result;
}

int picture_write(const picture *self, const char *path, char *message, size_t message_bytes)
{
    FILE *const file = fopen(path, "wb");
    const size_t count = (size_t)self->width * (size_t)self->height;
    int wrong = file == NULL;
    if (!wrong) {
        wrong = fprintf(file, "P6\n%d %d\n255\n", self->width, self->height) < 0 ||
                fwrite(self->pixels, 3, count, file) != count;
        wrong = fclose(file) != 0 || wrong;
    }
    return wrong ? fail(message, message_bytes, path, "cannot be written") : 0;
}

/* ---- Pixels --------------------------------------------------------------------------------- */

/* The share of a pixel, from 0 to 1, that is between two places of its axis. */
static double share(int pixel, double from, double to)
{
    const double first = from > pixel ? from : pixel, last = to < pixel + 1 ? to : pixel + 1;
    return last > first ? last - first : 0.0;
}

void picture_planes(const picture *self, int width, int height, float *planes, int full_width,
                    int full_height)
{
    const double across = (double)self->width / width, down = (double)self->height / height;
    const size_t plane = (size_t)full_width * (size_t)full_height;
    int x, y, i, j, channel;
    memset(planes, 0, 3 * plane * sizeof *planes);
    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x) {
            double sums[3] = {0.0, 0.0, 0.0};
            for (j = (int)(y * down); j < self->height && j < (y + 1) * down; ++j) {
                const unsigned char *const row = self->pixels + 3 * (size_t)j * (size_t)self->width;
                const double high = share(j, y * down, (y + 1) * down);
                for (i = (int)(x * across); i < self->width && i < (x + 1) * across; ++i) {
                    const double weight = high * share(i, x * across, (x + 1) * across);
                    for (channel = 0; channel < 3; ++channel) {
                        sums[channel] += weight * row[3 * i + channel];
                    }
                }
            }
            for (channel = 0; channel < 3; ++channel) {
                planes[(size_t)(2 - channel) * plane + (size_t)y * (size_t)full_width + (size_t)x] =
                    (float)(sums[channel] / (across * down));
            }
        }
    }
}

/* Fill an area, as far as it is in the picture, with a colour. */
static void fill(picture *self, double left, double top, double right, double bottom,
                 const unsigned char *colour)
{
    int x, y;
    left = left > 0.0 ? left : 0.0;
    top = top > 0.0 ? top : 0.0;
    for (y = top < self->height ? (int)top : self->height; y < self->height && y < bottom; ++y) {
        for (x = left < self->width ? (int)left : self->width; x < self->width && x < right; ++x) {
            memcpy(self->pixels + 3 * ((size_t)y * (size_t)self->width + (size_t)x), colour, 3);
        }
    }
}

void picture_frame(picture *self, double left, double top, double right, double bottom)
{
    static const unsigned char green[3] = {0, 255, 0};
    fill(self, left, top, right, top + 2, green);
    fill(self, left, bottom - 2, right, bottom, green);
    fill(self, left, top, left + 2, bottom, green);
    fill(self, right - 2, top, right, bottom, green);
}

void picture_dot(picture *self, double x, double y)
{
    static const unsigned char red[3] = {255, 0, 0};
    fill(self, x - 2, y - 2, x + 2, y + 2, red);
}

/* Pictures in memory, and in files of the formats PPM (P6) and PGM (P5). */
#ifndef PICTURE_H
#define PICTURE_H

#include <stddef.h>

typedef struct {
    int width, height;
    unsigned char *pixels; /* red, green, blue; row by row */
} picture;

/* Read a file. Returns 0, or 1 with one line in the message. The caller frees the pixels. */
int picture_read(picture *self, const char *path, char *message, size_t message_bytes);

/* Write a PPM file. */
int picture_write(const picture *self, const char *path, char *message, size_t message_bytes);

/* Make the picture smaller, to width x height pixels, each the mean of the area that it covers.
 * Planes of blue, green and red, 0 to 255, have room for full_width x full_height; zeros fill the
 * rest. */
void picture_planes(const picture *self, int width, int height, float *planes, int full_width,
                    int full_height);

/* Draw a frame of lines of 2 pixels around an area, as far as it is in the picture. */
void picture_frame(picture *self, double left, double top, double right, double bottom);

/* Draw a square of 4 pixels around a point. */
void picture_dot(picture *self, double x, double y);

#endif

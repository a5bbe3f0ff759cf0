/* Faces in a picture, by a network of the YuNet family that autodeploy has compiled with --name
 * yunet. */
#ifndef DETECTOR_H
#define DETECTOR_H

#include "picture.h"

enum { FACE_MARKS = 5 }; /* right eye, left eye, nose, right and left corner of the mouth */

/* All places are in pixels of the picture, and may be outside of it. */
typedef struct {
    float score; /* 0 to 1 */
    float left, top, width, height;
    float marks[FACE_MARKS][2]; /* x, y */
} face;

typedef struct face_detector face_detector;

/* Make a detector; NULL, with one line in the message, where that fails. A detector has all memory
 * that it needs. Any number of detectors may be used at once, each by one thread at a time. */
face_detector *face_detector_new(const char *weights_path, char *message, size_t message_bytes);
void face_detector_free(face_detector *self);

/* Find the faces whose score is at least ``least``, the best first; of two faces that share more
 * than the part ``overlap`` of their common area, the better one remains. Stores at most ``most``
 * faces and returns their number; -1, with one line in the message, after an error. Allocates
 * nothing. */
int face_detector_run(face_detector *self, const picture *from, double least, double overlap,
                      face *faces, int most, char *message, size_t message_bytes);

#endif

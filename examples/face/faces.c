/* Draw boxes around the faces of pictures. */
#include "detector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACES = 1000 };

static int fail(const char *message)
{
    (void)fprintf(stderr, "faces: error: %s\n", message);
    return EXIT_FAILURE;
}

/* Find the faces of a file, print a line for each, and write the picture with their boxes. */
static int draw(face_detector *detector, const char *path, const char *to, double least,
                double overlap)
{
    face faces[MOST_FACES];
    char message[512];
    picture image;
    int count, i, mark, wrong;
    if (picture_read(&image, path, message, sizeof message)) {
        return fail(message);
    }
    count = face_detector_run(detector, &image, least, overlap, faces, MOST_FACES, message,
                              sizeof message);
    for (i = 0; i < count; ++i) {
        const face *const one = &faces[i];
        (void)printf("face %.4f: box %.2f %.2f %.2f %.2f, marks", (double)one->score,
                     (double)one->left, (double)one->top, (double)one->width, (double)one->height);
        picture_frame(&image, one->left, one->top, one->left + one->width, one->top + one->height);
        for (mark = 0; mark < FACE_MARKS; ++mark) {
            (void)printf(" %.2f %.2f", (double)one->marks[mark][0], (double)one->marks[mark][1]);
            picture_dot(&image, one->marks[mark][0], one->marks[mark][1]);
        }
        (void)printf("\n");
    }
    wrong = count < 0 || picture_write(&image, to, message, sizeof message);
    free(image.pixels);
    return wrong ? fail(message) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    double least = 0.7, overlap = 0.3;
    char message[512];
    face_detector *detector;
    int i, result = EXIT_SUCCESS;
    for (i = 1; i + 1 < argc && argv[i][0] == '-' && argv[i][1] == '-'; i += 2) {
        if (strcmp(argv[i], "--score") == 0) {
            least = atof(argv[i + 1]);
        } else if (strcmp(argv[i], "--overlap") == 0) {
            overlap = atof(argv[i + 1]);
        } else {
            break;
        }
    }
    if (argc - i < 3 || (argc - i) % 2 == 0 || argv[i][0] == '-') {
        return fail(
            "expected [--score 0.7] [--overlap 0.3] WEIGHTS PICTURE OUTPUT [PICTURE OUTPUT]...");
    }
    detector = face_detector_new(argv[i], message, sizeof message);
    if (detector == NULL) {
        return fail(message);
    }
    for (++i; i < argc && result == EXIT_SUCCESS; i += 2) {
        result = draw(detector, argv[i], argv[i + 1], least, overlap);
    }
    face_detector_free(detector);
    return result;
}

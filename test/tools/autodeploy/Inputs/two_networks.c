/* Two networks in one program: their names in C differ, and they share the runtime. */
#include "eyes.h"
#include "face.h"

#include <stdio.h>

int main(int count, char **paths)
{
    static float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, left[3], right[3];
    face_options first = {0};
    eyes_options second = {0};
    face_context *face;
    eyes_context *eyes;
    if (count != 3) {
        return 2;
    }
    first.weights_path = paths[1];
    second.weights_path = paths[2];
    if (face_init(&face, &first) != FACE_OK || eyes_init(&eyes, &second) != EYES_OK) {
        return 1;
    }
    face_predict(face, x, left);
    eyes_predict(eyes, left, right);
    printf("%g %g %g, %g %g\n", left[0], left[1], left[2], right[0], right[1]);
    face_free(face);
    eyes_free(eyes);
    return 0;
}

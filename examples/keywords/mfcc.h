/* The features of one second of speech, as the reference of MLPerf Tiny's keyword spotter defines
 * them: of each of 49 frames, the first 10 coefficients of the cosine transform of the logarithms
 * of 40 mel bands. */
#ifndef MFCC_H
#define MFCC_H

#include <stdint.h>

enum {
    RATE = 16000, /* samples a second */
    FRAME = 480,  /* samples of a frame: 30 ms */
    STRIDE = 320, /* samples from a frame to the next one: 20 ms */
    POINTS = 512, /* of the Fourier transform; zeros follow the samples of a frame */
    HIGHEST =
        128, /* the last frequency that a band contains, 4000 Hz, as a multiple of RATE / POINTS */
    FRAMES = (RATE - FRAME) / STRIDE + 1,
    BANDS = 40,
    COEFFICIENTS = 10
};

/* Tables that do not change. */
typedef struct {
    float window[FRAME];
    float cosines[POINTS];
    float bands[BANDS][HIGHEST + 1];
    float transform[COEFFICIENTS][BANDS];
} mfcc;

void mfcc_prepare(mfcc *self);

/* Compute FRAMES x COEFFICIENTS numbers of RATE samples; the loudness of the whole has no
 * influence. */
void mfcc_compute(const mfcc *self, const int16_t *samples, float *to);

#endif

#include "mfcc.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static double mel(double hertz)
{
    return 1127.0 * log(1.0 + hertz / 700.0);
}

void mfcc_prepare(mfcc *self)
{
    const double low = mel(20.0), width = (mel(4000.0) - low) / (BANDS + 1);
    int i, band;
    for (i = 0; i < FRAME; ++i) {
        self->window[i] = (float)(0.5 - 0.5 * cos(2.0 * PI * i / FRAME));
    }
    for (i = 0; i < POINTS; ++i) {
        self->cosines[i] = (float)cos(2.0 * PI * i / POINTS);
    }
    for (band = 0; band < BANDS; ++band) {
        for (i = 0; i <= HIGHEST; ++i) {
            /* A triangle from the centre of the band before to that of the next one. */
            const double at = (mel((double)i * RATE / POINTS) - low) / width - (band + 1);
            const double weight = at > -1.0 && at < 1.0 ? 1.0 - fabs(at) : 0.0;
            self->bands[band][i] = i > 0 ? (float)weight : 0.0f;
        }
        for (i = 0; i < COEFFICIENTS; ++i) {
            self->transform[i][band] =
                (float)(cos(PI * i * (band + 0.5) / BANDS) * sqrt(2.0 / BANDS));
        }
    }
}

/* The Fourier transform in place, by radix 2: first the order of reversed bits, then sums of pairs.
 */
static void fourier(const mfcc *self, float *real, float *imaginary)
{
    int i, j, bit, half;
    for (i = 1, j = 0; i < POINTS; ++i) {
        for (bit = POINTS / 2; j & bit; bit /= 2) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) { /* imaginary parts are zeros yet */
            const float other = real[i];
            real[i] = real[j];
            real[j] = other;
        }
    }
    for (half = 1; half < POINTS; half *= 2) {
        for (i = 0; i < POINTS; ++i) {
            const int angle = i % half * (POINTS / 2 / half), pair = i + half;
            const float cosine = self->cosines[angle],
                        sine = -self->cosines[(angle + 3 * POINTS / 4) % POINTS];
            float x, y;
            if (i & half) {
                continue;
            }
            x = real[pair] * cosine - imaginary[pair] * sine;
            y = real[pair] * sine + imaginary[pair] * cosine;
            real[pair] = real[i] - x;
            imaginary[pair] = imaginary[i] - y;
            real[i] += x;
            imaginary[i] += y;
        }
    }
}

void mfcc_compute(const mfcc *self, const int16_t *samples, float *to)
{
    float real[POINTS], imaginary[POINTS], logarithms[BANDS];
    int highest = 1, frame, band, i;
    for (i = 0; i < RATE; ++i) {
        highest = samples[i] > highest ? samples[i] : highest;
    }
    for (frame = 0; frame < FRAMES; ++frame) {
        for (i = 0; i < POINTS; ++i) {
            imaginary[i] = 0.0f;
            real[i] = i < FRAME
                          ? self->window[i] * (float)samples[frame * STRIDE + i] / (float)highest
                          : 0.0f;
        }
        fourier(self, real, imaginary);
        for (i = 0; i <= HIGHEST; ++i) {
            real[i] = sqrtf(real[i] * real[i] + imaginary[i] * imaginary[i]);
        }
        for (band = 0; band < BANDS; ++band) {
            float sum = 0.0f;
            for (i = 0; i <= HIGHEST; ++i) {
                sum += self->bands[band][i] * real[i];
            }
            logarithms[band] = logf(sum + 1e-6f);
        }
        for (i = 0; i < COEFFICIENTS; ++i) {
            float sum = 0.0f;
            for (band = 0; band < BANDS; ++band) {
                sum += self->transform[i][band] * logarithms[band];
            }
            to[frame * COEFFICIENTS + i] = sum;
        }
    }
}

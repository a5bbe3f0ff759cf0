static double milliseconds(void)
{
#if defined(_WIN32)
    LARGE_INTEGER now, steps;
    (void)QueryPerformanceCounter(&now);
    (void)QueryPerformanceFrequency(&steps);
    return (double)now.QuadPart * 1e3 / (double)steps.QuadPart;
#elif defined(CLOCK_MONOTONIC)
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
#else
    return (double)clock() * 1e3 / CLOCKS_PER_SEC;
#endif
}

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Run the model, after a tenth as many runs to warm up, and print what one run takes. */
static model_status measure(
    model_context *context, const void *const *inputs, void *const *outputs, long runs)
{
    double *const times = (double *)malloc((size_t)runs * sizeof(double));
    model_status status = MODEL_OK;
    double sum = 0.0;
    long i;
    if (times == NULL) {
        return MODEL_ERROR_MEMORY;
    }
    for (i = 0; i < runs / 10 + 1 && status == MODEL_OK; ++i) {
@if states@
        (void)model_reset(context);
@end@
        status = model_run(context, inputs, outputs);
    }
    for (i = 0; i < runs && status == MODEL_OK; ++i) {
@if states@
        double start;
        (void)model_reset(context);
        start = milliseconds();
@end@
@if not states@
        const double start = milliseconds();
@end@
        status = model_run(context, inputs, outputs);
        times[i] = milliseconds() - start;
        sum += times[i];
    }
    if (status == MODEL_OK) {
        qsort(times, (size_t)runs, sizeof(double), compare_times);
        (void)printf("%ld runs: min %.4f ms, median %.4f ms, mean %.4f ms\n", runs, times[0],
                     times[runs / 2], sum / (double)runs);
    }
    free(times);
    return status;
}

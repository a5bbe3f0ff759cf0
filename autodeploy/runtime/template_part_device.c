static const autodeploy_device_block device_blocks[] = {
@device_blocks@
};

static const int device_arguments[] = {
    @device_arguments@};

static const autodeploy_device_start device_starts[] = {
@device_starts@
};

static const int device_runs[] = {@device_runs@};

static const unsigned char device_numbers[] = {@device_numbers@};

/* In model_kernels.c. */
extern const char *const model_kernel_lines[];

static const autodeploy_device_program device_program = {
    model_kernel_lines, @device_arena@,
    device_blocks, (int)(sizeof device_blocks / sizeof device_blocks[0]),
    device_starts, (int)(sizeof device_starts / sizeof device_starts[0]),
    device_arguments,
    device_runs, (int)(sizeof device_runs / sizeof device_runs[0]),
    device_numbers, @device_number_count@,
};

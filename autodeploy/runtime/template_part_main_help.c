static autodeploy_tensor describe(const model_tensor_info *info)
{
    autodeploy_tensor tensor;
    tensor.name = info->name;
    tensor.dtype = (int)info->dtype;
    tensor.rank = info->rank;
    tensor.shape = info->shape;
    tensor.bytes = info->bytes;
    tensor.found = NULL;
    return tensor;
}

@if open@
/* An open extent, and its range. */
typedef struct {
    const char *name;
    int64_t least;
    int64_t most;
    int64_t step;
    const char *numbers; /* those that there may be, as a message says it */
@if counted@
    int is_of_state;
@end@
} open_extent;

enum { EXTENT_COUNT = (int)@extent_count@ };

static const open_extent extents[EXTENT_COUNT] = {
@extents@
};

@end@
@if shapes@
/* Describe a tensor that has other extents than the largest. */
static autodeploy_tensor describe_as(const model_tensor_info *info, const int64_t *shape)
{
    autodeploy_tensor tensor = describe(info);
    const size_t whole = autodeploy_element_count(&tensor);
    tensor.shape = shape;
    if (whole > 0) {
        tensor.bytes = tensor.bytes / whole * autodeploy_element_count(&tensor);
    }
    return tensor;
}

@end@
/* Print a number of bytes, and in units of 1000 bytes where it is large. */
static void print_size(const char *what, double bytes)
{
    static const char *const units[] = {"", "KB", "MB", "GB"};
    double count = bytes;
    int unit = 0;
    for (; count >= 999.95 && unit < 3; ++unit) {
        count /= 1000.0;
    }
    (void)printf("%s %.0f bytes", what, bytes);
    if (unit > 0) {
        (void)printf(" (%.1f %s)", count, units[unit]);
    }
    (void)printf("\n");
}

static void print_tensor_info(const char *kind, const model_tensor_info *info)
{
    char shape[SHAPE_TEXT];
    autodeploy_describe_shape(shape, sizeof shape, info->rank, info->shape);
    (void)printf("%s ", kind);
    autodeploy_print_text(stdout, info->name);
    (void)printf(": %s %s", autodeploy_find_type((int64_t)info->dtype)->name, shape);
    print_size(",", (double)info->bytes);
}

static void print_info(void)
{
    int i;
    (void)printf("model %s\n", @name@);
    for (i = 0; i < MODEL_INPUT_COUNT; ++i) {
        print_tensor_info("input", model_input_info(i));
    }
    for (i = 0; i < MODEL_OUTPUT_COUNT; ++i) {
        print_tensor_info("output", model_output_info(i));
    }
@if open@
    for (i = 0; i < EXTENT_COUNT; ++i) {
        (void)printf("extent ");
        autodeploy_print_text(stdout, extents[i].name);
        (void)printf(": %s, the shapes are for %ld\n", extents[i].numbers, (long)extents[i].most);
    }
@end@
    print_size("arena", (double)MODEL_ARENA_BYTES);
    print_size("weights", (double)MODEL_WEIGHTS_BYTES);
    print_size("context", (double)model_context_bytes());
    (void)printf("threads %d\n", MODEL_MAX_THREADS);
@if machines@
    for (i = 0; i < MODEL_MACHINE_COUNT; ++i) {
        (void)printf("machine %s\n", model_machine_name(i));
    }
@end@
}

static void print_help(const char *program)
{
@if weight_file@
    (void)printf("usage: %s WEIGHTS INPUT... [options]\n\n", program);
@end@
@if not weight_file@
    (void)printf("usage: %s INPUT... [options]\n\n", program);
@end@
    (void)printf("Run the network on %d input file%s and print its outputs.\n\n",
                 MODEL_INPUT_COUNT, MODEL_INPUT_COUNT == 1 ? "" : "s");
    (void)printf(
@if weight_file@
        "  WEIGHTS         the weight file\n"
@end@
        "  INPUT           one file for each input, in order: .bin (elements only), .npy, or\n"
        "                  .pb (ONNX TensorProto)\n"
        "  --output FILE   write an output to a .npy or .bin file instead of printing it;\n"
        "                  give it once for each output, in order\n"
        "  --top K         print the K largest values of each output, with their indices\n"
        "  --bench N       run N times and print the time of one run\n"
        "  --threads N     threads to compute with, at most %d\n"
        "  --flush-subnormals, --keep-subnormals\n"
        "                  take subnormal numbers for zero, or do not; as compiled: %s\n"
@if machines@
        "  --machine NAME  run the program for this machine, one that --info names\n"
@end@
        "  --info          print names, types, shapes and sizes, and do nothing else\n"
        "  --help          print this\n",
        MODEL_MAX_THREADS, MODEL_FLUSH_SUBNORMALS ? "flush" : "keep");
}

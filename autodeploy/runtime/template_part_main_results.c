@if label@
static int is_float(const autodeploy_tensor *tensor)
{
    return tensor->dtype == MODEL_FLOAT32 || tensor->dtype == MODEL_FLOAT64 ||
           tensor->dtype == MODEL_FLOAT16 || tensor->dtype == MODEL_BFLOAT16;
}

/* Whether a tensor is one row of scores: the last extent counts classes, any other is 1. */
static int is_scores(const autodeploy_tensor *tensor)
{
    const size_t count = autodeploy_element_count(tensor);
    return is_float(tensor) && tensor->rank >= 1 && tensor->rank <= 2 && count > 1 &&
           (size_t)tensor->shape[tensor->rank - 1] == count;
}

@end@
/* The index of the largest element below a limit: (limit, limit_index) in descending order, equal
 * ones by index. Returns count where there is none; nan is never largest. */
static size_t next_largest(
    const autodeploy_tensor *tensor, const void *data, double limit, size_t limit_index)
{
    const size_t count = autodeploy_element_count(tensor);
    size_t best = count;
    double largest = 0.0;
    size_t i;
    for (i = 0; i < count; ++i) {
        const double value = autodeploy_element(tensor->dtype, data, i);
        const int below =
            limit_index == count || value < limit || (value <= limit && i > limit_index);
        if (below && (best == count ? value <= value : value > largest)) {
            best = i;
            largest = value;
        }
    }
    return best;
}

static void print_top(const autodeploy_tensor *tensor, const void *data, long top)
{
    const size_t count = autodeploy_element_count(tensor);
    size_t at = next_largest(tensor, data, 0.0, count);
    for (; top > 0 && at < count; --top) {
        const double value = autodeploy_element(tensor->dtype, data, at);
        (void)printf("  %lu: ", (unsigned long)at);
        autodeploy_print_element(stdout, tensor, data, at);
        (void)printf("\n");
        at = next_largest(tensor, data, value, at);
    }
}

static void print_values(const autodeploy_tensor *tensor, const void *data)
{
    const size_t count = autodeploy_element_count(tensor);
    size_t i;
    for (i = 0; i < count; ++i) {
        if (count > SHOWN_IN_FULL && i == SHOWN_AT_ENDS) {
            i = count - SHOWN_AT_ENDS;
            (void)printf(" ...");
        }
        (void)printf(" ");
        autodeploy_print_element(stdout, tensor, data, i);
    }
    (void)printf("\n");
}

static void print_output(const autodeploy_tensor *tensor, const void *data, long top)
{
    char shape[SHAPE_TEXT];
    autodeploy_describe_shape(shape, sizeof shape, tensor->rank, tensor->shape);
    autodeploy_print_text(stdout, tensor->name);
    (void)printf(" %s:", shape);
    if (top > 0 && tensor->dtype != AUTODEPLOY_STRING) {
        (void)printf("\n");
        print_top(tensor, data, top);
    } else {
        print_values(tensor, data);
    }
@if label@
    if (is_scores(tensor)) {
        const size_t count = autodeploy_element_count(tensor);
        const size_t best = next_largest(tensor, data, 0.0, count);
        if (best < count) {
            (void)printf("%s %lu\n", @label@, (unsigned long)best);
        }
    }
@end@
}

@if shapes@
/* An output as the last run has made it. */
static autodeploy_tensor made_output(const model_context *context, int index)
{
    return describe_as(model_output_info(index), model_output_shape(context, index));
}

@end@
static int show_outputs(
    const model_context *context, const arguments *given, void *const *outputs)
{
    char message[MESSAGE_BYTES];
    int i;
@if not shapes@
    (void)context;
@end@
    for (i = 0; i < MODEL_OUTPUT_COUNT; ++i) {
@if not shapes@
        const autodeploy_tensor tensor = describe(model_output_info(i));
@end@
@if shapes@
        const autodeploy_tensor tensor = made_output(context, i);
@end@
        if (i >= given->output_count) {
            print_output(&tensor, outputs[i], given->top);
        } else if (autodeploy_write_tensor(
                       given->outputs[i], &tensor, outputs[i], message, sizeof message) != 0) {
            return fail(message);
        }
    }
    return EXIT_SUCCESS;
}

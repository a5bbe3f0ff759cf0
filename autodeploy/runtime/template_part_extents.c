@if open@
static int64_t extent_by(const open_growth *growth, const int64_t *steps)
{
    int64_t sum = growth->plus;
    int i;
    for (i = 0; i < @number_count@; ++i) {
        sum += growth->times[i] * steps[i];
    }
    return sum / growth->over * growth->by;
}

/* Give the open shapes their extents and strides for the numbers of a run. */
static void open_all(model_context *context)
{
    const open_tables *const open = tables_of(context);
    int i;
@if derived@
    open->derive(context->extents);
@end@
    for (i = 0; i < open->end_count; ++i) {
        const open_end *const end = &open->ends[i];
        halide_dimension_t *const dimension = &context->dimensions[end->place];
        int32_t *const field = end->is_stride ? &dimension->stride : &dimension->extent;
        const int64_t factor = extent_by(&end->growth, context->extents);
        *field = (int32_t)(end->is_further ? *field * factor : factor);
    }
    for (i = 0; open->input_axes[i].tensor >= 0; ++i) {
        const open_axis *const axis = &open->input_axes[i];
        context->input_shapes[axis->tensor][axis->axis] =
            extent_by(&axis->growth, context->extents);
    }
    for (i = 0; open->output_axes[i].tensor >= 0; ++i) {
        const open_axis *const axis = &open->output_axes[i];
        int64_t *const extent = &context->output_shapes[axis->tensor][axis->axis];
        const int64_t factor = extent_by(&axis->growth, context->extents);
        *extent = axis->is_further ? *extent * factor : factor;
    }
}

/* Give a context the shapes of the program, with their largest extents. */
static void start_open_shapes(model_context *context)
{
    const open_tables *const open = tables_of(context);
    int i;
    for (i = 0; i < open->shape_count; ++i) {
        const open_shape *const shape = &open->shapes[i];
        memcpy(
            context->dimensions + shape->first, shape->largest,
            (size_t)shape->rank * sizeof *shape->largest);
    }
    for (i = 0; i < MODEL_INPUT_COUNT; ++i) {
        if (open->inputs[i] != NULL) {
            memcpy(
                context->input_shapes[i], open->inputs[i],
                (size_t)model_input_info(i)->rank * sizeof(int64_t));
        }
    }
    for (i = 0; i < MODEL_OUTPUT_COUNT; ++i) {
        if (open->outputs[i] != NULL) {
            memcpy(
                context->output_shapes[i], open->outputs[i],
                (size_t)model_output_info(i)->rank * sizeof(int64_t));
        }
    }
}

@if counted@
/* The places of the numbers of rows of the state among the open extents. */
static const int32_t state_places[STATE_NUMBER_COUNT] = {@state_places@};

@end@
/* Until it is told otherwise, a context computes with the largest numbers. */
static void start_extents(model_context *context)
{
    int i;
    for (i = 0; i < OPEN_EXTENT_COUNT; ++i) {
        context->extents[i] = open_ranges[i].most / open_ranges[i].step;
    }
@if counted@
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        context->extents[state_places[i]] = 0;
    }
@end@
}

@end@
@if parts@
/* The first part of a range that has a number, counted from 0; -1 where none has it. */
static int part_of(const open_range *range, int64_t number)
{
    int i;
    if (number % range->step != 0) {
        return -1;
    }
    for (i = 0; i < range->part_count; ++i) {
        const open_part *const part = &open_parts[range->first + i];
        if (number >= part->least && number <= part->most) {
            return i;
        }
    }
    return -1;
}

/* Let the program for the numbers of the next run be the one that computes. */
static void choose_program(model_context *context)
{
    const model_program *program;
    int i, chosen = 0;
    for (i = 0; i < OPEN_EXTENT_COUNT; ++i) {
        const open_range *const range = &open_ranges[i];
        chosen = chosen * range->part_count + part_of(range, context->extents[i] * range->step);
    }
    program = programs[chosen];
    if (context->program != program) {
        context->program = program;
        place_buffers(context, context->weights, context->arena);
        start_open_shapes(context);
    }
}

@end@

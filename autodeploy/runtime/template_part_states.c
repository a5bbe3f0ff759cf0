/* Something that a context keeps from run to run, in the memory of states. */
typedef struct {
    size_t offset;
    int32_t number; /* which of state_numbers its rows are; -1: it is one row in all runs */
    int32_t parts;  /* how many blocks of rows there are, each with memory for the most rows */
    size_t most;
    size_t row_bytes;
} kept_state;

static const kept_state kept_states[] = {
@kept_states@
};

enum { KEPT_COUNT = (int)(sizeof kept_states / sizeof kept_states[0]) };

/* Tells a saved state from one of other networks and builds. */
static const uint8_t state_fingerprint[16] = {
    @state_fingerprint@};

@if counted@
/* An open extent that is how many rows a run finds: its place, the most there is memory for, and how
 * many rows a run leaves. */
typedef struct {
    int32_t place;
    int32_t most;
    open_growth left;
} state_number;

static const state_number state_numbers[STATE_NUMBER_COUNT] = {
@state_numbers@
};

/* Whether a run may find a number of rows. */
static int may_find(const open_range *range, int64_t rows)
{
@if whole_range@
    return rows >= range->least && rows <= range->most;
@end@
@if parts@
    return part_of(range, rows) >= 0;
@end@
}

/* Let the open extents of the next run follow from the rows that there are. */
static void follow_rows(model_context *context)
{
    int i;
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        const int32_t number = state_numbers[i].place;
        if (may_find(&open_ranges[number], context->rows[i])) {
            context->extents[number] = context->rows[i];
        }
    }
@if parts@
    choose_program(context);
@end@
    open_all(context);
}

/* A run leaves its rows; the extents of its outputs stay until another one is prepared. */
static void count_rows(model_context *context)
{
    int64_t shapes[MODEL_OUTPUT_COUNT][@max_rank@];
    int i;
    memcpy(shapes, context->output_shapes, sizeof shapes);
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        context->rows[i] = extent_by(&state_numbers[i].left, context->extents);
    }
    follow_rows(context);
    memcpy(context->output_shapes, shapes, sizeof shapes);
}

@end@
static size_t bytes_of_state(const model_context *context, const kept_state *kept)
{
@if counted@
    if (kept->number >= 0) {
        return (size_t)context->rows[kept->number] * kept->row_bytes;
    }
@end@
    (void)context;
    return kept->row_bytes;
}

/* Begin without rows, and with zeros. */
static void clear_states(model_context *context)
{
    int i;
    for (i = 0; i < KEPT_COUNT; ++i) {
        if (kept_states[i].number < 0) {
            memset(context->state + kept_states[i].offset, 0, kept_states[i].row_bytes);
        }
    }
@if counted@
    for (i = 0; i < STATE_NUMBER_COUNT; ++i) {
        context->rows[i] = 0;
    }
@end@
}


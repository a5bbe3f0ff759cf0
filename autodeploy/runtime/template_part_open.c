/* A shape that has open extents: each context has its extents for itself. */
typedef struct {
    const halide_dimension_t *largest;
    int32_t first; /* its place in model_context.dimensions */
    int32_t rank;
} open_shape;

enum { OPEN_EXTENT_COUNT = (int)@open_extent_count@, OPEN_DIMENSION_COUNT = (int)@open_dimensions@ };
@if derived@

/* The open extents, and numbers that follow from them. */
enum { OPEN_NUMBER_COUNT = OPEN_EXTENT_COUNT + (int)@derived_count@ };
@end@
@if counted@

/* The open extents that are numbers of rows of the state. */
enum { STATE_NUMBER_COUNT = (int)@state_number_count@ };
@end@

/* An extent by the steps of the numbers of a run: the sum of times * steps, and plus, over a
 * number, rounded down, by a number. */
typedef struct {
    int32_t times[@number_count@];
    int32_t plus;
    int32_t over;
    int32_t by;
} open_growth;

/* The extent or the stride of a dimension of model_context.dimensions. Of a product a further factor
 * follows the first one. */
typedef struct {
    int32_t place;
    int32_t is_stride;
    int32_t is_further;
    open_growth growth;
} open_end;

/* An open axis, outermost 0, of an input or output; further factors as for a dimension. */
typedef struct {
    int tensor; /* -1 behind the last one */
    int axis;
    int is_further;
    open_growth growth;
} open_axis;

/* What is open in a program: shapes, and axes of inputs and outputs, of which it has the largest
 * extents, NULL for a scalar. */
typedef struct {
    const open_shape *shapes;
    int shape_count;
    const open_end *ends;
    int end_count;
    const int64_t *const *inputs;
    const open_axis *input_axes;
    const int64_t *const *outputs;
    const open_axis *output_axes;
@if derived@
    void (*derive)(int64_t *extents); /* looks up the numbers that follow from the others */
@end@
} open_tables;

/* The memory that a tensor lies in. */
typedef enum {
    IN_CALLER, /* an input or output, or a view of one: known in model_run */
    IN_WEIGHTS,
@if states@
    IN_STATE, /* kept from run to run */
@end@
    IN_ARENA
} region;

/* Where a tensor lies and what it holds. */
typedef struct {
    region where;
    size_t offset; /* bytes from the start of the region */
    struct halide_type_t type;
    int32_t rank;
    const halide_dimension_t *dimensions;
@if open@
    int32_t open; /* its open shape, -1 where all extents are constants */
@end@
} place;

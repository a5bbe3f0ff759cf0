static const open_shape open_shapes[] = {
@open_shapes@
};

static const open_end open_ends[] = {
@open_ends@
};

static const int64_t *const input_shapes[] = {@input_tables@};
static const int64_t *const output_shapes[] = {@output_tables@};
static const open_axis input_axes[] = {@input_axes@};
static const open_axis output_axes[] = {@output_axes@};
@if derived@

@derived_tables@

static void derive(int64_t *extents)
{
@derived_lookups@
}
@end@

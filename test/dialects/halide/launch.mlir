// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A start of a kernel on a device: its text's name, counts along three axes, shared bytes, buffers.
// Counts of blocks and arguments may be expressions of extents.

"test.op"() {
  one = #halide.launch<"conv_0", grid = [2, 4, 7], block = [16, 4, 1], shared = 0, args = [2, 0, 1]>,
  open = #halide.launch<"conv_1", grid = [1, "(extent(2, 1) + 63) / 64", "extent(0, 2)"], block = [8, 4, 1], shared = 0, args = [2, 0, "min(extent(2, 1), 8)", "extent(2, 1) > 1 && !(extent(0, 2) == 1)", "float32(extent(2, 1) * 4)", "int64(extent(2, 1)) % 2"]>,
  none = #halide.launch<"fill_\22_1", grid = [1, 1, 1], block = [1, 1, 1], shared = 4096, args = []>
} : () -> ()

// CHECK:      one = #halide.launch<"conv_0", grid = [2, 4, 7], block = [16, 4, 1], shared = 0, args = [2, 0, 1]>,
// CHECK-SAME: open = #halide.launch<"conv_1", grid = [1, "(extent(2, 1) + 63) / 64", "extent(0, 2)"], block = [8, 4, 1], shared = 0, args = [2, 0, "min(extent(2, 1), 8)", "extent(2, 1) > 1 && !(extent(0, 2) == 1)", "float32(extent(2, 1) * 4)", "int64(extent(2, 1)) % 2"]>,
// CHECK-SAME: none = #halide.launch<"fill_\22_1", grid = [1, 1, 1], block = [1, 1, 1], shared = 4096, args = []>

// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A start of a kernel on a device: its text's name, counts along three axes, shared bytes, buffers.

"test.op"() {
  one = #halide.launch<"conv_0", grid = [2, 4, 7], block = [16, 4, 1], shared = 0, args = [2, 0, 1]>,
  none = #halide.launch<"fill_\22_1", grid = [1, 1, 1], block = [1, 1, 1], shared = 4096, args = []>
} : () -> ()

// CHECK:      one = #halide.launch<"conv_0", grid = [2, 4, 7], block = [16, 4, 1], shared = 0, args = [2, 0, 1]>,
// CHECK-SAME: none = #halide.launch<"fill_\22_1", grid = [1, 1, 1], block = [1, 1, 1], shared = 4096, args = []>

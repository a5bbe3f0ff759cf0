// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A device is a setting as all others. A machine that is no preset has none unless it is given.

"test.op"() {
  preset = #machine.description<"x86-64-avx2", device = "opencl", cores = 2>,
  other = #machine.description<"board", target = "arm-64-linux", device = "opencl", l1 = 64K>,
  without = #machine.description<"board", target = "arm-64-linux", l1 = 64K>
} : () -> ()

// CHECK:      preset = #machine.description<"x86-64-avx2", device = "opencl", cores = 2>,
// CHECK-SAME: other = #machine.description<"board", target = "arm-64-linux", device = "opencl", cores = 1, l1 = 64K,
// CHECK-SAME: without = #machine.description<"board", target = "arm-64-linux", cores = 1, l1 = 64K,

// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Settings are printed in one order, and not at all where they are those of the preset. A machine
// that is no preset has Halide's target string and every setting.

"test.op"() {
  preset = #machine.description<"x86-64-avx512">,
  changed = #machine.description<"x86-64-avx512", l2 = 2097152, cores = 2, l3 = 16M>,
  system = #machine.description<"aarch64-neon", os = "osx">,
  other = #machine.description<"board", target = "arm-64-linux-arm_dot_prod", l1 = 64K>,
  costs = #machine.description<"x86-64-avx2", fma_per_cycle = 1.5, efficiency = 1.0, parallel_work = 1>
} : () -> ()

// CHECK:      preset = #machine.description<"x86-64-avx512">,
// CHECK-SAME: changed = #machine.description<"x86-64-avx512", cores = 2, l2 = 2M>,
// CHECK-SAME: system = #machine.description<"aarch64-neon", os = "osx">,
// CHECK-SAME: other = #machine.description<"board", target = "arm-64-linux-arm_dot_prod", cores = 1, l1 = 64K, l2 = 512K, l3 = 0, fma_per_cycle = 2.0, {{.*}}, parallel_work = 64K>,
// CHECK-SAME: costs = #machine.description<"x86-64-avx2", fma_per_cycle = 1.5, efficiency = 1.0, parallel_work = 1>

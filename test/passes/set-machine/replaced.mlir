// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon | filecheck %s

// The last machine is the one that counts; other attributes of the module stay.

builtin.module attributes {nn.model = "digits", autodeploy.machine = #machine.description<"x86-64-avx2", cores = 4>} {
}

// CHECK: builtin.module attributes {nn.model = "digits", autodeploy.machine = #machine.description<"aarch64-neon">} {

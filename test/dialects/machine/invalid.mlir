// RUN: autodeploy-opt %s --schedule-kernels --split-input-file --verify-diagnostics

// What does not describe a machine is refused with what was found.

// expected-error@+1 {{machine 'x86-64-avx3' is no preset; did you mean 'x86-64-avx2'?; any other has a target, and presets are x86-64, }}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx3">} {
}

// -----

// expected-error@+1 {{unknown machine setting 'core=2'; did you mean 'cores'?}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", core = 2>} {
}

// -----

// expected-error@+1 {{l2 is a number of bytes, or has the suffix K or M, found '1G'}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", l2 = 1G>} {
}

// -----

// expected-error@+1 {{machine setting 'l2' is given twice}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", l2 = 1M, l2 = 2M>} {
}

// -----

// expected-error@+1 {{cores is a number from 1 to 1024, found '4096'}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", cores = 4096>} {
}

// -----

// expected-error@+1 {{l3 is at most 1099511627776 bytes, found '9999999M'}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", l3 = 9999999M>} {
}

// -----

// expected-error@+1 {{fma_per_cycle is a number above 0, found '-1'}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", fma_per_cycle = -1>} {
}

// -----

// expected-error@+1 {{efficiency is a number above 0, found '0.0'}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", efficiency = 0.0>} {
}

// -----

// expected-error@+1 {{set_bytes is a number from 1 on, found '0'}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", set_bytes = 0>} {
}

// -----

// expected-error@+1 {{no machine for Halide target 'mips-32-linux'}}
builtin.module attributes {autodeploy.machine = #machine.description<"board", target = "mips-32-linux">} {
}

// -----

// expected-error@+1 {{'autodeploy.machine' of the module is a #machine.description, found "x86-64"}}
builtin.module attributes {autodeploy.machine = "x86-64"} {
}

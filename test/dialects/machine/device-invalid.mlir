// RUN: autodeploy-opt %s --schedule-kernels --split-input-file --verify-diagnostics

// There is no such kind of device, or no library of one on the machine.

// expected-error@+1 {{found 'opencll'; did you mean 'opencl'?}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencll">} {
}

// -----

// expected-error@+1 {{machine setting 'device' has no value, expected device=…}}
builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "">} {
}

// -----

// expected-error@+1 {{has no libraries, and so no device}}
builtin.module attributes {autodeploy.machine = #machine.description<"cortex-m7", device = "opencl">} {
}

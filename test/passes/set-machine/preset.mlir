// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=4:l2=1M:l3=1000 | filecheck %s --check-prefix=CHANGED
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx3 2>&1 | filecheck %s --check-prefix=UNKNOWN

// A preset is its name, and the settings that differ from it.

builtin.module {
}

// CHECK:   builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
// CHANGED: #machine.description<"x86-64-avx2", cores = 4, l2 = 1M, l3 = 1000>
// UNKNOWN: unknown machine 'x86-64-avx3'; did you mean 'x86-64-avx2'?

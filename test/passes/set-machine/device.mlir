// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon:cores=2:device=opencl | filecheck %s --check-prefix=ARM
// RUN: autodeploy-opt %s --set-machine=machine=host:device=opencl | filecheck %s --check-prefix=HOST
// RUN: autodeploy-opt %s --set-machine=machine=host:device=cuda-sm_87 | filecheck %s --check-prefix=JETSON
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon:device=opencl-mali | filecheck %s --check-prefix=MALI
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=cudaa 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not autodeploy-opt %s --set-machine=machine=wasm32-simd128:device=opencl 2>&1 | filecheck %s --check-prefix=WASM
// RUN: not autodeploy-opt %s --set-machine=machine=cortex-m7:device=opencl 2>&1 | filecheck %s --check-prefix=BARE

// The device of a machine is written down with it; a program for a system without libraries has none.

builtin.module {
}

// CHECK:   #machine.description<"x86-64", device = "opencl">
// ARM:     #machine.description<"aarch64-neon", device = "opencl", cores = 2>
// HOST:    #machine.description<"host", target = "{{.*}}", device = "opencl",
// JETSON:  #machine.description<"host", target = "{{.*}}", device = "cuda-sm_87",
// MALI:    #machine.description<"aarch64-neon", device = "opencl-mali">
// UNKNOWN: device is one of opencl, opencl-adreno, {{.*}}, cuda, cuda-sm_75, {{.*}}, found 'cudaa'; did you mean 'cuda'?
// WASM:    has no libraries, and so no device
// BARE:    has no libraries, and so no device

// RUN: autodeploy-opt %s --set-machine=machine=wasm32-simd128:device=webgpu | filecheck %s
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=webgpu 2>&1 | filecheck %s --check-prefix=HOST
// RUN: not autodeploy-opt %s --set-machine=machine=scalar:device=webgpu 2>&1 | filecheck %s --check-prefix=SCALAR

// WebGPU is the device of a page, whose processor is WebAssembly's.

builtin.module {
}

// CHECK:  #machine.description<"wasm32-simd128", device = "webgpu">
// HOST:   device=webgpu is for a page, machine 'wasm32-simd128:device=webgpu', not for 'x86-64-linux'
// SCALAR: device=webgpu is for a page, machine 'wasm32-simd128:device=webgpu', not for 'portable-c-linux'

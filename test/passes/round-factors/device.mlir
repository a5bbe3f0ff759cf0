// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-zen4:device=opencl --round-factors 2>&1 | filecheck %s

// Products of bfloat16 are for kernels of the processor.

func.func @empty() {
  func.return
}

// CHECK: device 'opencl' has no products of bfloat16; --precision weights=bf16 stores weights as bfloat16

// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels=products=f16 2>&1 | filecheck %s --check-prefix=OLD
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels=products=tf32 2>&1 | filecheck %s --check-prefix=OPENCL
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64 --place-kernels=products=tf32 2>&1 | filecheck %s --check-prefix=HOST
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=f8 2>&1 | filecheck %s --check-prefix=TYPE

// A machine that has no tensor cores for a type is refused.

func.func @f(%a: tensor<20x64xf32>) -> tensor<20x64xf32> {
  func.return %a : tensor<20x64xf32>
}

// OLD: device 'cuda' has no tensor cores for products of f16; cuda-sm_80 is the first device that has
// OPENCL: device 'opencl' has no tensor cores for products of tf32; cuda-sm_80 is the first device that has
// HOST: machine 'x86-64' has no tensor cores for products of tf32; cuda-sm_80 is the first device that has
// TYPE: no device has tensor cores for products of 'f8'

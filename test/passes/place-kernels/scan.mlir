// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// Each step of a scan needs the one before.

func.func @f(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %y = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.cumsum %i {axis = 1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  func.return %y : tensor<4x16xf32>
}

// CHECK: %y = nn.kernel(%x) {halide.on_host = "a scan has one step after another"} :

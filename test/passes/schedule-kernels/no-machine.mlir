// RUN: not autodeploy-opt %s --form-kernels --convert-nn-to-halide --schedule-kernels 2>&1 | filecheck %s
// RUN: not autodeploy-opt %s --form-kernels --fuse-kernels 2>&1 | filecheck %s
// RUN: not autodeploy-opt %s --form-kernels --configure-kernels 2>&1 | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --configure-kernels=plain=true | filecheck %s --check-prefix=NO-NEED

// No pass takes the machine at hand where the module names none.

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK:   error: the module does not say what machine it is for: run set-machine first, or give it the attribute 'autodeploy.machine'
// NO-NEED: #nn.config<plain>

// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// The processor runs the kernels of loops and of choices.

func.func @f(%x: tensor<5x4xf32>, %go: tensor<i1>, %p: tensor<4xf32>) -> (tensor<5x4xf32>, tensor<4xf32>) {
  %y = nn.for steps 5 from () over (%x) with () {backwards = array<i64: 0, 0>} : (), (tensor<5x4xf32>), () -> (tensor<5x4xf32>) {
  ^bb0(%i: tensor<i64>, %row: tensor<4xf32>):
    %a = nn.kernel(%row) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%j: tensor<4xf32>):
      %r = nn.relu %j : (tensor<4xf32>) -> tensor<4xf32>
      nn.yield %r : tensor<4xf32>
    }
    nn.yield %a : tensor<4xf32>
  }
  %z = nn.if %go with (%p) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%q: tensor<4xf32>):
    %b = nn.kernel(%q) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%j: tensor<4xf32>):
      %r = nn.exp %j : (tensor<4xf32>) -> tensor<4xf32>
      nn.yield %r : tensor<4xf32>
    }
    nn.yield %b : tensor<4xf32>
  } else {
  ^bb0(%q: tensor<4xf32>):
    nn.yield %q : tensor<4xf32>
  }
  func.return %y, %z : tensor<5x4xf32>, tensor<4xf32>
}

// CHECK: %a = nn.kernel(%row) {halide.on_host = "it is in a loop or a choice"} :
// CHECK: %b = nn.kernel(%q) {halide.on_host = "it is in a loop or a choice"} :

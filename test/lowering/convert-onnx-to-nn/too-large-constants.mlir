// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// Constants that a conversion makes are bounded before they are made.

func.func @main(%i: tensor<1xi64>, %v: tensor<2xf32>, %x: tensor<40000x40000xf32>, %t: tensor<40000000x2xf32>, %n: tensor<40000000x1xi64>) {
  %depth = nn.constant #nn.dense<4611686018427387904 : tensor<i64>>
  %0 = "onnx.OneHot.v11"(%i, %depth, %v) : (tensor<1xi64>, tensor<i64>, tensor<2xf32>) -> tensor<*xf32> loc("marks")
  %1 = "onnx.Trilu"(%x) : (tensor<40000x40000xf32>) -> tensor<40000x40000xf32> loc("mask")
  %2 = "onnx.GatherND"(%t, %n) <{batch_dims = 1 : i64}> : (tensor<40000000x2xf32>, tensor<40000000x1xi64>) -> tensor<40000000xf32> loc("starts")
  func.return
}

// CHECK: GatherND-13 node 'starts' on f32: it needs a constant of 320000000 bytes, but constants have 268435456 at most
// CHECK: OneHot-11 node 'marks' on i64: it needs a constant of 36893488147419103232 bytes, but constants have 268435456 at most
// CHECK: Trilu-14 node 'mask' on f32: it needs a constant of 1600000000 bytes, but constants have 268435456 at most

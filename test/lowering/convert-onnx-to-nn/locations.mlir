// RUN: autodeploy-opt --convert-onnx-to-nn --print-debuginfo %s | filecheck %s

// Every op that comes from a node has the name of the node, constants too.

// CHECK: nn.elu %x {{.*}} loc("block/act:0")
// CHECK-NEXT: nn.constant {{.*}} loc("block/act:0")
// CHECK-NEXT: nn.mul {{.*}} loc("block/act:0")

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "onnx.Selu"(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("block/act:0")
  func.return %y : tensor<2xf32>
}

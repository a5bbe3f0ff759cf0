// With --mlir-print-debuginfo, ops that the text gives no location have their place in it.

// RUN: autodeploy-opt %s -mlir-print-debuginfo | filecheck %s --check-prefix=READ
// RUN: autodeploy-opt %s -mlir-print-debuginfo -fuse-swish | filecheck %s --check-prefix=FUSED
// RUN: autodeploy-opt %s -mlir-print-debuginfo | autodeploy-opt -mlir-print-debuginfo | filecheck %s --check-prefix=READ
// RUN: autodeploy-opt %s | filecheck %s --check-prefix=PLAIN

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = nn.sigmoid %x : (tensor<2xf32>) -> tensor<2xf32> loc("Sigmoid_3")
  %p = nn.mul %x, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %p : tensor<2xf32>
}

// READ:      nn.sigmoid {{.*}} loc("Sigmoid_3")
// READ-NEXT: nn.mul {{.*}} loc("{{.*}}debuginfo-places.mlir":10:3)
// READ-NEXT: func.return {{.*}} loc("{{.*}}debuginfo-places.mlir":11:3)
// FUSED:     nn.swish {{.*}} loc(fused[
// FUSED-DAG: "Sigmoid_3"
// FUSED-DAG: debuginfo-places.mlir":10:3
// PLAIN-NOT: loc(

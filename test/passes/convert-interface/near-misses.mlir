// RUN: autodeploy-opt %s --convert-interface | filecheck %s

// Arithmetic could leave 32 bits, and so can an output. What is looked up is no place.

func.func @sums(%x: tensor<3xi64>, %i: tensor<2xi32>, %f: tensor<3xf32>) -> (tensor<3xi64>, tensor<2xi64>, tensor<3xf32>) {
  %s = nn.add %x, %x : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %g = nn.gather %x, %i {axis = 0} : (tensor<3xi64>, tensor<2xi32>) -> tensor<2xi64>
  func.return %s, %g, %f : tensor<3xi64>, tensor<2xi64>, tensor<3xf32>
}

// CHECK:      func.func @sums(%x: tensor<3xi32>, %i: tensor<2xi32>, %f: tensor<3xf32>) -> (tensor<3xi64>, tensor<2xi64>, tensor<3xf32>) {
// CHECK-NEXT:   %[[x:.*]] = nn.cast %x : (tensor<3xi32>) -> tensor<3xi64>
// CHECK-NEXT:   %s = nn.add %[[x]], %[[x]] : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
// CHECK-NEXT:   %g = nn.gather %[[x]], %i {axis = 0 : i64} : (tensor<3xi64>, tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT:   func.return %s, %g, %f : tensor<3xi64>, tensor<2xi64>, tensor<3xf32>

// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A call of the library has any number of results, and numbers that it is given.

func.func @f(%x: tensor<2x9xf32>, %k: tensor<1xi64>) {
  %0 = nn.library_call "order"(%x) {parameters = array<i64: 1>} : (tensor<2x9xf32>) -> tensor<2x3xi64>
  nn.library_call "choose"(%k, %k) {checks} : (tensor<1xi64>, tensor<1xi64>) -> ()
  %1 = nn.library_call "trees"(%x) {rows} : (tensor<2x9xf32>) -> tensor<2x3xf64>
  func.return
}

// CHECK: %0 = nn.library_call "order"(%x) {parameters = array<i64: 1>} : (tensor<2x9xf32>) -> tensor<2x3xi64>
// CHECK-NEXT: nn.library_call "choose"(%k, %k) {checks} : (tensor<1xi64>, tensor<1xi64>) -> ()
// CHECK-NEXT: %1 = nn.library_call "trees"(%x) {rows} : (tensor<2x9xf32>) -> tensor<2x3xf64>

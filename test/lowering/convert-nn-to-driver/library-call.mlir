// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// A call of the library gets dense operands; one without results stays.

func.func @main(%x: tensor<2x9xf32>, %k: tensor<1xi64>) -> tensor<2x3xi64> {
  %part = nn.slice %x {starts = array<i64: 0, 1>, sizes = array<i64: 2, 4>, steps = array<i64: 1, 1>} : (tensor<2x9xf32>) -> tensor<2x4xf32>
  nn.library_call "choose"(%k, %k) {checks} : (tensor<1xi64>, tensor<1xi64>) -> ()
  %0 = nn.library_call "order"(%part) {parameters = array<i64: 1>} : (tensor<2x4xf32>) -> tensor<2x3xi64>
  func.return %0 : tensor<2x3xi64>
}

// CHECK: [[PART:%.*]] = driver.view %x {offset = 1 : i64} : memref<2x9xf32> to memref<2x4xf32, strided<[9, 1]>>
// CHECK-NEXT: driver.library_call "choose"(%k, %k) to ()
// CHECK-NEXT: [[DENSE:%.*]] = driver.buffer : memref<2x4xf32>
// CHECK-NEXT: driver.copy [[PART]] to [[DENSE]]
// CHECK-NEXT: driver.library_call "order"([[DENSE]]) to (%0) {parameters = array<i64: 1>}

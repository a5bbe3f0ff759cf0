// RUN: autodeploy-opt %s --widen-floats | filecheck %s

// A choice has the types of the model; values within its branches have 32 bits.
func.func @choice(%b: tensor<i1>, %x: tensor<3xf16>) -> tensor<3xf16> {
  %d = nn.add %x, %x : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %r = nn.if %b with (%d) : tensor<i1>, (tensor<3xf16>) -> tensor<3xf16> {
  ^bb0(%t: tensor<3xf16>):
    %n = nn.neg %t : (tensor<3xf16>) -> tensor<3xf16>
    nn.yield %n : tensor<3xf16>
  } else {
  ^bb0(%e: tensor<3xf16>):
    nn.yield %e : tensor<3xf16>
  }
  func.return %r : tensor<3xf16>
}

// CHECK:      %d = nn.add {{.*}} -> tensor<3xf32>
// CHECK-NEXT: %[[d:.*]] = nn.cast %d : (tensor<3xf32>) -> tensor<3xf16>
// CHECK-NEXT: %r = nn.if %b with (%[[d]]) : tensor<i1>, (tensor<3xf16>) -> tensor<3xf16> {
// CHECK-NEXT: ^{{.*}}(%t: tensor<3xf16>):
// CHECK-NEXT:   %[[t:.*]] = nn.cast %t : (tensor<3xf16>) -> tensor<3xf32>
// CHECK-NEXT:   %n = nn.neg %[[t]] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %[[n:.*]] = nn.cast %n : (tensor<3xf32>) -> tensor<3xf16>
// CHECK-NEXT:   nn.yield %[[n]] : tensor<3xf16>
// CHECK-NEXT: } else {

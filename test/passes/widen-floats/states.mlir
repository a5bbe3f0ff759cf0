// RUN: autodeploy-opt %s --split-input-file --widen-floats | filecheck %s

// A cache keeps its 16 bits: new rows are narrowed before they are appended, and readers widen all rows.

// CHECK:      func.func @main(%past: tensor<3x16xf16> {nn.state = 0 : i64}, %new: tensor<1x16xf16>)
// CHECK-NEXT:   [[N:%.*]] = nn.cast %new : (tensor<1x16xf16>) -> tensor<1x16xf32>
// CHECK-NEXT:   %k = nn.tanh [[N]] : (tensor<1x16xf32>) -> tensor<1x16xf32>
// CHECK-NEXT:   [[K:%.*]] = nn.cast %k : (tensor<1x16xf32>) -> tensor<1x16xf16>
// CHECK-NEXT:   %all = nn.concat %past, [[K]] {axis = 0 : i64} : (tensor<3x16xf16>, tensor<1x16xf16>) -> tensor<4x16xf16>
// CHECK-NEXT:   [[A:%.*]] = nn.cast %all : (tensor<4x16xf16>) -> tensor<4x16xf32>
// CHECK-NEXT:   nn.tanh [[A]]
// CHECK:        func.return %all
func.func @main(%past: tensor<3x16xf16> {nn.state = 0 : i64}, %new: tensor<1x16xf16>) -> (tensor<4x16xf16>, tensor<4x16xf16>) {
  %k = nn.tanh %new : (tensor<1x16xf16>) -> tensor<1x16xf16>
  %all = nn.concat %past, %k {axis = 0} : (tensor<3x16xf16>, tensor<1x16xf16>) -> tensor<4x16xf16>
  %y = nn.tanh %all : (tensor<4x16xf16>) -> tensor<4x16xf16>
  func.return %all, %y : tensor<4x16xf16>, tensor<4x16xf16>
}

// -----

// A join that is no state, and one that has the new rows first.

// CHECK:        nn.concat {{.*}} -> tensor<4x16xf32>
// CHECK:        nn.concat {{.*}} -> tensor<4x16xf32>
func.func @main(%past: tensor<3x16xf16> {nn.state = 0 : i64}, %new: tensor<1x16xf16>) -> (tensor<4x16xf16>, tensor<4x16xf16>) {
  %all = nn.concat %new, %past {axis = 0} : (tensor<1x16xf16>, tensor<3x16xf16>) -> tensor<4x16xf16>
  %y = nn.concat %past, %new {axis = 0} : (tensor<3x16xf16>, tensor<1x16xf16>) -> tensor<4x16xf16>
  func.return %all, %y : tensor<4x16xf16>, tensor<4x16xf16>
}

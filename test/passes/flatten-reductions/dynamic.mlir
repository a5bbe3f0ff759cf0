// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --flatten-reductions | diff %t -

// The elements of a run would not be the first ones of a list.

module {
  func.func @f(%x: tensor<3x8xf32, #nn.extents<[3, d0], "batch", 1 to 8>>) -> tensor<f32> {
    %y = nn.kernel(%x) : (tensor<3x8xf32, #nn.extents<[3, d0], "batch", 1 to 8>>) -> tensor<f32> {
    ^bb0(%a: tensor<3x8xf32, #nn.extents<[3, d0], "batch", 1 to 8>>):
      %m = nn.reduce %a {kind = #nn<reduction max>, axes = array<i64: 0, 1>} : (tensor<3x8xf32, #nn.extents<[3, d0], "batch", 1 to 8>>) -> tensor<f32>
      nn.yield %m : tensor<f32>
    }
    func.return %y : tensor<f32>
  }
}

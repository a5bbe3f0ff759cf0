// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Extents that only a run knows: numbers of the run in steps of their ranges, sums, multiples, products and quotients of
// them that are rounded down. Equal ones are printed the same, whichever way they are written.

func.func @f(
  // CHECK:      func.func @f(%sum: tensor<67x4xf32, #nn.extents<[d0 + 3, 4], "n", 1 to 64>>,
  %sum: tensor<67x4xf32, #nn.extents<[1 + d0 + 2, 4], "n", 1 to 64>>,
  // CHECK-SAME: %multiple: tensor<128x61xf32, #nn.extents<[2 * d0, d0 - 3], "n", 4 to 64>>,
  %multiple: tensor<128x61xf32, #nn.extents<[d0 * 2, d0 - 3], "n", 4 to 64>>,
  // CHECK-SAME: %quotient: tensor<32x30xf32, #nn.extents<[(d0 + 1) / 2, d0 / 4 * 2], "n", 1 to 63>>,
  %quotient: tensor<32x30xf32, #nn.extents<[(d0 + 1) / 2, d0 / 4 * 2], "n", 1 to 63>>,
  // CHECK-SAME: %two: tensor<12x32xf32, #nn.extents<[d0 + d1, d0 * d1], "b", 1 to 4, "n", 2 to 8>>,
  %two: tensor<12x32xf32, #nn.extents<[d1 + d0, d1 * d0], "b", 1 to 4, "n", 2 to 8>>,
  // CHECK-SAME: %second: tensor<8xf32, #nn.extents<[d1], "b", 1 to 4, "n", 2 to 8>>,
  %second: tensor<8xf32, #nn.extents<[d1], "b", 1 to 4, "n", 2 to 8>>,
  // CHECK-SAME: %step: tensor<64xf32, #nn.extents<[8 * d0], "n", 1 to 8 by 8>>)
  %step: tensor<64xf32, #nn.extents<[d0 * 8], "n", 1 to 8 by 8>>
) {
  // Starts and sizes of a slice may be extents, too.
  // CHECK: nn.slice %sum {starts = #nn.extents<[d0 + 2, 0], "n", 1 to 64>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>}
  %last = nn.slice %sum {starts = #nn.extents<[d0 + 2, 0], "n", 1 to 64>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<67x4xf32, #nn.extents<[d0 + 3, 4], "n", 1 to 64>>) -> tensor<1x4xf32>
  // CHECK: nn.slice %sum {starts = array<i64: 2, 0>, sizes = #nn.extents<[d0 + 1, 2], "n", 1 to 64>, steps = array<i64: 1, 2>}
  %inner = nn.slice %sum {starts = array<i64: 2, 0>, sizes = #nn.extents<[d0 + 1, 2], "n", 1 to 64>, steps = array<i64: 1, 2>} : (tensor<67x4xf32, #nn.extents<[d0 + 3, 4], "n", 1 to 64>>) -> tensor<65x2xf32, #nn.extents<[d0 + 1, 2], "n", 1 to 64>>
  // A constant has the elements for the largest numbers.
  // CHECK: nn.constant #nn.dense<0.0 : tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>>
  %c = nn.constant #nn.dense<0.0 : tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>>
  func.return
}

// RUN: autodeploy-opt %s --form-kernels --mark-open-axes | filecheck %s

// What is taken from among the first elements, as many as the least number says, is there in each run: the result is
// closed. So are both places of an axis that has two elements for each of the number.

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}, %y: tensor<16xf32> {nn.open = array<i64: 2>}) -> (tensor<2x6xf32>, tensor<6xf32>) {
    %s = nn.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 2, 6>, steps = array<i64: -2, 1>} : (tensor<8x6xf32>) -> tensor<2x6xf32>
    %first = nn.relu %s : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %t = nn.slice %y {starts = array<i64: 0>, sizes = array<i64: 6>, steps = array<i64: 1>} : (tensor<16xf32>) -> tensor<6xf32>
    %second = nn.relu %t : (tensor<6xf32>) -> tensor<6xf32>
    func.return %first, %second : tensor<2x6xf32>, tensor<6xf32>
  }
}

// CHECK:     %s = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 0, 0>]}
// CHECK:     %first = nn.kernel(%s) :
// CHECK-NOT: open
// CHECK:     %second = nn.kernel(%t) :

// RUN: autodeploy-opt %s --convert-onnx-to-nn | filecheck %s

// What a run lacks of an open extent is not selected: the condition has room for all numbers.

// CHECK:      func.func @main(%x: tensor<8xi1, #nn.extents<[d0], "n", 1 to 8>>
// CHECK-DAG:    [[PLACES:%[a-z0-9_]+]] = nn.constant #nn.{{.*}}tensor<8xi64>
// CHECK:        [[END:%[a-z0-9_]+]] = nn.extent %x
// CHECK:        [[LAST:%[a-z0-9_]+]] = nn.sub [[END]]
// CHECK:        [[INSIDE:%[a-z0-9_]+]] = nn.min {{.*}}[[LAST]]
// CHECK:        [[WIDE:%[a-z0-9_]+]] = nn.gather %x, [[INSIDE]] {axis = 0 : i64} : (tensor<8xi1, #nn.extents<[d0], "n", 1 to 8>>, tensor<8xi64>) -> tensor<8xi1>
// CHECK:        [[COUNTS:%[a-z0-9_]+]] = nn.less
// CHECK:        [[FLAGS:%[a-z0-9_]+]] = nn.where [[COUNTS]], [[WIDE]]
// CHECK:        nn.library_call "select"([[FLAGS]])
// CHECK:        func.return {{.*}} : tensor<1x8xi64>, tensor<2xi64>
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8xi1, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<*xi64> {
    %places = "onnx.NonZero"(%x) : (tensor<8xi1, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<*xi64>
    func.return %places : tensor<*xi64>
  }
}

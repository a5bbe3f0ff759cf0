// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Tiles that do not divide rows or columns overlap: threads share groups of them.

func.func @rows(%l: tensor<211x65xf32>, %r: tensor<65x32xf32>) -> tensor<211x32xf32> {
  %y = nn.matmul %l, %r : (tensor<211x65xf32>, tensor<65x32xf32>) -> tensor<211x32xf32>
  func.return %y : tensor<211x32xf32>
}

// Eighteen tiles of rows.

// CHECK: halide.pipeline @matmul_0
// CHECK: halide.split %out "y" to "mo", "mt" by 12 {tail = #halide<tail shift_inwards>}
// CHECK: halide.split %out "mo" to "mb", "mo" by 3 :
// CHECK: halide.parallel %out "mb"

func.func @columns(%l: tensor<5x65xf32>, %r: tensor<65x331xf32>) -> tensor<5x331xf32> {
  %y = nn.matmul %l, %r : (tensor<5x65xf32>, tensor<65x331xf32>) -> tensor<5x331xf32>
  func.return %y : tensor<5x331xf32>
}

// CHECK: halide.pipeline @matmul_1
// CHECK: halide.split %out "x" to "no", "nt" by 48 {tail = #halide<tail shift_inwards>}
// CHECK: halide.split %out "no" to "nog", "no" by 4 {tail = #halide<tail guard_with_if>}
// CHECK: halide.parallel %out "nog"
// CHECK: halide.reorder %out ["nt", "mt", "mo", "no", "nog"]

// Of two tiles of rows that overlap there are no groups. Lower tiles divide the rows.

func.func @few(%l: tensor<26x333xf32>, %r: tensor<333x17xf32>) -> tensor<26x17xf32> {
  %y = nn.matmul %l, %r : (tensor<26x333xf32>, tensor<333x17xf32>) -> tensor<26x17xf32>
  func.return %y : tensor<26x17xf32>
}

// CHECK: halide.pipeline @matmul_2
// CHECK: halide.split %out "y" to "mo", "mt" by 13 :
// CHECK: halide.parallel %out "mb"

func.func @row(%l: tensor<1x333xf32>, %r: tensor<333x1003xf32>) -> tensor<1x1003xf32> {
  %y = nn.matmul %l, %r : (tensor<1x333xf32>, tensor<333x1003xf32>) -> tensor<1x1003xf32>
  func.return %y : tensor<1x1003xf32>
}

// CHECK: halide.pipeline @matmul_3
// CHECK: halide.split %out "no" to "nog", "no" by 2 {tail = #halide<tail guard_with_if>}
// CHECK: halide.parallel %out "nog"

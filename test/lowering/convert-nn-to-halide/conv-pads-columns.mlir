// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// An image of which only columns are padded has its last row below the end, too: a schedule may keep as
// many rows for the last band as for others.

func.func @f(%x: tensor<1x9x11x4xf32>, %w: tensor<1x3x4x8xf32>) -> tensor<1x9x11x8xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x9x11x4xf32>, tensor<1x3x4x8xf32>) -> tensor<1x9x11x8xf32>
  func.return %y : tensor<1x9x11x8xf32>
}

// CHECK:      %padded = halide.func "padded"(c %{{.*}}, x %{{.*}}, y %[[Y:.*]], n %{{.*}})
// CHECK:      %[[LAST:.*]] = halide.const 8 : i32
// CHECK:      %[[ROW:.*]] = halide.min %[[Y]], %[[LAST]]
// CHECK:      halide.load %in0[%{{.*}}, %{{.*}}, %[[ROW]], %{{.*}}]

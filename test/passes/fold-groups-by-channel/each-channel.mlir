// RUN: autodeploy-opt %s --fold-groups-by-channel | filecheck %s

// Where each channel is a group of its own, there is one fold. Two images of one shape may meet, and a pool makes one, too.

func.func @f(%x: tensor<1x6x8x8xf32>) -> (tensor<1x6x8x8xf32>, tensor<1x6xf32>) {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %b = nn.relu %a : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x6x64xf32>
  %h = nn.reshape %b : (tensor<1x6x8x8xf32>) -> tensor<1x6x64xf32>
  %s = nn.add %g, %h : (tensor<1x6x64xf32>, tensor<1x6x64xf32>) -> tensor<1x6x64xf32>
  %m = nn.reduce %s {kind = #nn<reduction max>, axes = array<i64: 2>} : (tensor<1x6x64xf32>) -> tensor<1x6xf32>
  %y = nn.reshape %s : (tensor<1x6x64xf32>) -> tensor<1x6x8x8xf32>
  func.return %y, %m : tensor<1x6x8x8xf32>, tensor<1x6xf32>
}

// CHECK:      %s = nn.add %a, %b : (tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
// CHECK-NEXT: %m = nn.reduce %s {kind = #nn<reduction max>, axes = array<i64: 2, 3>} : (tensor<1x6x8x8xf32>) -> tensor<1x6xf32>
// CHECK-NEXT: func.return %s, %m

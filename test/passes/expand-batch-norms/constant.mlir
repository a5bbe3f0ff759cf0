// RUN: autodeploy-opt %s --expand-batch-norms | filecheck %s

// (x - 3) / sqrt(4) * 10 + 1 is x * 5 - 14, of each channel: the last axis, and the second one.

func.func @f(%x: tensor<1x4x4x2xf32>, %z: tensor<1x2x4x4xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x2x4x4xf32>) {
  %s = nn.constant #nn.dense<10.0 : tensor<2xf32>>
  %b = nn.constant #nn.dense<1.0 : tensor<2xf32>>
  %m = nn.constant #nn.dense<3.0 : tensor<2xf32>>
  %v = nn.constant #nn.dense<4.0 : tensor<2xf32>>
  %y = nn.batch_norm %x, %s, %b, %m, %v {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %w = nn.batch_norm %z, %s, %b, %m, %v {epsilon = 0.0 : f64, layout = #nn<layout channels_first>} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  func.return %y, %w : tensor<1x4x4x2xf32>, tensor<1x2x4x4xf32>
}

// CHECK:      [[a:%.*]] = nn.constant #nn.dense<5.0 : tensor<2xf32>>
// CHECK-NEXT: [[b:%.*]] = nn.constant #nn.dense<-14.0 : tensor<2xf32>>
// CHECK-NEXT: [[p:%.*]] = nn.mul %x, [[a]] : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT: nn.add [[p]], [[b]] : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
// CHECK:      [[c:%.*]] = nn.constant #nn.dense<5.0 : tensor<2x1x1xf32>>
// CHECK-NEXT: [[d:%.*]] = nn.constant #nn.dense<-14.0 : tensor<2x1x1xf32>>
// CHECK-NEXT: [[q:%.*]] = nn.mul %z, [[c]] : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: nn.add [[q]], [[d]]
// CHECK-NOT:  nn.batch_norm

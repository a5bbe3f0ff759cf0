// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// Pointwise ops and batch normalisations: what is one number a channel is permuted back, at any rank;
// what is the same for all channels stays.

func.func @f(%x: tensor<1x6x4x4xf32>, %p: tensor<4x4xf32>, %q: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %scale = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<6xf32>>
  %shift = nn.constant #nn.dense<[11.0, 12.0, 13.0, 14.0, 15.0, 16.0] : tensor<6xf32>>
  %mean = nn.constant #nn.dense<[21.0, 22.0, 23.0, 24.0, 25.0, 26.0] : tensor<6xf32>>
  %var = nn.constant #nn.dense<[31.0, 32.0, 33.0, 34.0, 35.0, 36.0] : tensor<6xf32>>
  %c = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<6x1x1xf32>>
  %one = nn.constant #nn.dense<2.0 : tensor<f32>>
  %e = nn.constant #nn.dense<[5.0, 4.0, 3.0, 2.0, 1.0, 0.0] : tensor<1x6x1x1xf32>>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %n = nn.batch_norm %s, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x6x4x4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x4x4xf32>
  %r = nn.relu %n : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %m = nn.mul %c, %r : (tensor<6x1x1xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %a = nn.add %m, %one : (tensor<1x6x4x4xf32>, tensor<f32>) -> tensor<1x6x4x4xf32>
  %u = nn.prelu %a, %e : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x6x4x4xf32>
  %g = nn.mul %u, %p : (tensor<1x6x4x4xf32>, tensor<4x4xf32>) -> tensor<1x6x4x4xf32>
  %h = nn.sub %q, %g : (tensor<1x1x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %k = nn.mul %h, %h : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %k, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @f
// CHECK:         [[SCALE:%.*]] = nn.constant #nn.dense<[1.0, 3.0, 5.0, 2.0, 4.0, 6.0] : tensor<6xf32>>
// CHECK-NEXT:    [[SHIFT:%.*]] = nn.constant #nn.dense<[11.0, 13.0, 15.0, 12.0, 14.0, 16.0] : tensor<6xf32>>
// CHECK-NEXT:    [[MEAN:%.*]] = nn.constant #nn.dense<[21.0, 23.0, 25.0, 22.0, 24.0, 26.0] : tensor<6xf32>>
// CHECK-NEXT:    [[VAR:%.*]] = nn.constant #nn.dense<[31.0, 33.0, 35.0, 32.0, 34.0, 36.0] : tensor<6xf32>>
// CHECK-NEXT:    %n = nn.batch_norm %x, [[SCALE]], [[SHIFT]], [[MEAN]], [[VAR]]
// CHECK-NEXT:    %r = nn.relu %n
// CHECK-NEXT:    [[C:%.*]] = nn.constant #nn.dense<[0.0, 2.0, 4.0, 1.0, 3.0, 5.0] : tensor<6x1x1xf32>>
// CHECK-NEXT:    %m = nn.mul [[C]], %r
// CHECK-NEXT:    %a = nn.add %m, %one
// CHECK-NEXT:    [[E:%.*]] = nn.constant #nn.dense<[5.0, 3.0, 1.0, 4.0, 2.0, 0.0] : tensor<1x6x1x1xf32>>
// CHECK-NEXT:    %u = nn.prelu %a, [[E]]
// CHECK-NEXT:    %g = nn.mul %u, %p
// CHECK-NEXT:    %h = nn.sub %q, %g
// CHECK-NEXT:    %k = nn.mul %h, %h
// CHECK-NEXT:    [[V:%.*]] = nn.constant #nn.dense<[0.0, 2.0, 4.0, 1.0, 3.0, 5.0] : tensor<1x6x1x1xf32>>
// CHECK-NEXT:    %y = nn.conv %k, [[V]]

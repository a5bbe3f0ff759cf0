// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// A loop of one step is the ops of this step: its number is 0, rows are the only ones of tensors.

// CHECK-LABEL: @single
// CHECK-NEXT: %[[STEP:.*]] = nn.constant
// CHECK-NEXT: %[[ROW:.*]] = nn.reshape %xs : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[SUM:.*]] = nn.add %h, %[[ROW]]
// CHECK-NEXT: %[[NEW:.*]] = nn.mul %[[SUM]], %w
// CHECK-NEXT: %[[OUT:.*]] = nn.reshape %[[SUM]] : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: func.return %[[NEW]], %[[OUT]], %[[STEP]]
func.func @single(%h: tensor<4xf32>, %xs: tensor<1x4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<1x4xf32>, tensor<i64>) {
  %i = nn.constant #nn.dense<3 : tensor<i64>>
  %0, %1, %2 = nn.for steps 1 from (%h, %i) over (%xs) with (%w) {backwards = array<i64: 1, 0>} : (tensor<4xf32>, tensor<i64>), (tensor<1x4xf32>), (tensor<4xf32>) -> (tensor<4xf32>, tensor<i64>, tensor<1x4xf32>) {
  ^bb0(%step: tensor<i64>, %before: tensor<4xf32>, %count: tensor<i64>, %x: tensor<4xf32>, %v: tensor<4xf32>):
    %s = nn.add %before, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %n = nn.mul %s, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    nn.yield %n, %step, %s : tensor<4xf32>, tensor<i64>, tensor<4xf32>
  }
  func.return %0, %2, %1 : tensor<4xf32>, tensor<1x4xf32>, tensor<i64>
}

// Near misses: two steps, and a loop that may end before its step.

// CHECK-LABEL: @others
// CHECK: nn.for steps 2
// CHECK: nn.for steps 1 trips
// CHECK: nn.for steps 1 while
func.func @others(%h: tensor<4xf32>, %t: tensor<i64>, %c: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i1>) {
  %0 = nn.for steps 2 from (%h) over () with () {backwards = array<i64>} : (tensor<4xf32>), (), () -> (tensor<4xf32>) {
  ^bb0(%step: tensor<i64>, %x: tensor<4xf32>):
    %y = nn.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %y : tensor<4xf32>
  }
  %1 = nn.for steps 1 trips %t : tensor<i64> from (%h) over () with () {backwards = array<i64>} : (tensor<4xf32>), (), () -> (tensor<4xf32>) {
  ^bb0(%step: tensor<i64>, %x: tensor<4xf32>):
    %y = nn.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %y : tensor<4xf32>
  }
  %2 = nn.for steps 1 while from (%c) over () with () {backwards = array<i64>} : (tensor<i1>), (), () -> (tensor<i1>) {
  ^bb0(%step: tensor<i64>, %x: tensor<i1>):
    %y = nn.not %x : (tensor<i1>) -> tensor<i1>
    nn.yield %y : tensor<i1>
  }
  func.return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<i1>
}

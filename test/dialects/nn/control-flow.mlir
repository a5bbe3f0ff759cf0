// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Loops over rows, as often as a number says and until a condition fails; choices.

func.func @loops(%x: tensor<5x4xf32>, %h: tensor<4xf32>, %n: tensor<i64>, %go: tensor<i1>) -> tensor<4xf32> {
  %a, %y = nn.for steps 5 from (%h) over (%x) with () {backwards = array<i64: 0, 1>} : (tensor<4xf32>), (tensor<5x4xf32>), () -> (tensor<4xf32>, tensor<5x4xf32>) {
  ^bb0(%i: tensor<i64>, %state: tensor<4xf32>, %row: tensor<4xf32>):
    nn.yield %row, %state : tensor<4xf32>, tensor<4xf32>
  }
  %end, %b = nn.for trips %n : tensor<i64> while from (%go, %a) over () with (%h) {backwards = array<i64>} : (tensor<i1>, tensor<4xf32>), (), (tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %on: tensor<i1>, %state: tensor<4xf32>, %same: tensor<4xf32>):
    nn.yield %on, %same : tensor<i1>, tensor<4xf32>
  }
  %c = nn.if %go with (%a, %b) : tensor<i1>, (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>):
    nn.yield %p : tensor<4xf32>
  } else {
  ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>):
    nn.yield %q : tensor<4xf32>
  }
  func.return %c : tensor<4xf32>
}

func.func @open(%x: tensor<5x4xf32>, %h: tensor<4xf32>) -> tensor<4xf32> {
  %a = nn.for steps 5 open array<i64: 1> from (%h) over (%x) with () {backwards = array<i64: 1>} : (tensor<4xf32>), (tensor<5x4xf32>), () -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %state: tensor<4xf32>, %row: tensor<4xf32>):
    nn.yield %row : tensor<4xf32>
  }
  func.return %a : tensor<4xf32>
}

// CHECK:      %a, %y = nn.for steps 5 from (%h) over (%x) with () {backwards = array<i64: 0, 1>} : (tensor<4xf32>), (tensor<5x4xf32>), () -> (tensor<4xf32>, tensor<5x4xf32>) {
// CHECK-NEXT: ^bb0(%i: tensor<i64>, %state: tensor<4xf32>, %row: tensor<4xf32>):
// CHECK-NEXT:   nn.yield %row, %state : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %end, %b = nn.for trips %n : tensor<i64> while from (%go, %a) over () with (%h)
// CHECK:      %c = nn.if %go with (%a, %b) : tensor<i1>, (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
// CHECK:      } else {

// CHECK:      %a = nn.for steps 5 open array<i64: 1> from (%h) over (%x) with () {backwards = array<i64: 1>}

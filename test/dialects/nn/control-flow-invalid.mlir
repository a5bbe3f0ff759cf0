// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Loops and choices whose regions do not fit, and loops that do not end.

func.func @endless() {
  // expected-error@+1 {{expected steps, trips or a condition, found an endless loop [for_c1]}}
  nn.for from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @negative() {
  // expected-error@+1 {{steps are not negative, found -1 [for_c1]}}
  nn.for steps -1 from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @trips(%n: tensor<2xi64>) {
  // expected-error@+1 {{trips is one i64, found tensor<2xi64> [for_c2]}}
  nn.for trips %n : tensor<2xi64> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @condition(%n: tensor<i64>) {
  // expected-error@+1 {{the first carried value of a loop with a condition is one i1 [for_c2]}}
  %r = nn.for while from (%n) over () with () {backwards = array<i64>} : (tensor<i64>), (), () -> (tensor<i64>) {
  ^bb0(%i: tensor<i64>, %c: tensor<i64>):
    nn.yield %c : tensor<i64>
  }
  func.return
}

// -----

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error@+1 {{the region's arguments must be (tensor<i64>, tensor<4xf32>) [for_c3]}}
  nn.for steps 2 from () over () with (%x) {backwards = array<i64>} : (), (), (tensor<4xf32>) -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @results(%x: tensor<4xf32>) {
  // expected-error@+1 {{the first results have the types of the carried values [for_c4]}}
  %r = nn.for steps 2 from (%x) over () with () {backwards = array<i64>} : (tensor<4xf32>), (), () -> (tensor<5xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<4xf32>):
    nn.yield %c : tensor<4xf32>
  }
  func.return
}

// -----

func.func @yields(%x: tensor<4xf32>) {
  // expected-error@+1 {{the region must yield (tensor<4xf32>) [for_c4]}}
  %r = nn.for steps 2 from (%x) over () with () {backwards = array<i64>} : (tensor<4xf32>), (), () -> (tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %c: tensor<4xf32>):
    nn.yield %i : tensor<i64>
  }
  func.return
}

// -----

func.func @rows(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{tensor<3x4xf32> has no row for each of 2 steps [for_c5]}}
  nn.for steps 2 from () over (%x) with () {backwards = array<i64: 0>} : (), (tensor<3x4xf32>), () -> () {
  ^bb0(%i: tensor<i64>, %c: tensor<4xf32>):
    nn.yield :
  }
  func.return
}

// -----

func.func @early(%n: tensor<i64>) {
  // expected-error@+1 {{rows of a loop that may end early are in the order of its steps [for_c6]}}
  %r = nn.for steps 2 trips %n : tensor<i64> from () over () with () {backwards = array<i64: 1>} : (), (), () -> (tensor<2xi64>) {
  ^bb0(%i: tensor<i64>):
    nn.yield %i : tensor<i64>
  }
  func.return
}

// -----

func.func @flags(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{backwards is 0 or 1 for each tensor of rows, found (2,) [for_c7]}}
  nn.for steps 2 from () over (%x) with () {backwards = array<i64: 2>} : (), (tensor<2x4xf32>), () -> () {
  ^bb0(%i: tensor<i64>, %c: tensor<4xf32>):
    nn.yield :
  }
  func.return
}

// -----

func.func @number(%c: tensor<i64>) {
  // expected-error@+1 {{the condition is one i1, found tensor<i64> [if_c1]}}
  nn.if %c with () : tensor<i64>, () -> () {
    nn.yield :
  } else {
    nn.yield :
  }
  func.return
}

// -----

func.func @captured(%c: tensor<i1>) {
  // expected-error@+1 {{the region's arguments must be (tensor<i1>) [if_c2]}}
  nn.if %c with (%c) : tensor<i1>, (tensor<i1>) -> () {
    nn.yield :
  } else {
    nn.yield :
  }
  func.return
}

// -----

func.func @handed_out(%c: tensor<i1>) {
  // expected-error@+1 {{the region must yield (tensor<i64>) [if_c3]}}
  %r = nn.if %c with (%c) : tensor<i1>, (tensor<i1>) -> tensor<i64> {
  ^bb0(%d: tensor<i1>):
    nn.yield %d : tensor<i1>
  } else {
  ^bb0(%d: tensor<i1>):
    nn.yield %d : tensor<i1>
  }
  func.return
}

// -----

func.func @open(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{open says how the steps grow, found array<i64: 1, 0> [for_c8]}}
  nn.for steps 2 open array<i64: 1, 0> from () over (%x) with () {backwards = array<i64: 0>} : (), (tensor<2x4xf32>), () -> () {
  ^bb0(%i: tensor<i64>, %c: tensor<4xf32>):
    nn.yield :
  }
  func.return
}

// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.kernel asks of its region.

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{the region's arguments must have the types of the operands [kernel_c1]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<3xf32>):
    %a = nn.abs %i : (tensor<3xf32>) -> tensor<3xf32>
    nn.yield %a : tensor<3xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{the region must end in nn.yield [kernel_c2]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    "test.termop"(%a) : (tensor<2xf32>) -> ()
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{nn.yield must have the types of the results [kernel_c3]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a, %a : tensor<2xf32>, tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{a kernel holds at least one op [kernel_c4]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    nn.yield %i : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{a kernel holds nn ops only, found test.op [kernel_c5]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = "test.op"(%i) : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{a kernel holds nn ops only, found nn.kernel [kernel_c5]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.kernel(%i) : (tensor<2xf32>) -> tensor<2xf32> {
    ^bb0(%j: tensor<2xf32>):
      %b = nn.abs %j : (tensor<2xf32>) -> tensor<2xf32>
      nn.yield %b : tensor<2xf32>
    }
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{a kernel has at most one anchor, found nn.softmax, nn.reduce [kernel_c6]}}
  %k = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %s = nn.softmax %i {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    %a = nn.reduce %s {kind = #nn<reduction sum>, axes = array<i64>} : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{a kernel in bands of rows has several anchors [kernel_c7]}}
  %k = nn.kernel(%x) {config = #nn.config<row_bands, bands = [3, 1]>} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %s = nn.softmax %i {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %s : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error-re@+1 {{bands are the rows of the input and of the results of 2 anchors, found {{.*}} [kernel_c8]}}
  %k = nn.kernel(%x) {config = #nn.config<row_bands, bands = [3, 1]>} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %s = nn.softmax %i {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    %a = nn.softmax %s {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{a kernel in bands of rows has several anchors [kernel_c7]}}
  %k = nn.kernel(%x) {config = #nn.config<attention, bands = [3, 1]>} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %s = nn.softmax %i {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %s : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2x2xf32>) {
  // expected-error-re@+1 {{bands are the rows of the input and of the results of 2 anchors, found {{.*}} [kernel_c8]}}
  %k = nn.kernel(%x) {config = #nn.config<attention, bands = [2, 2]>} : (tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%i: tensor<2x2xf32>):
    %p = nn.matmul %i, %i : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %s = nn.softmax %p {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    nn.yield %s : tensor<2x2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected nn.kernel, nn.for or nn.if around, found func.func [yield_c1]}}
  nn.yield %x : tensor<2xf32>
}

// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies --split-input-file %s | filecheck %s

// An input of the program, a constant and a part of a buffer lie where they lie.

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x24xf32> {
  %k = nn.constant #nn.dense<1.0 : tensor<4x8xf32>>
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %p = nn.slice %a {starts = array<i64: 0, 1>, sizes = array<i64: 4, 7>, steps = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<4x7xf32>
  %q = nn.slice %a {starts = array<i64: 0, 0>, sizes = array<i64: 4, 1>, steps = array<i64: 1, 1>} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %c = nn.concat %x, %k, %p, %q {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>, tensor<4x1xf32>) -> tensor<4x24xf32>
  func.return %c : tensor<4x24xf32>
}

// CHECK:     driver.call @relu_0(%x) to (%a) : (memref<4x8xf32>) to (memref<4x8xf32>)
// CHECK:     driver.copy %x to
// CHECK:     driver.copy %k to
// CHECK:     driver.copy %p to
// CHECK:     driver.copy %q to

// -----

// The same value twice: it lies at the first place, and is copied from there to the second.

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %c = nn.concat %a, %a {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  func.return %c : tensor<4x16xf32>
}

// CHECK:      ^bb0(%x: memref<4x8xf32>, %c: memref<4x16xf32>):
// CHECK-NEXT:   %a = driver.view %c : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
// CHECK-NEXT:   driver.call @relu_0(%x) to (%a)
// CHECK-NEXT:   [[SECOND:%.*]] = driver.view %c {offset = 8 : i64}
// CHECK-NEXT:   driver.copy %a to [[SECOND]]

// -----

// Two concats: the first one has it, the second one gets a copy.

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %b = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.abs %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %c = nn.concat %a, %b {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %d = nn.concat %b, %a {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  func.return %c, %d : tensor<4x16xf32>, tensor<4x16xf32>
}

// CHECK:      ^bb0(%x: memref<4x8xf32>, %c: memref<4x16xf32>, %d: memref<4x16xf32>):
// CHECK-NEXT:   %a = driver.view %c : memref<4x16xf32>
// CHECK-NEXT:   driver.call @relu_0(%x) to (%a)
// CHECK-NEXT:   %b = driver.view %c {offset = 8 : i64} : memref<4x16xf32>
// CHECK-NEXT:   driver.call @abs_1(%x) to (%b)
// CHECK:        driver.copy %b to
// CHECK:        driver.copy %a to

// -----

// A part that is an output of the program has its own memory there.

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x16xf32>) {
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %c = nn.concat %a, %x {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  func.return %a, %c : tensor<4x8xf32>, tensor<4x16xf32>
}

// CHECK:      ^bb0(%x: memref<4x8xf32>, %a: memref<4x8xf32>, %c: memref<4x16xf32>):
// CHECK-NEXT:   driver.call @relu_0(%x) to (%a) : (memref<4x8xf32>) to (memref<4x8xf32>)
// CHECK:        driver.copy %a to

// -----

// Elements of a vector would lie apart.

func.func @main(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %c = nn.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  func.return %c : tensor<8x4xf32>
}

// CHECK:     driver.call @relu_0(%x) to (%a) : (memref<4x8xf32>) to (memref<4x8xf32>)
// CHECK:     driver.copy

// -----

// Another user reads rows that would run over the end of a slice.

func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<32xf32>) {
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %c = nn.concat %a, %x {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %row = nn.reshape %a : (tensor<4x8xf32>) -> tensor<32xf32>
  %b = nn.kernel(%row) : (tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%i: tensor<32xf32>):
    %r = nn.abs %i : (tensor<32xf32>) -> tensor<32xf32>
    nn.yield %r : tensor<32xf32>
  }
  func.return %c, %b : tensor<4x16xf32>, tensor<32xf32>
}

// CHECK:     driver.call @relu_0(%x) to (%a) : (memref<4x8xf32>) to (memref<4x8xf32>)
// CHECK:     driver.copy %a to
// CHECK:     driver.copy %x to

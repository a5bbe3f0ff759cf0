// RUN: autodeploy-opt %s --convert-nn-to-driver --split-input-file --verify-diagnostics

// What has no form in the driver.

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'nn.relu' op (node 'Relu_3') has no form in the driver: expected nn.call, nn.library_call, nn.constant, a view or a copy, which form-kernels and convert-nn-to-halide leave}}
  %y = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("Relu_3")
  func.return %y : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'nn.kernel' op has no form in the driver}}
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<4xf32>):
    %a = nn.abs %i : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %a : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op expected tensors, found a value of type i32}}
func.func @main(%x: i32) -> i32 {
  func.return %x : i32
}

// -----

// expected-error@+1 {{'func.func' op expected a body of one block, found 0 blocks}}
func.func private @main(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error@+1 {{'func.func' op does not end in func.return}}
func.func @main(%x: tensor<4xf32>) {
  "test.termop"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}

// expected-error@+1 {{'func.func' op is one function too many: expected one network, found 'main', 'other'}}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}

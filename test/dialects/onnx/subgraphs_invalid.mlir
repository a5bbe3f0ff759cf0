// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Subgraphs that do not end in onnx.yield, have two blocks, or are missing.

func.func @f(%c: tensor<i1>) {
  // expected-error@+1 {{expected each region of onnx.If to be one block that ends in onnx.yield [subgraph_c1]}}
  "onnx.If"(%c) ({
    "onnx.yield"() : () -> ()
  }, {
    "test.termop"() : () -> ()
  }) : (tensor<i1>) -> ()
  func.return
}

// -----

func.func @f(%c: tensor<i1>, %x: tensor<2xf32>) {
  "onnx.If"(%c) ({
    "onnx.yield"() : () -> ()
  }, {
    // expected-error@+1 {{terminates block in single-block region but is not a terminator}}
    %0 = "onnx.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  }) : (tensor<i1>) -> ()
  func.return
}

// -----

func.func @f(%c: tensor<i1>) {
  // expected-error@+1 {{expected a single block}}
  "onnx.If"(%c) ({
    "onnx.yield"() : () -> ()
  }, {
    "onnx.yield"() : () -> ()
  ^bb1:
    "onnx.yield"() : () -> ()
  }) : (tensor<i1>) -> ()
  func.return
}

// -----

func.func @f(%c: tensor<i1>) {
  // expected-error@+1 {{Expected 2 regions, but got 1}}
  "onnx.If"(%c) ({
    "onnx.yield"() : () -> ()
  }) : (tensor<i1>) -> ()
  func.return
}

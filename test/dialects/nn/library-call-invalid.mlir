// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// The first output has as many rows as an input.

func.func @other_rows(%x: tensor<2x9xf32>) {
  // expected-error@+1 {{no input has as many rows as the first output [library_call_rows_c1]}}
  %0 = nn.library_call "trees"(%x) {rows} : (tensor<2x9xf32>) -> tensor<3x9xf64>
  func.return
}

// -----

func.func @no_rows(%x: tensor<f32>) {
  // expected-error@+1 {{no input has as many rows as the first output [library_call_rows_c1]}}
  %0 = nn.library_call "trees"(%x) {rows} : (tensor<f32>) -> tensor<f64>
  func.return
}

// -----

func.func @no_output(%x: tensor<2xf32>) {
  // expected-error@+1 {{no input has as many rows as the first output [library_call_rows_c1]}}
  nn.library_call "choose"(%x) {rows} : (tensor<2xf32>) -> ()
  func.return
}

// -----

func.func @f(%x: tensor<2x3x9xf32>) {
  // expected-error@+1 {{outer axes of the first input and output differ [library_call_rows_c2]}}
  %0 = nn.library_call "order"(%x) {strided} : (tensor<2x3x9xf32>) -> tensor<3x2x4xi64>
  func.return
}

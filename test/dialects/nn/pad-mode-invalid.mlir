// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// An axis without elements has none to repeat.

func.func @f(%x: tensor<0x3xf32>) {
  // expected-error@+1 {{axis 0 of tensor<0x3xf32> has no elements for reflect [pad_c1]}}
  %0 = nn.pad %x {pads = array<i64: 1, 0, 0, 0>, mode = #nn<pad_mode reflect>} : (tensor<0x3xf32>) -> tensor<1x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x0xf32>) {
  // expected-error@+1 {{axis 1 of tensor<2x0xf32> has no elements for edge [pad_c1]}}
  %0 = nn.pad %x {pads = array<i64: 0, 0, 0, 1>, mode = #nn<pad_mode edge>} : (tensor<2x0xf32>) -> tensor<2x1xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x0xf32>) {
  // expected-error@+1 {{axis 1 of tensor<2x0xf32> has no elements for wrap [pad_c1]}}
  %0 = nn.pad %x {pads = array<i64: 0, 1, 0, 0>, mode = #nn<pad_mode wrap>} : (tensor<2x0xf32>) -> tensor<2x1xf32>
  func.return
}

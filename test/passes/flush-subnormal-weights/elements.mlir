// RUN: autodeploy-opt --flush-subnormal-weights %s | filecheck %s

// Subnormal elements become zeros of the same sign; all others keep their bits, the smallest normal
// number, nan and infinity among them.

func.func @main() {
  %single = nn.constant #nn.dense<[1.0e-40, -1.0e-40, 1.2e-38, -0.0] : tensor<4xf32>>
  %ends = nn.constant #nn.dense<"0xffff7f00000080000100807f000080ff" : tensor<4xf32>>
  %double = nn.constant #nn.dense<[-1.0e-310, 1.0e-300] : tensor<2xf64>>
  %brain = nn.constant #nn.dense<"0x01007f8080000080" : tensor<4xbf16>>
  %scalar = nn.constant #nn.dense<-1.0e-45 : tensor<f32>>
  func.return
}

// CHECK: %single = nn.constant #nn.dense<[0.0, -0.0, 1.2e-38, -0.0] : tensor<4xf32>>
// CHECK: %ends = nn.constant #nn.dense<"0x00000000000080000100807f000080ff" : tensor<4xf32>>
// CHECK: %double = nn.constant #nn.dense<[-0.0, 1.0e-300] : tensor<2xf64>>
// CHECK: %brain = nn.constant #nn.dense<"0x0000008080000080" : tensor<4xbf16>>
// CHECK: %scalar = nn.constant #nn.dense<-0.0 : tensor<f32>>

// RUN: autodeploy-opt %s --fuse-pointwise-chain | filecheck %s

// A kernel has at most 64 ops, however little they read; constants do not count.

// CHECK:           %s63 = nn.kernel(%x)
// CHECK-COUNT-63:  nn.sin
// CHECK-NEXT:      nn.constant
// CHECK-NEXT:      nn.mul
// CHECK-NEXT:      nn.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      %y = nn.kernel(%s63)
// CHECK-NOT:       nn.kernel
func.func @cut(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %s0 = nn.sin %x : (tensor<8xf32>) -> tensor<8xf32>
  %s1 = nn.sin %s0 : (tensor<8xf32>) -> tensor<8xf32>
  %s2 = nn.sin %s1 : (tensor<8xf32>) -> tensor<8xf32>
  %s3 = nn.sin %s2 : (tensor<8xf32>) -> tensor<8xf32>
  %s4 = nn.sin %s3 : (tensor<8xf32>) -> tensor<8xf32>
  %s5 = nn.sin %s4 : (tensor<8xf32>) -> tensor<8xf32>
  %s6 = nn.sin %s5 : (tensor<8xf32>) -> tensor<8xf32>
  %s7 = nn.sin %s6 : (tensor<8xf32>) -> tensor<8xf32>
  %s8 = nn.sin %s7 : (tensor<8xf32>) -> tensor<8xf32>
  %s9 = nn.sin %s8 : (tensor<8xf32>) -> tensor<8xf32>
  %s10 = nn.sin %s9 : (tensor<8xf32>) -> tensor<8xf32>
  %s11 = nn.sin %s10 : (tensor<8xf32>) -> tensor<8xf32>
  %s12 = nn.sin %s11 : (tensor<8xf32>) -> tensor<8xf32>
  %s13 = nn.sin %s12 : (tensor<8xf32>) -> tensor<8xf32>
  %s14 = nn.sin %s13 : (tensor<8xf32>) -> tensor<8xf32>
  %s15 = nn.sin %s14 : (tensor<8xf32>) -> tensor<8xf32>
  %s16 = nn.sin %s15 : (tensor<8xf32>) -> tensor<8xf32>
  %s17 = nn.sin %s16 : (tensor<8xf32>) -> tensor<8xf32>
  %s18 = nn.sin %s17 : (tensor<8xf32>) -> tensor<8xf32>
  %s19 = nn.sin %s18 : (tensor<8xf32>) -> tensor<8xf32>
  %s20 = nn.sin %s19 : (tensor<8xf32>) -> tensor<8xf32>
  %s21 = nn.sin %s20 : (tensor<8xf32>) -> tensor<8xf32>
  %s22 = nn.sin %s21 : (tensor<8xf32>) -> tensor<8xf32>
  %s23 = nn.sin %s22 : (tensor<8xf32>) -> tensor<8xf32>
  %s24 = nn.sin %s23 : (tensor<8xf32>) -> tensor<8xf32>
  %s25 = nn.sin %s24 : (tensor<8xf32>) -> tensor<8xf32>
  %s26 = nn.sin %s25 : (tensor<8xf32>) -> tensor<8xf32>
  %s27 = nn.sin %s26 : (tensor<8xf32>) -> tensor<8xf32>
  %s28 = nn.sin %s27 : (tensor<8xf32>) -> tensor<8xf32>
  %s29 = nn.sin %s28 : (tensor<8xf32>) -> tensor<8xf32>
  %s30 = nn.sin %s29 : (tensor<8xf32>) -> tensor<8xf32>
  %s31 = nn.sin %s30 : (tensor<8xf32>) -> tensor<8xf32>
  %s32 = nn.sin %s31 : (tensor<8xf32>) -> tensor<8xf32>
  %s33 = nn.sin %s32 : (tensor<8xf32>) -> tensor<8xf32>
  %s34 = nn.sin %s33 : (tensor<8xf32>) -> tensor<8xf32>
  %s35 = nn.sin %s34 : (tensor<8xf32>) -> tensor<8xf32>
  %s36 = nn.sin %s35 : (tensor<8xf32>) -> tensor<8xf32>
  %s37 = nn.sin %s36 : (tensor<8xf32>) -> tensor<8xf32>
  %s38 = nn.sin %s37 : (tensor<8xf32>) -> tensor<8xf32>
  %s39 = nn.sin %s38 : (tensor<8xf32>) -> tensor<8xf32>
  %s40 = nn.sin %s39 : (tensor<8xf32>) -> tensor<8xf32>
  %s41 = nn.sin %s40 : (tensor<8xf32>) -> tensor<8xf32>
  %s42 = nn.sin %s41 : (tensor<8xf32>) -> tensor<8xf32>
  %s43 = nn.sin %s42 : (tensor<8xf32>) -> tensor<8xf32>
  %s44 = nn.sin %s43 : (tensor<8xf32>) -> tensor<8xf32>
  %s45 = nn.sin %s44 : (tensor<8xf32>) -> tensor<8xf32>
  %s46 = nn.sin %s45 : (tensor<8xf32>) -> tensor<8xf32>
  %s47 = nn.sin %s46 : (tensor<8xf32>) -> tensor<8xf32>
  %s48 = nn.sin %s47 : (tensor<8xf32>) -> tensor<8xf32>
  %s49 = nn.sin %s48 : (tensor<8xf32>) -> tensor<8xf32>
  %s50 = nn.sin %s49 : (tensor<8xf32>) -> tensor<8xf32>
  %s51 = nn.sin %s50 : (tensor<8xf32>) -> tensor<8xf32>
  %s52 = nn.sin %s51 : (tensor<8xf32>) -> tensor<8xf32>
  %s53 = nn.sin %s52 : (tensor<8xf32>) -> tensor<8xf32>
  %s54 = nn.sin %s53 : (tensor<8xf32>) -> tensor<8xf32>
  %s55 = nn.sin %s54 : (tensor<8xf32>) -> tensor<8xf32>
  %s56 = nn.sin %s55 : (tensor<8xf32>) -> tensor<8xf32>
  %s57 = nn.sin %s56 : (tensor<8xf32>) -> tensor<8xf32>
  %s58 = nn.sin %s57 : (tensor<8xf32>) -> tensor<8xf32>
  %s59 = nn.sin %s58 : (tensor<8xf32>) -> tensor<8xf32>
  %s60 = nn.sin %s59 : (tensor<8xf32>) -> tensor<8xf32>
  %s61 = nn.sin %s60 : (tensor<8xf32>) -> tensor<8xf32>
  %s62 = nn.sin %s61 : (tensor<8xf32>) -> tensor<8xf32>
  %s63 = nn.mul %s62, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %s64 = nn.sin %s63 : (tensor<8xf32>) -> tensor<8xf32>
  %y = nn.cos %s64 : (tensor<8xf32>) -> tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// RUN: autodeploy-opt --tie-words --dce %s | filecheck %s

// Rows of words are columns of the product with all words: tiles of 16 columns, each of 8 bytes, one
// tile after another. The last one is filled up. Scales are read in the same way.

module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {

func.func @tied(%i: tensor<3xi64>, %x: tensor<1x16xf32>) -> (tensor<3x1x16xf32>, tensor<1x20xf32>) {
  %b = nn.constant #nn.dense<17 : tensor<20x8xui8>>
  %s = nn.constant #nn.dense<1.5 : tensor<20x1xf32>>
  %z = nn.constant #nn.dense<8 : tensor<3x1x1xui8>>
  %g = nn.gather %b, %i {axis = 0 : i64} : (tensor<20x8xui8>, tensor<3xi64>) -> tensor<3x8xui8>
  %t = nn.gather %s, %i {axis = 0 : i64} : (tensor<20x1xf32>, tensor<3xi64>) -> tensor<3x1xf32>
  %r = nn.reshape %g : (tensor<3x8xui8>) -> tensor<3x8x1xui8>
  %p = nn.constant #nn.dense<[1, 16] : tensor<2xui8>>
  %m = nn.constant #nn.dense<15 : tensor<ui8>>
  %d = nn.div %r, %p : (tensor<3x8x1xui8>, tensor<2xui8>) -> tensor<3x8x2xui8>
  %a = nn.and %d, %m : (tensor<3x8x2xui8>, tensor<ui8>) -> tensor<3x8x2xui8>
  %c = nn.reshape %a : (tensor<3x8x2xui8>) -> tensor<3x1x16xui8>
  %u = nn.reshape %t : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
  %n = nn.dequantize %c, %u, %z : (tensor<3x1x16xui8>, tensor<3x1x1xf32>, tensor<3x1x1xui8>) -> tensor<3x1x16xf32>
  %hw = nn.constant #nn.dense<17 : tensor<1x8x20xui8>>
  %hs = nn.constant #nn.dense<1.5 : tensor<1x20xf32>>
  %hz = nn.constant #nn.dense<8 : tensor<ui8>>
  %y = nn.scaled_matmul %x, %hw, %hs, %hz {block = 16 : i64} : (tensor<1x16xf32>, tensor<1x8x20xui8>, tensor<1x20xf32>, tensor<ui8>) -> tensor<1x20xf32>
  func.return %n, %y : tensor<3x1x16xf32>, tensor<1x20xf32>
}
}

// CHECK-DAG:  nn.gather %{{.*}} {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 16 of 20>} : (tensor<2x8x16xui8>, tensor<3xi64>) -> tensor<3x8xui8>
// CHECK-DAG:  nn.div %{{.*}} : (tensor<3x1x1x8xui8>, tensor<2x1xui8>) -> tensor<3x1x2x8xui8>
// CHECK-DAG:  nn.gather %{{.*}} {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 16 of 20>} : (tensor<2x1x16xf32>, tensor<3xi64>) -> tensor<3x1xf32>
// CHECK-NOT:  tensor<20x

// RUN: autodeploy-opt %s --expand-batch-norms | filecheck %s

// In a kernel: factor and offset are operands of it, those that nothing reads any more are not. The
// mean is, as it is added as well.

func.func @f(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %s = nn.constant #nn.dense<10.0 : tensor<2xf32>>
  %m = nn.constant #nn.dense<3.0 : tensor<2xf32>>
  %v = nn.constant #nn.dense<4.0 : tensor<2xf32>>
  %y = nn.kernel(%s, %x, %m, %v) : (tensor<2xf32>, tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32> {
  ^bb0(%k: tensor<2xf32>, %l: tensor<1x4x4x2xf32>, %n: tensor<2xf32>, %o: tensor<2xf32>):
    %b = nn.batch_norm %l, %k, %k, %n, %o {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
    %a = nn.add %b, %n : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
    nn.yield %a : tensor<1x4x4x2xf32>
  }
  func.return %y : tensor<1x4x4x2xf32>
}

// CHECK:      [[a:%.*]] = nn.constant #nn.dense<5.0 : tensor<2xf32>>
// CHECK-NEXT: [[b:%.*]] = nn.constant #nn.dense<-5.0 : tensor<2xf32>>
// CHECK-NEXT: nn.kernel(%x, %m, [[a]], [[b]]) : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32> {
// CHECK-NEXT: ^bb0([[x:%.*]]: tensor<1x4x4x2xf32>, [[m:%.*]]: tensor<2xf32>, [[c:%.*]]: tensor<2xf32>, [[d:%.*]]: tensor<2xf32>):
// CHECK-NEXT:   [[p:%.*]] = nn.mul [[x]], [[c]]
// CHECK-NEXT:   [[q:%.*]] = nn.add [[p]], [[d]]
// CHECK-NEXT:   nn.add [[q]], [[m]]

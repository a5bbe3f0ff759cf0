// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --slice-strided-convs=winograd=true | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --slice-strided-convs=winograd=true --flatten-products --fold-nn-constants --configure-kernels=winograd=true | filecheck %s --check-prefix=PRODUCT
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --slice-strided-convs | filecheck %s --check-prefix=EXACT
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=aarch64-neon --slice-strided-convs=winograd=true | filecheck %s --check-prefix=EXACT

// The product of every second pixel of every second row costs less by Strassen's algorithm, where
// that is allowed, and weights come while it is computed. Its sums read the image.

// CHECK-LABEL: @f
// CHECK:       nn.kernel(%x, [[w:%.*]]) : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32> {
// CHECK-NEXT:  ^bb0([[x:%.*]]: tensor<1x27x28x256xf32>, [[v:%.*]]: tensor<1x1x256x512xf32>):
// CHECK-NEXT:    [[taken:%.*]] = nn.slice [[x]] {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 14, 14, 256>, steps = array<i64: 1, 2, 2, 1>}
// CHECK-NEXT:    nn.conv [[taken]], [[v]] {strides = array<i64: 1, 1>,

// PRODUCT-LABEL: @f
// PRODUCT:       nn.kernel(%x, {{%.*}}) {config = #nn.config<strassen,
// PRODUCT-SAME:    (tensor<1x27x28x256xf32>, tensor<256x512xf32>) -> tensor<196x512xf32>
// PRODUCT:         nn.slice
// PRODUCT-NEXT:    nn.reshape
// PRODUCT-NEXT:    nn.matmul
// PRODUCT:       nn.reshape

// EXACT-NOT: nn.slice
func.func @f(%x: tensor<1x27x28x256xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
  func.return %y : tensor<1x14x14x512xf32>
}

// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --cse | filecheck %s

// The product reads exponentials. Each of its sums, hidden from LLVM, is multiplied by the reciprocal of the sum of its row of them.

func.func @f(%q: tensor<6x2xf32>, %k: tensor<2x3xf32>, %v: tensor<3x2xf32>) -> tensor<6x2xf32> {
  %y = nn.kernel(%q, %k, %v) {config = #nn.config<attention, bands = [6, 6, 6, 6], divide = [result]>} : (tensor<6x2xf32>, tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<6x2xf32> {
  ^bb0(%a: tensor<6x2xf32>, %b: tensor<2x3xf32>, %c: tensor<3x2xf32>):
    %s = nn.matmul %a, %b : (tensor<6x2xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<6x3xf32>) -> tensor<6x3xf32>
    %r = nn.matmul %w, %c : (tensor<6x3xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    nn.yield %r : tensor<6x2xf32>
  }
  func.return %y : tensor<6x2xf32>
}

// CHECK: %matmul = halide.func "matmul"
// CHECK: %rows = halide.func "rows"
// CHECK: %largest = halide.func "largest"
// CHECK-NOT: halide.func "power"
// CHECK: %rows2 = halide.func "rows2" as "rows"(x %{{.*}}, y %{{.*}}) in [3, 6] : f32 {
// CHECK: halide.load %rows[
// CHECK: halide.load %largest[
// CHECK: %matmul2 = halide.func "matmul2"
// CHECK: halide.load %rows2[
// CHECK: %total = halide.func "total"
// CHECK: halide.load %rows2[
// CHECK: %share = halide.func "share"
// CHECK: [[SUM:%.*]] = halide.load %total[
// CHECK: halide.div %{{.*}}, [[SUM]] : f32
// CHECK: %out = halide.func "out"
// CHECK: [[OLD:%.*]] = halide.load %matmul2[
// CHECK: [[BITS:%.*]] = halide.reinterpret [[OLD]] : f32 to i32
// CHECK: [[MORE:%.*]] = halide.add [[BITS]], %{{.*}} : i32
// CHECK: [[HIDDEN:%.*]] = halide.reinterpret [[MORE]] : i32 to f32
// CHECK: [[SHARE:%.*]] = halide.load %share[
// CHECK: [[QUOTIENT:%.*]] = halide.mul [[HIDDEN]], [[SHARE]] : f32
// CHECK: halide.strict [[QUOTIENT]] : f32

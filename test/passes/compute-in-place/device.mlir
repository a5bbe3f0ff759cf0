// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels --convert-nn-to-halide --convert-nn-to-driver --insert-transfers --schedule-kernels --compute-in-place | filecheck %s

// A kernel of the device writes no block that it reads: there is no promise in which order threads run.

func.func @main(%x: tensor<28x32xf32>) -> tensor<28x32xf32> {
  %a = nn.kernel(%x) : (tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%i: tensor<28x32xf32>):
    %r = nn.relu %i : (tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %r : tensor<28x32xf32>
  }
  %b = nn.kernel(%a) : (tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%i: tensor<28x32xf32>):
    %r = nn.exp %i : (tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %r : tensor<28x32xf32>
  }
  %c = nn.kernel(%b) : (tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%i: tensor<28x32xf32>):
    %r = nn.neg %i : (tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %r : tensor<28x32xf32>
  }
  func.return %c : tensor<28x32xf32>
}

// CHECK: %c_1 = driver.buffer on_device : memref<28x32xf32>
// CHECK: %x_1 = driver.buffer on_device : memref<28x32xf32>
// CHECK: %a = driver.buffer on_device : memref<28x32xf32>
// CHECK: driver.call @relu_0(%x_1) to (%a) : (memref<28x32xf32>) to (memref<28x32xf32>)
// CHECK: %b = driver.buffer on_device : memref<28x32xf32>
// CHECK: driver.call @exp_1(%a) to (%b) : (memref<28x32xf32>) to (memref<28x32xf32>)
// CHECK: driver.call @neg_2(%b) to (%c_1) : (memref<28x32xf32>) to (memref<28x32xf32>)

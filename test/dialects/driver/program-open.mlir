// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A program says which number each run is given, and which arguments and buffers have as many elements.

driver.program @net inputs ["x", "w"] outputs ["y"] open <"batch", 1 to 8> in [1, 0, 1] {
^bb0(%x: memref<8x2xf32>, %w: memref<2xf32>, %y: memref<1x16xf32>):
  %b = driver.buffer open : memref<16xf32>
}

// CHECK:      driver.program @net inputs ["x", "w"] outputs ["y"] open <"batch", 1 to 8> in [1, 0, 1] {
// CHECK:        %b = driver.buffer open : memref<16xf32>

// RUN: autodeploy-opt %s --print-op-generic | autodeploy-opt | filecheck %s

// A cache: the program reads the rows that it has found where it appends new ones. A state without rows is read, then
// written. A program for a part has the numbers that stay open in it.

// CHECK:      driver.program @net inputs ["new"] outputs ["y"] state 512 open
// CHECK:        %past, %present = driver.state "past" from "present" rows affine_map<(d0) -> (d0, (d0 + 1))> on 1 {offset = 0 : i64} : memref<3x4x9xf32>
// CHECK-NEXT:   %h, %hn = driver.state "h" from "hn" {offset = 448 : i64} : memref<4xf32>
// CHECK-NEXT:   %all = driver.view %present {open = affine_map<(d0) -> (0, (d0 + 1), 0)>} : memref<3x4x9xf32> to memref<3x4x9xf32>
// CHECK-NEXT:   driver.join %new to %all from 3 on 1 behind array<i64: 1>
// CHECK-NEXT:   driver.copy %h to %y
// CHECK:        driver.copy %b to %hn
driver.program @net inputs ["new"] outputs ["y"] state 512 open <"n", 0 to 3> in
    [array<i64: 0, 0, 0>, array<i64: 0>] {
^bb0(%new: memref<3x1x9xf32>, %y: memref<4xf32>):
  %past, %present = driver.state "past" from "present" rows affine_map<(n) -> (n, n + 1)> on 1 {offset = 0} : memref<3x4x9xf32>
  %h, %hn = driver.state "h" from "hn" {offset = 448} : memref<4xf32>
  %all = driver.view %present {open = affine_map<(n) -> (0, n + 1, 0)>} : memref<3x4x9xf32> to memref<3x4x9xf32>
  driver.join %new to %all from 3 on 1 behind array<i64: 1> : memref<3x1x9xf32> to memref<3x4x9xf32>
  driver.copy %h to %y : memref<4xf32> to memref<4xf32>
  %b = driver.buffer : memref<4xf32>
  driver.copy %b to %hn : memref<4xf32> to memref<4xf32>
}

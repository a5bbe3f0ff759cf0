// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Loops over rows, until a condition fails, or as often as a number says; choices.

driver.program @loops inputs ["x", "n"] outputs ["y"] {
^bb0(%x: memref<5x4xf32>, %n: memref<i64>, %y: memref<5x4xf32>):
  %a = driver.buffer : memref<4xf32>
  %b = driver.buffer : memref<4xf32>
  %i = driver.buffer : memref<i64>
  driver.for steps 5 trips %n : memref<i64> counter %i : memref<i64> exchange %a with %b : memref<4xf32> with memref<4xf32> {
    %row = driver.row %x : memref<5x4xf32> to memref<4xf32>
    driver.copy %row to %b : memref<4xf32> to memref<4xf32>
  }
  driver.for steps 5 {
    %row = driver.row %y backwards : memref<5x4xf32> to memref<4xf32>
    driver.copy %a to %row : memref<4xf32> to memref<4xf32>
  }
  %go = driver.buffer : memref<i1>
  driver.for while %go : memref<i1> {
    driver.if %go : memref<i1> {
      driver.copy %a to %b : memref<4xf32> to memref<4xf32>
    } else {
    }
  }
}

// CHECK:      driver.for steps 5 trips %n : memref<i64> counter %i : memref<i64> exchange %a with %b : memref<4xf32> with memref<4xf32> {
// CHECK-NEXT:   %row = driver.row %x : memref<5x4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.copy %row to %b : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: driver.for steps 5 {
// CHECK-NEXT:   driver.row %y backwards : memref<5x4xf32> to memref<4xf32>
// CHECK:      driver.for while %go : memref<i1> {
// CHECK-NEXT:   driver.if %go : memref<i1> {
// CHECK-NEXT:     driver.copy %a to %b : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   } else {

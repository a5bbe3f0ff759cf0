// RUN: autodeploy-opt %s --arith-add-fastmath="flags=nnan,nsz" | filecheck %s
// RUN: autodeploy-opt %s --arith-add-fastmath="{flags=nnan,nsz}" | filecheck %s
// RUN: autodeploy-opt %s --arith-add-fastmath='flags="nnan","nsz"' | filecheck %s
// RUN: autodeploy-opt %s -p "arith-add-fastmath{flags=nnan,nsz}" | filecheck %s

// The options of a pass are MLIR's text, with or without its braces.

func.func @f(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  func.return %0 : f32
}

// CHECK: arith.addf %a, %a fastmath<nnan,nsz> : f32

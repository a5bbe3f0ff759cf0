// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// A module without pipelines is a file without generators.

builtin.module {
}

// CHECK:      ./op_gen -g kernel -f kernel
// CHECK:      #include "Halide.h"
// CHECK-NOT:  class
// CHECK-NOT:  HALIDE_REGISTER_GENERATOR

// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A launch has three axes of blocks and three of threads, and no negative number.

// expected-error@+1 {{three axes of 1 or more, found [2, 4] [launch_c1]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4], block = [16, 4, 1], shared = 0, args = [0]>} : () -> ()

// -----

// expected-error@+1 {{three axes of 1 or more, found [16, 0, 1] [launch_c1]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 0, 1], shared = 0, args = [0]>} : () -> ()

// -----

// expected-error@+1 {{shared bytes and arguments are not negative [launch_c2]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 1, 1], shared = -4, args = [0]>} : () -> ()

// -----

// expected-error@+1 {{shared bytes and arguments are not negative [launch_c2]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 1, 1], shared = 0, args = [0, -1]>} : () -> ()

// -----

// expected-error@+1 {{Expected 'block'}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], threads = [16, 1, 1], shared = 0, args = [0]>} : () -> ()

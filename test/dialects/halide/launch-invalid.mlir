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

// -----

// expected-error@+1 {{three axes of 1 or more, found ['extent(0, 1)', 4] [launch_c1]}}
"test.op"() {x = #halide.launch<"k", grid = ["extent(0, 1)", 4], block = [16, 1, 1], shared = 0, args = [0]>} : () -> ()

// -----

// expected-error@+1 {{'stride(0, 1)' is no number of a start [launch_c3]}}
"test.op"() {x = #halide.launch<"k", grid = ["stride(0, 1)", 4, 1], block = [16, 1, 1], shared = 0, args = [0]>} : () -> ()

// -----

// expected-error@+1 {{'float32(extent(0, 1))' is no number of a start [launch_c3]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 1, 1], shared = 0, args = ["float32(extent(0, 1)) * 2"]>} : () -> ()

// -----

// expected-error@+1 {{'extent(0, 1) +' is no number of a start [launch_c3]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 1, 1], shared = 0, args = ["extent(0, 1) +"]>} : () -> ()

// -----

// expected-error@+1 {{'min(1, 2, 3)' is no number of a start [launch_c3]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 1, 1], shared = 0, args = ["min(1, 2, 3)"]>} : () -> ()

// -----

// expected-error@+1 {{'extent(0, 1)' is no constant [launch_c3]}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = [16, 1, 1], shared = 0, args = ["extent(0, extent(0, 1))"]>} : () -> ()

// -----

// expected-error@+1 {{Expected integer literal}}
"test.op"() {x = #halide.launch<"k", grid = [2, 4, 1], block = ["2", 1, 1], shared = 0, args = [0]>} : () -> ()

// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What the attribute asks of its numbers.

// expected-error@+1 {{expected each of the axes once, found [0, 2] [tiled_c1]}}
func.func private @hole() attributes {nn.value = #nn.tiled<[0, 2]>}

// -----

// expected-error@+1 {{expected each of the axes once, found [1, 1, 0] [tiled_c1]}}
func.func private @twice() attributes {nn.value = #nn.tiled<[1, 1, 0]>}

// -----

// expected-error@+1 {{expected tiles of an axis, of 1 or more, found #nn.tiled<[1, 0], 2 by 4> [tiled_c2]}}
func.func private @axis() attributes {nn.value = #nn.tiled<[1, 0], 2 by 4>}

// -----

// expected-error@+1 {{expected tiles of an axis, of 1 or more, found #nn.tiled<[1, 0], 1 by 0> [tiled_c2]}}
func.func private @size() attributes {nn.value = #nn.tiled<[1, 0], 1 by 0>}

// -----

// expected-error@+1 {{expected tiles of an axis, of 1 or more, found #nn.tiled<[1, 0], 1 by 4 of 0> [tiled_c2]}}
func.func private @extent() attributes {nn.value = #nn.tiled<[1, 0], 1 by 4 of 0>}

// -----

// expected-error@+1 {{expected full tiles of whole groups, found #nn.tiled<[1, 0], 1 by 4 interleaved 3> [tiled_c6]}}
func.func private @groups() attributes {nn.value = #nn.tiled<[1, 0], 1 by 4 interleaved 3>}

// -----

// expected-error@+1 {{expected full tiles of whole groups, found #nn.tiled<[1, 0], 1 by 4 of 6 interleaved 2> [tiled_c6]}}
func.func private @overhanging() attributes {nn.value = #nn.tiled<[1, 0], 1 by 4 of 6 interleaved 2>}

// -----

// expected-error@+1 {{expected full tiles of whole groups, found #nn.tiled<[1, 0], 1 by 4 interleaved 0> [tiled_c6]}}
func.func private @no_groups() attributes {nn.value = #nn.tiled<[1, 0], 1 by 4 interleaved 0>}

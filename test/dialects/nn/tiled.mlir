// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// How weights are stored: an order of axes, an axis in tiles, tiles of which the last is not full,
// tiles of groups that take turns.

func.func private @order() attributes {nn.value = #nn.tiled<[2, 3, 1, 0]>}
func.func private @tiles() attributes {nn.value = #nn.tiled<[0, 2, 3, 1], 0 by 8>}
func.func private @extent() attributes {nn.value = #nn.tiled<[1, 0], 1 by 16 of 10>}
func.func private @groups() attributes {nn.value = #nn.tiled<[0, 2, 3, 1], 0 by 8 interleaved 4>}

// CHECK:      nn.value = #nn.tiled<[2, 3, 1, 0]>
// CHECK:      nn.value = #nn.tiled<[0, 2, 3, 1], 0 by 8>
// CHECK:      nn.value = #nn.tiled<[1, 0], 1 by 16 of 10>
// CHECK:      nn.value = #nn.tiled<[0, 2, 3, 1], 0 by 8 interleaved 4>

"""The nn dialect: the closed core on which all optimisation happens.

Some fifty typed ops on statically shaped tensors; ``docs/dialects/nn.md`` lists them. The dialect
holds the ops and attributes that the modules of this package define.

Constraints of all ops and their properties:

- (op_c1) elements have a type of nn
- (op_c2) the result has the type that follows from operands and properties
- (op_c3) operands that are computed with each other share one element type
- (op_c4) extents are known
- (op_c5) operands that are computed with each other broadcast to one shape
- (op_c6) the largest extents of a type are its shape
- (layout_c1) the layout first_to_last is for ``nn.conv`` alone
- (property_c1) a list has an entry for each axis, or for each end of it
- (property_c2) sizes, strides and pads are not too small
- (property_c3) axes rise
- (property_c4) axes are within the rank
- (property_c5) axes differ from each other
"""

from autodeploy.dialects.defined import dialect_of

NN = dialect_of("nn", __name__, __path__)

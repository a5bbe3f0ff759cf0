"""The conversion of each operator of tmfiles to nn ops, one module a category.

Importing this package fills the registry. A converter is one function, registered by the names of
its operators: ``@converts("Softmax")``.
"""

from autodeploy.frontend.tmfile.converters import (
    movement,
    normalisation,
    pointwise,
    reduction,
    resampling,
    window,
)
from autodeploy.frontend.tmfile.converters.registry import (
    converted_operators,
    converter_of,
    is_on_images,
)

__all__ = [
    "converted_operators",
    "converter_of",
    "is_on_images",
    "movement",
    "normalisation",
    "pointwise",
    "reduction",
    "resampling",
    "window",
]

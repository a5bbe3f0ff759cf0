"""Small models over all converted operators, in awkward shapes and old versions.

``CASES`` is data for any test that needs a model with known outputs: the types of a conversion are
held against it, and so are numbers.
"""

from onnx_cases_attention import ATTENTION_CASES
from onnx_cases_composed import COMPOSED_CASES
from onnx_cases_control_flow import CONTROL_FLOW_CASES
from onnx_cases_edges import EDGE_CASES
from onnx_cases_features import FEATURE_CASES
from onnx_cases_library import LIBRARY_CASES
from onnx_cases_linear import LINEAR_CASES
from onnx_cases_more import MORE_CASES
from onnx_cases_movement import MOVEMENT_CASES
from onnx_cases_places import PLACES_CASES
from onnx_cases_pointwise import POINTWISE_CASES
from onnx_cases_recurrent import RECURRENT_CASES
from onnx_cases_reduction import REDUCTION_CASES
from onnx_cases_regions import REGION_CASES
from onnx_cases_relocation import RELOCATION_CASES
from onnx_cases_rows import ROW_CASES
from onnx_cases_sampling import SAMPLING_CASES
from onnx_cases_selection import SELECTION_CASES
from onnx_cases_sequences import SEQUENCE_CASES
from onnx_cases_tables import TABLE_CASES

CASES = (
    *POINTWISE_CASES,
    *LIBRARY_CASES,
    *COMPOSED_CASES,
    *LINEAR_CASES,
    *REDUCTION_CASES,
    *MOVEMENT_CASES,
    *MORE_CASES,
    *EDGE_CASES,
    *ROW_CASES,
    *RECURRENT_CASES,
    *CONTROL_FLOW_CASES,
    *ATTENTION_CASES,
    *RELOCATION_CASES,
    *REGION_CASES,
    *SAMPLING_CASES,
    *PLACES_CASES,
    *SELECTION_CASES,
    *SEQUENCE_CASES,
    *FEATURE_CASES,
    *TABLE_CASES,
)

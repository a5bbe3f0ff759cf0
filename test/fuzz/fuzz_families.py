"""The families of graphs that are drawn by themselves, beside single operators and chains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from fuzz_case import FuzzCase
from fuzz_code_layers import make_codes
from fuzz_control_flow import make_control_flow
from fuzz_open import make_open
from fuzz_quantised import make_quantised
from fuzz_recurrent import make_recurrent
from fuzz_sequences import make_sequences
from fuzz_sizes import make_sizes
from fuzz_strings import make_strings

FAMILIES: Mapping[str, Callable[[str, np.random.Generator, Sequence[str]], FuzzCase]] = {
    "control_flow": make_control_flow,
    "open": make_open,
    "sequences": make_sequences,
    "sizes": make_sizes,
    "strings": make_strings,
    "recurrent": make_recurrent,
    "quantised": make_quantised,
    "codes": make_codes,
}
"""What makes a case of a name, by the name of the family."""

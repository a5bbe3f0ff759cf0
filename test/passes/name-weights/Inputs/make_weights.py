"""Write a safetensors file with three weights, two of which are equal."""

import sys

import numpy as np
from safetensors.numpy import save_file

numbers = np.arange(32, dtype=np.float32)
save_file({"one": numbers, "same": numbers, "other": numbers + 1}, sys.argv[1])

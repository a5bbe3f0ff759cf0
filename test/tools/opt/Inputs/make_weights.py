"""Write a safetensors file with one weight, ``key``."""

import sys

import numpy as np
from safetensors.numpy import save_file

save_file({"key": np.arange(32, dtype=np.float32)}, sys.argv[1])

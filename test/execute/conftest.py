import os
from pathlib import Path

# Kernels that are the same as in the last run are not compiled again; `make clean` forgets them.
CACHE = Path(__file__).parents[2] / "build" / "kernel-cache"
os.environ.setdefault("AUTODEPLOY_CACHE", str(CACHE))

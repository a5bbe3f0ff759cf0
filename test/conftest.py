"""What holds for all pytest tests."""

import os
from pathlib import Path

# Kernels that are the same as in the last run are not compiled again, and the user's own cache is
# left alone. The lit tests and the documents use the same folder; `make clean` forgets it.
CACHE = Path(__file__).parents[1] / "build" / "cache" / "kernels"
os.environ.setdefault("AUTODEPLOY_CACHE", str(CACHE))

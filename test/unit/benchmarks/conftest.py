import sys
from pathlib import Path

# The benchmarks are a package at the top of the repository, not an installed one.
sys.path.insert(0, str(Path(__file__).parents[3]))

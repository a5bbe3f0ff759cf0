import sys
from pathlib import Path

# Helpers are modules beside the tests, which pytest's importlib mode does not see.
sys.path.insert(0, str(Path(__file__).parent))

"""``python -m autodeploy.runner`` is ``autodeploy worker``."""

import sys

from autodeploy.runner.main import main

try:
    main()
except KeyboardInterrupt:
    sys.exit(130)

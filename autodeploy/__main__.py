"""``python -m autodeploy``: the same as the command ``autodeploy``."""

from autodeploy.tools.cli import main

if __name__ == "__main__":
    main()

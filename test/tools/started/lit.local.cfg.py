# ruff: noqa: F821 - lit gives `config` to the file
"""The tools start as users start them, not from a server that has loaded them."""

import os

first, *rest = config.environment["PATH"].split(os.pathsep)
if "autodeploy-tools-" in first:
    config.environment["PATH"] = os.pathsep.join(rest)

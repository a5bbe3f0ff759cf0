"""The hardware that code is made for."""

from autodeploy.machine.machine import Machine

__all__ = ["Machine"]

"""Templates found by listing files: a template is a folder that holds ``template.py``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from autodeploy.diagnostics import did_you_mean
from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.templates.template import Template

PLAIN = "plain"
"""The template that is for every kernel."""


@cache
def template_names() -> tuple[str, ...]:
    """Return the names of all templates."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/template.py")))


@cache
def template_of(name: str) -> Template:
    """Return the template of a name; raises ``VerifyException`` with the candidates."""
    if name not in template_names():
        raise invalid(
            "config_c1",
            f"unknown template '{name}'{did_you_mean(name, template_names())}; known are "
            f"{', '.join(template_names())}",
        )
    module = import_module(f"autodeploy.templates.{name}.template")
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Template)
        and value.__module__ == module.__name__
    )
    return found()


@cache
def templates_by_rank() -> tuple[tuple[str, Template], ...]:
    """Return all templates of processors with their names, those of the highest rank first."""
    return tuple(item for item in _by_rank() if not item[1].on_device)


@cache
def device_templates() -> tuple[tuple[str, Template], ...]:
    """Return all templates of devices with their names, those of the highest rank first."""
    return tuple(item for item in _by_rank() if item[1].on_device)


def _by_rank() -> list[tuple[str, Template]]:
    found = ((name, template_of(name)) for name in template_names())
    return sorted(found, key=lambda item: -item[1].rank)


def is_on_device(config: ConfigAttr | None) -> bool:
    """Return whether kernels of a config run on the device of the machine."""
    return config is not None and template_of(config.template_name).on_device

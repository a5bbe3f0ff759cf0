"""``apply-records``: kernels take the configs that a search has found best."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException, VerifyException

from autodeploy.diagnostics import RecordsWarning
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr, as_config
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.passes.kernels.configure_kernels import completed
from autodeploy.records.best import best_for
from autodeploy.records.record_file import read_records
from autodeploy.records.signature import machine_text, signature
from autodeploy.templates.registry import template_of


@dataclass(frozen=True)
class ApplyRecordsPass(ModulePass):
    """Set the config of every nn.kernel for which records hold a measured one.

    A record of the file ``records`` counts for the same kernel, the same machine and the same
    versions of autodeploy and Halide. If the records of a kernel do not count, or if its best
    config is not for it, there is a warning, and the kernel is left to configure-kernels. The
    kernel is also left if a choice says that nothing is faster than the rule's config. Records of
    templates that are less exact count with ``winograd``. Those of merges are for fuse-kernels.
    """

    name = "apply-records"

    records: str
    winograd: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``config`` on the kernels of the module that have a record."""
        machine = machine_of(op)
        best = best_for(read_records(Path(self.records)), machine_text(machine))
        ignored: dict[str, str] = {}
        found = 0
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            digest = signature(kernel)
            record = best.records.get(digest)
            if record is None:
                if digest in best.foreign:
                    ignored[digest] = f"only for {best.foreign[digest]}"
                continue
            found += 1
            if record.by_rule:
                continue
            try:
                kernel.config = self._config(record.parsed_config(), kernel, machine)
            except (PassFailedException, VerifyException) as error:
                ignored[digest] = str(error)
        if found or not any(record.kind == "merge" for record in best.records.values()):
            _warn(self.records, found, ignored)

    def _config(self, given: ConfigAttr, kernel: KernelOp, machine: Machine) -> ConfigAttr:
        config = completed(given, kernel, machine)
        if not self.winograd and not is_exact(config):
            raise PassFailedException(f"{config.template_name} is not allowed")
        return config


def _warn(file: str, found: int, ignored: Mapping[str, str]) -> None:
    """Say which records of a file were not applied, in one line."""
    text = f"records '{file}'"
    if ignored:
        reason = next(iter(ignored.values()))
        kernels = f"{len(ignored)} kernel{'s' * (len(ignored) > 1)}"
        warnings.warn(f"{text}: not applied to {kernels} ({reason})", RecordsWarning, stacklevel=3)
    elif not found:
        warnings.warn(
            f"{text} have nothing for the kernels of this model", RecordsWarning, stacklevel=3
        )


def is_exact(config: ConfigAttr) -> bool:
    """Return whether a config, and those of its parts, keep results to 1e-5."""
    parts = [config, *config.configs("parts")] if "parts" in config else [config]
    return all(template_of(as_config(part).template_name).exact for part in parts)

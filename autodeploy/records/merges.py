"""The kernels to fuse, by measurements of whole networks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from autodeploy.records.record import MERGED, Record, current_versions


def merges_for(records: Iterable[Record], machine: str) -> Mapping[str, bool]:
    """Return by signature whether kernels become one: what the latest record of each says.

    Records of another machine or version, and failed ones, do not count.
    """
    counting = [
        record
        for record in records
        if record.kind == "merge"
        and record.error is None
        and record.machine == machine
        and record.versions == current_versions()
    ]
    counting.sort(key=lambda record: record.time)
    return {record.kernel: record.config == MERGED for record in counting}

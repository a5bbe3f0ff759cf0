"""The template of copies: elements move and nothing is computed, so bandwidth is all there is.

Where source and target are contiguous along the same axis, vectors are copied as they lie.
"""

from __future__ import annotations

from autodeploy.machine import Machine
from autodeploy.passes.schedule.plain import schedule_plain
from autodeploy.passes.schedule.view import PipelineView, ScheduleBuilder


def schedule_copy(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule."""
    schedule_plain(view, builder, machine)

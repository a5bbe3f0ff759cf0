"""In how many streams a reduction reads its weights: the rule.

Weights come from beyond the second-level cache, since those of the other layers have taken their
place. A core prefetches a few lines ahead within a page, which is not far enough where there is
much arithmetic for each line. A reduction that takes its steps from several streams in turn, each
in pages of its own, prefetches as many times more lines.
"""

from __future__ import annotations

from autodeploy.machine import Machine

MAX_STREAMS = 4
"""More gain nothing. Each takes a line of every input into the first-level cache, and streams that
are whole pages apart share the ways of one set.
"""


def weight_streams(machine: Machine, steps: int, step_bytes: int) -> int:
    """Return of how many equal parts, a page or more each, the steps are taken in turn.

    ``step_bytes`` are those of the weights of one of the ``steps``, which lie one behind the other.
    """
    streams = MAX_STREAMS
    while steps % streams or steps // streams * step_bytes < machine.costs.prefetched_page:
        streams //= 2
        if streams <= 1:
            return 1
    return streams

"""The pictures of a report, as SVG that takes its colours from the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

from autodeploy.analysis.memory_sizes import readable_bytes
from autodeploy.machine.host import usable_cores
from autodeploy.toolchain.limits import Limits
from autodeploy.toolchain.profile import KernelTime
from autodeploy.toolchain.roofline import roofline
from autodeploy.tools.report.facts import Facts, Step
from autodeploy.tools.report.markup import Markup, joined, tag

ROW = 46
"""The height of a call in the list of calls in pixels; the lines next to it keep to it."""

_LANE = 14
_LANES = 12
"""Lines side by side; what is more than that shares the last one."""

_WIDTH, _LEFT, _RIGHT = 720, 64, 16

Colours = Mapping[str, str]
"""The class of the colour of each algorithm."""


def flow(steps: Sequence[Step], colours: Colours) -> Markup:
    """Draw which call reads what which one has written: a dot a call, lines between them."""
    lanes: list[int] = []  # the last call that each lane is taken for
    lines: list[tuple[int, int, int]] = []
    widest = 0
    for target, step in enumerate(steps):
        for source in step.sources:
            if source >= 0 and target - source > 1:
                free = (i for i, end in enumerate(lanes) if end <= source)
                lane = min(next(free, len(lanes)), _LANES - 1)
                if lane == len(lanes):
                    lanes.append(0)
                lanes[lane] = target
                widest = max(widest, lane + 1)
                lines.append((source, target, lane))
    x = widest * _LANE + 12
    drawn: list[Markup] = []
    for source, target, lane in lines:
        y, end, side = _middle(source), _middle(target), x - 14 - lane * _LANE
        path = f"M{x} {y} Q{side} {y} {side} {y + 18} V{end - 18} Q{side} {end} {x} {end}"
        drawn.append(tag("path", d=path, class_="edge"))
    for target, step in enumerate(steps):
        if target - 1 in step.sources and target:
            path = f"M{x} {_middle(target - 1)} V{_middle(target)}"
            drawn.append(tag("path", d=path, class_="edge near"))
    for number, step in enumerate(steps):
        dot = tag("circle", cx=x, cy=_middle(number), r=6, class_=colours.get(step.algorithm))
        drawn.append(dot)
    width, height = x + 12, len(steps) * ROW
    return tag(
        "svg",
        *drawn,
        class_="flow",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        aria_hidden="true",
    )


def _middle(row: int) -> int:
    return row * ROW + ROW // 2


def arena(facts: Facts, top: int) -> Markup:
    """Draw the arena: calls to the right, bytes upwards, to ``top``; a box a block."""
    height, bottom, above = 320, 34, 10
    calls = max(len(facts.steps), 1)
    inner, tall = _WIDTH - _LEFT - _RIGHT, height - bottom - above

    def x(call: float) -> float:
        return _LEFT + inner * call / calls

    def y(offset: float) -> float:
        return above + tall * (1 - offset / max(top, 1))

    drawn = [
        joined(
            tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y(at), y2=y(at), class_="grid"),
            tag("text", readable_bytes(round(at)), x=_LEFT - 6, y=y(at) + 4, class_="tick end"),
        )
        for at in (top * part / 4 for part in range(5))
    ]
    for index, place in enumerate(facts.places):
        first, last = x(place.first), x(place.last + 1)
        said = (
            f"{place.name}: {readable_bytes(place.bytes)} at byte {place.offset}, "
            f"calls {place.first} to {place.last}"
        )
        size = max(y(place.offset) - y(place.offset + place.bytes), 0.5)
        colour = "scratch" if place.is_scratch else f"c{index % 8}"
        drawn.append(
            tag(
                "rect",
                tag("title", said),
                x=first,
                y=y(place.offset + place.bytes),
                width=last - first,
                height=size,
                class_=f"block {colour}",
            )
        )
        if last - first > 7 * len(place.name) + 8 and size > 16:
            middle = y(place.offset + place.bytes / 2) + 4
            drawn.append(tag("text", place.name, x=first + 6, y=middle, class_="inside"))
    every = max(1, ceil(calls / 12))
    for call in range(0, calls, every):
        drawn.append(tag("text", str(call), x=x(call + 0.5), y=height - 16, class_="tick middle"))
    drawn.append(tag("text", "call", x=_WIDTH - _RIGHT, y=height - 2, class_="tick end"))
    return _plot("The arena over the calls of a run", height, drawn)


def roofline_plot(runs: Sequence[tuple[Facts, str]], limits: Limits, colours: Colours) -> Markup:
    """Draw kernels by operations a byte and operations a second, below what the machine can do.

    ``runs`` are bundles with the class that their points have. A kernel whose share of the limits
    is not known has no point.
    """
    height, bottom, above = 400, 40, 14
    cores = min(max(facts.threads for facts, _ in runs), usable_cores())
    peak = limits.peak_gflops * cores
    points = [
        (time, facts, mark)
        for facts, mark in runs
        for time in facts.kernel_times
        if time.operations and roofline(time, limits, facts.threads).bound
    ]
    roofs = [(name, rate * cores) for name, _, rate in limits.caches]
    roofs.append(("memory", limits.read_gbs * cores))
    rates = [_gflops(time) for time, _, _ in points] or [peak]
    dense = [time.operations / time.bytes for time, _, _ in points] or [1.0]
    left = min(floor(log10(min(dense))), -1)
    right = max(
        ceil(log10(max(dense) * 1.5)), ceil(log10(peak / max(min(r for _, r in roofs), 1e-9)))
    )
    low, high = floor(log10(min(*rates, peak / 100))), log10(peak) + 0.25
    inner, tall = _WIDTH - _LEFT - _RIGHT, height - bottom - above

    def x(value: float) -> float:
        return _LEFT + inner * (log10(value) - left) / (right - left)

    def y(value: float) -> float:
        return above + tall * (1 - (log10(value) - low) / (high - low))

    said: list[tuple[tuple[float, float], str]] = []
    drawn: list[Markup] = []
    for power in range(low, floor(high) + 1):
        at = y(10.0**power)
        drawn.append(tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=at, y2=at, class_="grid"))
        drawn.append(tag("text", f"{10.0**power:g}", x=_LEFT - 6, y=at + 4, class_="tick end"))
    for power in range(left, right + 1):
        at = x(10.0**power)
        drawn.append(tag("line", x1=at, x2=at, y1=above, y2=above + tall, class_="grid"))
        label = f"{10.0**power:g}"
        drawn.append(tag("text", label, x=at, y=height - 22, class_="tick middle"))
    drawn.append(
        tag("text", "operations a byte", x=_WIDTH - _RIGHT, y=height - 4, class_="tick end")
    )
    drawn.append(tag("text", "GFLOP/s", x=4, y=above + 4, class_="tick"))
    for name, rate in roofs:
        start, knee = max(10.0**left, 10.0**low / rate), peak / rate
        line = f"M{x(start):.1f} {y(start * rate):.1f} L{x(knee):.1f} {y(peak):.1f}"
        drawn.append(tag("path", d=f"{line} H{_WIDTH - _RIGHT}", class_="roof"))
        said.append(((start * 1.25, rate), f"{name} {rate:.0f} GB/s"))
    for (at, rate), name in _apart(said):
        drawn.append(tag("text", name, x=x(at) + 8, y=y(at * rate) + 10, class_="roofname"))
    top = f"{peak:.0f} GFLOP/s"
    drawn.append(tag("text", top, x=_WIDTH - _RIGHT - 2, y=y(peak) - 6, class_="roofname end"))
    for time, facts, mark in sorted(points, key=lambda point: -point[0].seconds):
        share = time.seconds / facts.seconds
        about = (
            f"{time.name}: {_gflops(time):.1f} GFLOP/s, {time.seconds * 1e3:.4f} ms, "
            f"{share:.1%} of a run"
        )
        drawn.append(
            tag(
                "circle",
                tag("title", about),
                cx=x(time.operations / time.bytes),
                cy=y(_gflops(time)),
                r=4 + 14 * share**0.5,
                class_=f"point {mark} {colours.get(time.algorithm or '', '')}",
            )
        )
    return _plot("Kernels below the limits of the machine", height, drawn)


def _apart(
    labels: Sequence[tuple[tuple[float, float], str]],
) -> list[tuple[tuple[float, float], str]]:
    """Join the labels of lines that are too close together for one each."""
    joined_: list[tuple[tuple[float, float], str]] = []
    for place, text in labels:
        if joined_ and joined_[-1][0][1] < 2.6 * place[1]:
            text = f"{joined_.pop()[1]}, {text}"
        joined_.append((place, text))
    return joined_


def _gflops(time: KernelTime) -> float:
    return time.operations / time.seconds * 1e-9


def _plot(said: str, height: int, drawn: Sequence[Markup]) -> Markup:
    svg = tag(
        "svg", *drawn, viewBox=f"0 0 {_WIDTH} {height}", class_="plot", role="img", aria_label=said
    )
    return tag("div", svg, class_="scroll")

"""The page of a report: what the facts of a bundle, or of two, look like as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files

from autodeploy.analysis.memory_sizes import readable_bytes
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.toolchain.profile import DRIVER, KernelTime
from autodeploy.toolchain.roofline import roofline
from autodeploy.tools.report.facts import Facts
from autodeploy.tools.report.markup import Child, Markup, joined, tag
from autodeploy.tools.report.plots import arena, flow, roofline_plot

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Nothing is loaded, no script runs: what a browser is told, should a name of a model be one."""

_COLOURS = 8

_SHOWN = 40
"""Rows of the table of times; the rest of the kernels share one more."""


def report_page(facts: Facts) -> str:
    """Return the page about a bundle."""
    manifest = facts.manifest
    colours = _colours([facts])
    tiles = [
        ("one run", f"{facts.seconds * 1e3:.3f} ms") if facts.times else None,
        ("kernels", str(len(manifest.kernels))),
        ("arena", readable_bytes(manifest.arena_bytes)),
        ("weights", readable_bytes(manifest.weights.bytes)),
        ("code of kernels", _bytes(facts.code_bytes)) if facts.code_bytes else None,
    ]
    return _page(
        manifest.name,
        joined(
            _header(manifest.name, _summary(manifest)),
            tag("div", *(_tile(*tile) for tile in tiles if tile), class_="tiles"),
            _graph(facts, colours),
            _times(facts, colours),
            _roofline([(facts, "")], colours),
            _arena(facts, facts.manifest.arena_bytes, "The arena"),
            _table("Memory", _memory(facts)),
            _table("Inputs and outputs", _tensors(manifest)),
            _table("Compiled with", _settings(manifest)),
        ),
    )


def comparison_page(before: Facts, after: Facts) -> str:
    """Return the page about what is different between two bundles."""
    colours = _colours([before, after])
    one, other = before.manifest, after.manifest
    tiles = [
        _change("one run", before.seconds * 1e3, after.seconds * 1e3, lambda n: f"{n:.3f} ms"),
        _change("kernels", len(one.kernels), len(other.kernels), lambda n: f"{n:.0f}"),
        _change("arena", one.arena_bytes, other.arena_bytes, _bytes),
        _change("weights", one.weights.bytes, other.weights.bytes, _bytes),
    ]
    if before.code_bytes and after.code_bytes:
        tiles.append(_change("code of kernels", before.code_bytes, after.code_bytes, _bytes))
    top = max(one.arena_bytes, other.arena_bytes)
    names = " and ".join(dict.fromkeys((one.name, other.name)))
    return _page(
        f"{names}, before and after",
        joined(
            _header(f"{names}, before and after", _summary(other)),
            tag("div", *tiles, class_="tiles"),
            _compared_times(before, after, colours),
            _roofline([(before, "older"), (after, "")], colours),
            _arena(before, top, "The arena before"),
            _arena(after, top, "The arena after"),
            _table("Compiled with", _compared(_settings(one), _settings(other)), "before", "after"),
        ),
    )


def _page(title: str, body: Markup) -> str:
    style = files("autodeploy").joinpath("tools", "report", "page.css").read_text(encoding="utf-8")
    head = joined(
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", title),
        tag("style", Markup(style)),
    )
    html = tag("html", tag("head", head), tag("body", tag("main", body)), lang="en")
    return f"<!doctype html>\n{html}\n"


def _header(title: str, said: str) -> Markup:
    return tag("header", tag("h1", title), tag("p", said))


def _summary(manifest: Manifest) -> str:
    machine = manifest.machine
    place = f" for {machine.name} ({machine.platform}, {machine.isa})" if machine else ""
    tool, level = manifest.tools.get("autodeploy", ""), manifest.options.get("level")
    parts = ", ".join(variant.name for variant in manifest.for_parts)
    part = f", for {parts}" if parts else ""
    return f"A network as a C program{place}, by autodeploy {tool}, level {level}{part}."


def _tile(what: str, number: str, change: Markup | None = None) -> Markup:
    return tag("div", tag("b", number), tag("span", what, change), class_="tile")


def _change(what: str, before: float, after: float, text: Callable[[float], str]) -> Markup:
    if not before or not after:
        return _tile(what, text(after) if after else "none")
    ratio = after / before
    percent = f"{abs(ratio - 1):.1%}"
    if percent == "0.0%":
        return _tile(what, text(after), tag("span", ", as before"))
    said = f", {percent} {'less' if ratio < 1 else 'more'} than {text(before)}"
    return _tile(what, text(after), tag("span", said, class_="good" if ratio < 1 else "bad"))


def _bytes(number: float) -> str:
    return readable_bytes(round(number))


def _colours(all_facts: Iterable[Facts]) -> dict[str, str]:
    """Return the class of the colour of each algorithm, the one that takes longest first."""
    totals: dict[str, float] = {}
    for facts in all_facts:
        for step in facts.steps:
            totals.setdefault(step.algorithm, 0.0)
        for time in facts.kernel_times:
            name = time.algorithm or "copy"
            totals[name] = totals.get(name, 0.0) + time.seconds
    ordered = sorted(totals, key=lambda name: -totals[name])
    return {name: f"c{min(index, _COLOURS - 1)}" for index, name in enumerate(ordered)}


def _legend(colours: Mapping[str, str], used: Iterable[str]) -> Markup:
    found = set(used)
    names = [name for name in colours if name in found]
    entries = (tag("span", tag("i", class_=colours[n]), tag("b", n or "plain")) for n in names)
    return tag("div", *entries, class_="legend")


def _section(title: str, said: str, *content: Markup) -> Markup:
    return tag("section", tag("h2", title), tag("p", said), *content)


def _graph(facts: Facts, colours: Mapping[str, str]) -> Markup:
    rows = [
        tag(
            "li",
            tag("b", step.kernel, tag("span", f"  {step.result}")),
            tag("small", ", ".join(step.nodes) or "no node of the model"),
            title=", ".join(step.nodes),
        )
        for step in facts.steps
    ]
    nodes = len({node for step in facts.steps for node in step.nodes})
    return _section(
        "The fused graph",
        f"{nodes} nodes of the model became {len(facts.steps)} calls. Below each call are its "
        "nodes; lines lead from the writer of a tensor to its readers.",
        _legend(colours, (step.algorithm for step in facts.steps)),
        tag("div", flow(facts.steps, colours), tag("ol", *rows, class_="calls"), class_="flowbox"),
    )


def _times(facts: Facts, colours: Mapping[str, str]) -> Markup:
    if not facts.times or facts.limits is None:
        return _section("Time by kernel", f"Not measured: {facts.untimed}.")
    shown = facts.kernel_times
    largest = max((time.seconds for time in shown), default=1.0) or 1.0
    rows: list[Markup] = []
    for time in shown[:_SHOWN]:
        roof = roofline(time, facts.limits, facts.threads)
        rate = f"{roof.gops:.1f}" if roof.gops else ""
        bound = f"{roof.of_roof:.0%} of {roof.bound}" if roof.of_roof is not None else ""
        rows.append(
            tag(
                "tr",
                _named(time, facts),
                tag("td", f"{time.seconds * 1e3:.4f}", class_="number"),
                tag("td", f"{time.seconds / facts.seconds:.1%}", class_="number"),
                tag(
                    "td", _bar(time.seconds / largest, _colour(time, colours)), class_="share wide"
                ),
                tag("td", rate, class_="number wide"),
                tag("td", bound, class_="number wide"),
            )
        )
    rest = sum(time.seconds for time in shown[_SHOWN:])
    if rest:
        said = f"{len(shown) - _SHOWN} more kernels"
        rows.append(_plain_row(said, rest, facts.seconds))
    driver = sum(time.seconds for time in facts.times if time.name == DRIVER)
    rows.append(_plain_row("the driver, and taking the time", driver, facts.seconds))
    heads = _heads(
        ("kernel", ""), ("ms", "number"), ("share", "number"), ("", "wide"),
        ("Gop/s", "number wide"), ("of what it can reach", "number wide"),
    )  # fmt: skip
    threads = f"{facts.threads} thread{'s' * (facts.threads != 1)}"
    said = f"A run takes {facts.seconds * 1e3:.3f} ms on this machine, with {threads}; medians."
    return _section("Time by kernel", said, tag("table", heads, *rows))


def _plain_row(said: str, seconds: float, total: float) -> Markup:
    return tag(
        "tr",
        tag("td", said),
        tag("td", f"{seconds * 1e3:.4f}", class_="number"),
        tag("td", f"{seconds / total:.1%}", class_="number"),
        *(tag("td", class_="wide") for _ in range(3)),
    )


def _heads(*columns: tuple[str, str]) -> Markup:
    return tag("tr", *(tag("th", name, class_=kind or None) for name, kind in columns))


def _named(time: KernelTime, facts: Facts) -> Markup:
    said = ", ".join(facts.nodes(time.name)) or time.algorithm
    calls = f" \u00d7 {time.calls}" if time.calls > 1 else ""
    return tag("td", f"{time.name}{calls}", tag("small", said))


def _colour(time: KernelTime, colours: Mapping[str, str]) -> str:
    return colours.get(time.algorithm or "copy", "c0")


def _bar(share: float, colour: str) -> Markup:
    return tag("div", class_=f"bar {colour}", style=f"width:{share:.1%}")


def _compared_times(before: Facts, after: Facts, colours: Mapping[str, str]) -> Markup:
    if not before.times or not after.times:
        said = before.untimed or after.untimed
        return _section("Time by kernel", f"Not measured: {said}.")
    groups = _groups(before, after)
    groups.sort(key=lambda group: -abs(_seconds(group[1]) - _seconds(group[0])))
    largest = max((_seconds(times) for group in groups for times in group), default=1.0) or 1.0
    rows: list[Markup] = []
    for older, newer in groups[:_SHOWN]:
        was, now = _seconds(older), _seconds(newer)
        facts, shown = (after, newer) if newer else (before, older)
        nodes = dict.fromkeys(node for time in shown for node in facts.nodes(time.name))
        colour = _colour(shown[0], colours)
        bars = _bar(was / largest, f"pale {colour}"), _bar(now / largest, colour)
        rows.append(
            tag(
                "tr",
                tag(
                    "td",
                    ", ".join(time.name for time in shown),
                    tag("small", ", ".join(nodes) or shown[0].algorithm),
                ),
                tag("td", f"{was * 1e3:.4f}" if older else "none", class_="number"),
                tag("td", f"{now * 1e3:.4f}" if newer else "none", class_="number"),
                tag(
                    "td",
                    f"{(now - was) * 1e3:+.4f}",
                    class_=f"number {'bad' if now > was else 'good'}",
                ),
                tag("td", *bars, class_="share wide"),
            )
        )
    heads = _heads(
        ("kernels", ""), ("before, ms", "number"), ("after, ms", "number"),
        ("difference", "number"), ("", "wide"),
    )  # fmt: skip
    said = (
        "A row has the kernels that compute the same nodes, by their names in the second bundle; "
        "the largest difference comes first."
    )
    return _section("Time by kernel", said, tag("table", heads, *rows))


def _groups(before: Facts, after: Facts) -> list[tuple[list[KernelTime], list[KernelTime]]]:
    """Group the kernels of both, so that those which share a node of the model are together."""
    groups: list[tuple[set[str], tuple[list[KernelTime], list[KernelTime]]]] = []
    for side, facts in enumerate((before, after)):
        for time in facts.kernel_times:
            nodes = set(facts.nodes(time.name) or (f"kernel {time.name}",))
            joint: tuple[list[KernelTime], list[KernelTime]] = ([], [])
            joint[side].append(time)
            apart: list[tuple[set[str], tuple[list[KernelTime], list[KernelTime]]]] = []
            for known, times in groups:
                if known.isdisjoint(nodes):
                    apart.append((known, times))
                else:
                    nodes |= known
                    for both, more in zip(joint, times, strict=True):
                        both.extend(more)
            groups = [*apart, (nodes, joint)]
    return [times for _, times in groups]


def _seconds(times: Sequence[KernelTime]) -> float:
    return sum(time.seconds for time in times)


def _roofline(runs: Sequence[tuple[Facts, str]], colours: Mapping[str, str]) -> Markup | None:
    limits = next((facts.limits for facts, _ in runs if facts.limits is not None), None)
    if limits is None:
        return None
    used = (
        time.algorithm or "copy"
        for facts, _ in runs
        for time in facts.kernel_times
        if time.operations
    )
    dashed = " What was before is dashed." if len(runs) > 1 else ""
    return _section(
        "The limits of the machine",
        "A point is a kernel, its area the share of a run. On the left it gets no higher than the "
        "line of the memory that its tensors come from, on the right than the arithmetic of the "
        f"machine.{dashed}",
        _legend(colours, used),
        roofline_plot(runs, limits, colours),
    )


def _arena(facts: Facts, top: int, title: str) -> Markup:
    bound = facts.manifest.arena_lower_bound
    least = f", where {readable_bytes(bound)} is the least that there can be" if bound else ""
    inside = facts.manifest.bytes_in_outputs
    beside = f" {readable_bytes(inside)} of outputs hold further tensors." if inside else ""
    said = (
        f"{readable_bytes(facts.manifest.arena_bytes)}{least}. A box is a tensor: from the call "
        "that writes it to the last that reads it, at its place in memory. Grey is what a call "
        f"works in.{beside}"
    )
    return _section(title, said, arena(facts, top))


def _table(title: str, rows: Sequence[Sequence[Child]], *heads: str) -> Markup:
    head = _heads(*(("", ""), *((name, "") for name in heads))) if heads else None
    body = (tag("tr", *(tag("td", cell) for cell in row)) for row in rows)
    return tag("section", tag("h2", title), tag("table", head, *body))


def _tensors(manifest: Manifest) -> list[Sequence[Child]]:
    def row(kind: str, entry: TensorEntry) -> Sequence[Child]:
        shape = " \u00d7 ".join(map(str, entry.shape)) or "a scalar"
        return kind, entry.name, f"{entry.dtype} {shape}"

    return [
        *(row("input", entry) for entry in manifest.inputs),
        *(row("output", entry) for entry in manifest.outputs),
    ]


def _memory(facts: Facts) -> list[Sequence[Child]]:
    return list(replace(facts.manifest.memory, code=facts.code_bytes).rows())


def _settings(manifest: Manifest) -> list[Sequence[Child]]:
    machine = manifest.machine
    rows: list[Sequence[Child]] = [
        (name.replace("_", " "), value) for name, value in manifest.options.items()
    ]
    if machine is not None:
        caches = (machine.l1_bytes, machine.l2_bytes, machine.l3_bytes)
        rows += [
            ("machine", f"{machine.name}: {machine.platform}, {machine.isa}"),
            ("features", ", ".join(machine.features)),
            ("caches", ", ".join(readable_bytes(size) for size in caches if size)),
        ]
    rows += [("opset", str(manifest.opset))] if manifest.opset else []
    return [*rows, *((name, version) for name, version in manifest.tools.items())]


def _compared(
    one: Sequence[Sequence[Child]], other: Sequence[Sequence[Child]]
) -> list[Sequence[Child]]:
    before, after = ({str(row[0]): row[1] for row in rows} for rows in (one, other))
    return [(name, before.get(name), after.get(name)) for name in {**before, **after}]

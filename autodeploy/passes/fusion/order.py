"""The order of the pattern passes, derived from the ops that their patterns match and create.

A rule is a pattern file. Rule B runs after rule A if

- A makes an op that its own match has not, and B matches ops of that name;
- A adds a feature (an attribute or an optional operand, see ``features``) to an op that it
  rebuilds, and B needs it;
- B adds a feature that A needs absent, unless A does that to B, too: then the two compete.

If one pattern of a file needs a feature and another needs it absent, neither counts.

If these leave it open, preferences decide. They are taken kind by kind and in the order of
names, and one that would close a cycle is left out:

- A only removes ops (or turns them into constants) and B does not: obstacles first;
- A's pattern contains B's: where both match, A takes more;
- A rebuilds an op that B uses up: what A can take into the op has to be in it first;
- B matches ops of any name, and A only named ones: the special before the general.

Rules that are still open are ordered by name. Two of them that may match the same op are undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import combinations, pairwise, permutations
from pathlib import Path

from xdsl.context import Context
from xdsl.ir import Attribute

from autodeploy.passes.fusion.pdl.executor import CompiledPattern, load_patterns
from autodeploy.passes.fusion.pdl.features import Feature, Features, features_of
from autodeploy.passes.fusion.pdl.overlaps import Match
from autodeploy.passes.fusion.pdl.source import PatternError
from autodeploy.passes.fusion.registry import PATTERN_FOLDER, pattern_files


@dataclass(frozen=True)
class Dependency:
    """``before`` runs before ``after``; ``after reason before`` reads as a sentence."""

    before: str
    after: str
    reason: str
    preferred: bool = False
    """Whether this is only a preference."""


@dataclass(frozen=True)
class PassOrder:
    """The names of the pattern passes in the order in which they run, and why."""

    names: tuple[str, ...]
    dependencies: tuple[Dependency, ...]
    undecided: tuple[tuple[str, str], ...]
    """Pairs of rules that may match the same op and are ordered by their names alone."""


def pass_order(ctx: Context, folder: Path = PATTERN_FOLDER) -> list[str]:
    """Return the names of the pattern passes of a folder in the order in which they run.

    Raises ``PatternError`` for a malformed file, or if the rules form a cycle.
    """
    return list(_order_of_folder(ctx, folder).names)


def explain_order(ctx: Context, folder: Path = PATTERN_FOLDER) -> list[str]:
    """Return the order as lines to print: each pass, and below it why it comes after others.

    Raises ``PatternError`` as ``pass_order`` does.
    """
    order = _order_of_folder(ctx, folder)
    lines: list[str] = []
    for name in order.names:
        lines.append(name)
        reasons: dict[str, list[str]] = {}
        for dependency in order.dependencies:
            if dependency.after == name:
                preference = "preferably, as it " if dependency.preferred else ""
                reasons.setdefault(preference + dependency.reason, []).append(dependency.before)
        lines += [f"  {reason} {', '.join(names)}" for reason, names in reasons.items()]
    return lines + [
        f"warning: {one} and {other} may match the same operation; their names say which is first"
        for one, other in order.undecided
    ]


def derive_order(ctx: Context, rules: Mapping[str, Sequence[CompiledPattern]]) -> PassOrder:
    """Return the order of rules, each given by its patterns.

    Raises ``PatternError`` if the rules form a cycle; it prints the cycle with its reasons.
    """
    features = {
        name: [features_of(ctx, pattern) for pattern in rules[name]] for name in sorted(rules)
    }
    matches = {name: [Match(ctx, pattern) for pattern in rules[name]] for name in features}
    graph = _Graph(features)
    for before, after in permutations(features, 2):
        reason = _demand(features[before], features[after])
        if reason is not None:
            graph.add(Dependency(before, after, reason))
    graph.sorted_names()  # the demands alone must have an order
    preferences: list[Callable[[str, str], str | None]] = [
        lambda before, after: _removal_first(features[before], features[after]),
        lambda before, after: _larger_first(matches[before], matches[after]),
        lambda before, after: _absorption_first(features[before], features[after]),
        lambda before, after: _special_first(features[before], features[after]),
    ]
    for preference in preferences:
        for before, after in permutations(features, 2):
            reason = preference(before, after)
            if reason is not None and not graph.leads(after, before):
                graph.add(Dependency(before, after, reason, preferred=True))
    edges = tuple(graph.edges[pair] for pair in sorted(graph.edges))
    undecided = tuple(
        (one, other)
        for one, other in combinations(features, 2)
        if not graph.leads(one, other)
        and not graph.leads(other, one)
        and any(a.overlaps(b) for a in matches[one] for b in matches[other])
    )
    return PassOrder(tuple(graph.sorted_names()), edges, undecided)


def _order_of_folder(ctx: Context, folder: Path) -> PassOrder:
    files = pattern_files(folder)
    return derive_order(ctx, {name: load_patterns(ctx, path) for name, path in files.items()})


def _demand(first: Sequence[Features], second: Sequence[Features]) -> str | None:
    """Say why the rule ``first`` has to run first, ``None`` if it has not."""
    made = {n for one in first for n in one.made} & {n for one in second for n in one.matched}
    if made:
        return f"matches {min(made)}, made by"
    needed = _needed(second)
    for one in first:
        for feature, values in _sorted(one.added):
            wanted = needed.get(feature)
            if wanted and (wanted & values or None in wanted | values):
                return f"needs {feature}, added by"
    refused, also_refused = _refused(first), _refused(second)
    for one in second:
        for feature, _ in _sorted(one.added):
            compete = feature in also_refused and any(feature in f.added for f in first)
            if feature in refused and not compete:
                return f"adds {feature}, needed absent by"
    return None


def _removal_first(first: Sequence[Features], second: Sequence[Features]) -> str | None:
    only = _creates(second) and not _creates(first)
    return "does not only remove operations, unlike" if only else None


def _larger_first(first: Sequence[Match], second: Sequence[Match]) -> str | None:
    contains = any(one.contains(other) for one in first for other in second)
    if not contains or any(other.contains(one) for one in first for other in second):
        return None
    return "matches part of the operations of"


def _absorption_first(first: Sequence[Features], second: Sequence[Features]) -> str | None:
    rebuilt = {name for one in first for name in one.rebuilt}
    shared = rebuilt & {name for one in second for name in one.used_up}
    return f"uses up {min(shared)}, rebuilt by" if shared else None


def _special_first(first: Sequence[Features], second: Sequence[Features]) -> str | None:
    general = any(one.nameless for one in second) and not any(one.nameless for one in first)
    return "matches operations of any name, unlike" if general else None


def _creates(rule: Sequence[Features]) -> bool:
    return any(one.created for one in rule)


def _needed(rule: Sequence[Features]) -> dict[Feature, set[Attribute | None]]:
    refused = {feature for one in rule for feature in one.refused}
    needed: dict[Feature, set[Attribute | None]] = {}
    for one in rule:
        for feature, values in one.needed.items():
            if feature not in refused:
                needed.setdefault(feature, set()).update(values)
    return needed


def _refused(rule: Sequence[Features]) -> set[Feature]:
    needed = {feature for one in rule for feature in one.needed}
    return {feature for one in rule for feature in one.refused} - needed


def _sorted(
    features: Mapping[Feature, set[Attribute | None]],
) -> list[tuple[Feature, set[Attribute | None]]]:
    return sorted(features.items(), key=lambda item: str(item[0]))


class _Graph:
    def __init__(self, names: Mapping[str, object]):
        self.after: dict[str, set[str]] = {name: set() for name in names}
        self.edges: dict[tuple[str, str], Dependency] = {}

    def add(self, dependency: Dependency) -> None:
        pair = dependency.before, dependency.after
        self.edges.setdefault(pair, dependency)
        self.after[dependency.before].add(dependency.after)

    def leads(self, start: str, goal: str) -> bool:
        """Return whether ``goal`` has to come after ``start``."""
        reached, frontier = {start}, [start]
        while frontier:
            new = self.after[frontier.pop()] - reached
            reached |= new
            frontier += new
        return goal in reached

    def sorted_names(self) -> list[str]:
        """Return the names in order; raises ``PatternError`` for a cycle."""
        sorter: TopologicalSorter[str] = TopologicalSorter()
        for name, followers in self.after.items():
            sorter.add(name)
            for follower in sorted(followers):
                sorter.add(follower, name)
        try:
            sorter.prepare()
        except CycleError as error:
            raise self._cycle(error.args[1]) from None
        ready, names = list[str](), list[str]()
        while sorter.is_active():
            for name in sorter.get_ready():
                heappush(ready, name)
            names.append(heappop(ready))
            sorter.done(names[-1])
        return names

    def _cycle(self, path: Sequence[str]) -> PatternError:
        """Return the error for a path that ends where it begins, from its least name on."""
        first = path.index(min(path))
        path = [*path[first:], *path[1 : first + 1]]
        steps = [self.edges[pair] for pair in pairwise(path)]
        listed = [f"  {step.after} {step.reason} {step.before}" for step in steps]
        return PatternError(f"the fusion rules have no order: {' -> '.join(path)}", *listed)

"""Compiling pattern files and applying sets of patterns to a module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener
from xdsl.rewriter import InsertPoint
from xdsl.transforms.dead_code_elimination import is_trivially_dead
from xdsl.utils.worklist import Worklist

from autodeploy.dialects.locations import fused_location, nodes_of
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.passes.fusion.natives import PatternContext, import_native_modules
from autodeploy.passes.fusion.pdl.match_steps import Bindings
from autodeploy.passes.fusion.pdl.matcher import Matcher, Slots, compile_match
from autodeploy.passes.fusion.pdl.rewriter import Rewriter, compile_rewrite
from autodeploy.passes.fusion.pdl.source import (
    PatternError,
    PatternSource,
    parse_patterns,
    read_patterns,
)
from autodeploy.passes.fusion.registry import PDLL_SUFFIX


@dataclass(frozen=True, eq=False)
class CompiledPattern:
    """A ``pdl.pattern`` that is ready to run."""

    source: PatternSource
    benefit: int
    matcher: Matcher
    rewriter: Rewriter
    slots: int

    @property
    def name(self) -> str:
        """Return the pattern's symbol with its ``@``, or its line where it has none."""
        return self.source.name

    @property
    def op(self) -> pdl.PatternOp:
        """Return the pattern as it was parsed."""
        return self.source.op

    @property
    def root_name(self) -> str | None:
        """Return the name of the ops at which matching starts, ``None`` for all ops."""
        return self.matcher.root_name

    def match(self, op: Operation, ctx: PatternContext) -> Bindings | None:
        """Return what the pattern binds with ``op`` as its root, ``None`` if it fails."""
        env: Bindings = [None] * self.slots
        env[0] = op
        return env if self.matcher(env, ctx) else None

    def matched_ops(self, env: Bindings) -> list[Operation]:
        """Return the ops of a match, the root first."""
        return [env[slot] for slot in self.matcher.ops]


def load_patterns(ctx: Context, path_or_text: Path | str) -> list[CompiledPattern]:
    """Compile the patterns of a file (a ``Path``) or of a PDL text (a ``str``), in their order.

    A file whose name ends in ``.pdll`` is PDLL, every other one PDL. Raises
    ``PatternError``, which names file, line and pattern, for whatever can be found wrong before
    anything is rewritten.
    """
    if isinstance(path_or_text, str):
        return compile_sources(ctx, parse_patterns(ctx, path_or_text, "<text>"))
    return compile_sources(ctx, _read(ctx, path_or_text))


def _read(ctx: Context, path: Path) -> list[PatternSource]:
    if path.suffix != PDLL_SUFFIX:
        return read_patterns(ctx, path)
    # The parser library is loaded only where there is something to parse.
    from autodeploy.passes.fusion.pdll.expand import read_pdll

    return read_pdll(ctx, path)


def compile_sources(ctx: Context, sources: Iterable[PatternSource]) -> list[CompiledPattern]:
    """Compile parsed patterns; raises ``PatternError`` for a malformed one."""
    import_native_modules()
    return [_compile(ctx, source) for source in sources]


def _compile(ctx: Context, source: PatternSource) -> CompiledPattern:
    slots = Slots()
    matcher = compile_match(source, ctx, slots)
    rewriter = compile_rewrite(source, ctx, slots, matcher)
    return CompiledPattern(source, source.op.benefit.value.data, matcher, rewriter, slots.count)


class PatternSet:
    """Patterns by the name of their root, the highest benefit first, then in text order."""

    def __init__(self, patterns: Sequence[CompiledPattern]):
        ordered = sorted(patterns, key=lambda pattern: -pattern.benefit)
        self._nameless = [p for p in ordered if p.root_name is None]
        self._by_name = {
            name: [p for p in ordered if p.root_name in (name, None)]
            for name in {p.root_name for p in ordered if p.root_name is not None}
        }

    def candidates(self, op: Operation) -> Sequence[CompiledPattern]:
        """Return the patterns that may have ``op`` as their root, the first to try first."""
        return self._by_name.get(op.name, self._nameless)


def apply_patterns(ctx: Context, module: ModuleOp, patterns: Sequence[CompiledPattern]) -> int:
    """Rewrite a module, regions included, until no pattern matches; return how often one did.

    Ops are visited from the top; what a rewrite touches is visited again, and the walk is repeated
    until it changes nothing. A matched op, or one whose result only removed ops used, is removed
    once it is dead (pure and unused). The last op that a rewrite makes, but for constants, takes
    over the locations of the matched ops that are gone.

    Raises ``PatternError`` if a rewrite is not valid, or if the patterns go on for more than
    1000 rewrites plus 20 for each op of the module.
    """
    return _Driver(ctx, module, patterns).run()


class _Driver:
    def __init__(self, ctx: Context, module: ModuleOp, patterns: Sequence[CompiledPattern]):
        self.context, self.module, self.set = ctx, module, PatternSet(patterns)
        self.worklist: Worklist[Operation] = Worklist()
        self.orphans: list[SSAValue] = []
        self.rewriter: PatternRewriter | None = None
        self.applied: Counter[CompiledPattern] = Counter()
        self.made: list[Operation] = []
        self.listener = PatternRewriterListener(
            operation_insertion_handler=[self._push, self.made.append],
            operation_removal_handler=[self._on_removal],
            operation_modification_handler=[self._push],
        )

    def run(self) -> int:
        size = sum(1 for _ in self.module.walk())
        limit = 1000 + 20 * size
        done = -1
        while self.applied.total() != done:
            done = self.applied.total()
            # Pushed backwards, since the worklist is a stack.
            for op in reversed(list(self.module.body.walk())):
                self._push(op)
            while self.worklist:
                self._visit(self.worklist.pop())
                if self.applied.total() > limit:
                    raise self._endless(size)
        return done

    def _visit(self, op: Operation) -> None:
        if op.parent is None:  # a native rewrite took it out without the rewriter
            return
        self.rewriter = PatternRewriter(op)
        self.rewriter.extend_from_listener(self.listener)
        ctx = PatternContext(self.context, self.rewriter)
        for pattern in self.set.candidates(op):
            env = pattern.match(op, ctx)
            if env is None:
                continue
            matched = pattern.matched_ops(env)
            self.made.clear()
            pattern.rewriter(env, ctx)
            if self.rewriter.has_done_action:
                self.applied[pattern] += 1
                self._erase_dead(matched)
                self._keep_locations(matched)
                return

    def _keep_locations(self, matched: Sequence[Operation]) -> None:
        made = [op for op in self.made if not isinstance(op, ConstantOp)]
        if made:
            kept = {node for op in made for node in nodes_of(op)}
            gone = [
                op
                for op in reversed(matched)
                if op.parent is None
                and not isinstance(op, ConstantOp)
                and not kept.issuperset(nodes_of(op))
            ]
            made[-1].location = fused_location([made[-1], *gone])

    def _push(self, op: Operation) -> None:
        if self.set.candidates(op):
            self.worklist.push(op)

    def _on_removal(self, op: Operation) -> None:
        for inner in op.walk():
            self.worklist.remove(inner)
            self.orphans += inner.operands
        rewriter = self.rewriter
        assert rewriter is not None
        # Ops that are created after the root is gone take its place.
        if rewriter.insertion_point.insert_before is op:
            rewriter.insertion_point = InsertPoint.after(op)

    def _erase_dead(self, seeds: Sequence[Operation]) -> None:
        assert self.rewriter is not None
        suspects = list(seeds)
        while suspects or self.orphans:
            if not suspects:
                owner = self.orphans.pop().owner
                if isinstance(owner, Operation):
                    suspects.append(owner)
                continue
            op = suspects.pop()
            if op.parent is None:
                continue
            if op.results and is_trivially_dead(op):
                self.rewriter.erase(op)
            else:
                self._push(op)

    def _endless(self, size: int) -> PatternError:
        pattern, count = self.applied.most_common(1)[0]
        return pattern.source.error(
            f"still matches after {count} rewrites; {self.applied.total()} rewrites of a module "
            f"of {size} ops came to no end"
        )

"""PDLL to the ``pdl`` dialect: each ``Pattern`` becomes a ``pdl.pattern``.

Constraints and rewrites with a body are put in where they are called; native ones become
``pdl.apply_native_constraint`` and ``pdl.apply_native_rewrite``. A matched op that is commutative
is marked so, and ``Like`` becomes an op that copies the attributes which it is not given.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from autodeploy.diagnostics import did_you_mean
from autodeploy.passes.fusion.natives import COPY_ATTRIBUTES
from autodeploy.passes.fusion.pdl.source import PatternError, PatternSource, read_text
from autodeploy.passes.fusion.pdll import ops, syntax
from autodeploy.passes.fusion.pdll.builder import Builder, name_of
from autodeploy.passes.fusion.pdll.entities import CORE, Entity, Group, kind_name
from autodeploy.passes.fusion.pdll.files import Declared, load_pdll
from autodeploy.passes.fusion.pdll.kinds import LIKE, Kinds, parameters_of, results_of
from autodeploy.passes.fusion.pdll.parse import string_of

Scope: TypeAlias = dict[str, Entity]


def read_pdll(ctx: Context, path: Path) -> list[PatternSource]:
    """Expand a PDLL file; raises ``PatternError`` if it is missing or malformed."""
    return expand_pdll(ctx, read_text(path), str(path), path.parent)


def expand_pdll(
    ctx: Context, text: str, file: str, folder: Path | None = None
) -> list[PatternSource]:
    """Expand the patterns of a PDLL text; ``folder`` is where its includes are looked for first.

    Raises ``PatternError``, with line and column, for a text that does not parse, for names that
    do not exist, and for parts that do not fit together.
    """
    try:
        source = load_pdll(text, file, folder)
        if not source.patterns:
            raise PatternError(f"{file}: expected at least one Pattern, found none")
        return [_Expander(ctx, p, file, source.functions).expand() for p in source.patterns]
    except RecursionError:
        raise PatternError(f"{file}: expressions are nested too deeply") from None


def native_name(name: str) -> str:
    """Return the name under which PDL knows a native function: ``has_one_use``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class _Expander:
    def __init__(
        self, ctx: Context, pattern: syntax.Pattern, file: str, functions: Mapping[str, Declared]
    ):
        self.pattern = pattern
        self.build = Builder(ctx, pattern, file)
        self.kinds = Kinds(self.build, functions)
        self.rewrites = False
        """Whether the rewrite is being built and no longer the match."""
        self.calls: list[str] = []

    def expand(self) -> PatternSource:
        scope: Scope = {}
        statements = _statements(self.pattern.body)
        last = statements[-1] if statements else None
        for statement in statements[:-1]:
            if isinstance(
                statement, syntax.Replace | syntax.Erase | syntax.Rewrite | syntax.Return
            ):
                self.build.fail(statement, "only the last statement of a pattern rewrites")
            self._match(statement, scope)
        if not isinstance(last, syntax.Replace | syntax.Erase | syntax.Rewrite):
            self.build.fail(last or self.pattern, "a pattern ends with replace, erase or rewrite")
        root = self._root(last.root, scope)
        self.build.source.op.properties["benefit"] = IntegerAttr(self._benefit(), 16)
        body = Block()
        self.build.add(pdl.RewriteOp(root, Region(body)), last)
        self.build.block, self.rewrites = body, True
        if isinstance(last, syntax.Rewrite):
            self._rewrite_all(last.body.statements, dict(scope))
        else:
            self._change(last, root, scope)
        self.build.check_used()
        return self.build.source

    def _benefit(self) -> int:
        """Return the benefit of the pattern: how many ops it matches, where it does not say."""
        given = self.pattern.benefit
        if given is None:
            return sum(isinstance(part, pdl.OperationOp) for part in self.build.block.ops)
        if len(given) > 4:
            self.build.fail(given, f"a benefit is at most 9999, found {given}")
        return int(given)

    def _root(self, node: syntax.Expression, scope: Scope) -> SSAValue:
        return self.build.convert(self._evaluate(node, scope), CORE["Op"], node)

    # Statements

    def _match(self, statement: syntax.Statement, scope: Scope) -> None:
        match statement:
            case syntax.Let():
                self._let(statement, scope)
            case syntax.Call():
                self._call(statement, scope)
            case syntax.Negated():
                self._call(statement.call, scope, negated=True)
            case _:
                self.build.fail(statement, "a match does not rewrite")

    def _rewrite_all(self, statements: Sequence[syntax.Statement], scope: Scope) -> None:
        for statement in statements:
            match statement:
                case syntax.Replace() | syntax.Erase():
                    self._change(statement, self._root(statement.root, scope), scope)
                case syntax.Let():
                    self._let(statement, scope)
                case syntax.Call():
                    self._call(statement, scope)
                case _:
                    self.build.fail(statement, "this statement has no meaning in a rewrite")

    def _change(self, change: syntax.Replace | syntax.Erase, root: SSAValue, scope: Scope) -> None:
        if isinstance(change, syntax.Erase):
            self.build.add(pdl.EraseOp(root), change)
            return
        new = self._evaluate(change.value, scope)
        if isinstance(new, SSAValue) and new.type == CORE["Op"]:
            self.build.add(pdl.ReplaceOp(root, new), change)
        else:
            values = self.build.values_of(new, change.value)
            self.build.add(pdl.ReplaceOp(root, None, values), change)

    def _let(self, let: syntax.Let, scope: Scope) -> None:
        if let.value is not None:
            entity = self._evaluate(let.value, scope)
            if let.constraints is not None:
                parts = let.constraints.parts
                entity = self.build.convert(entity, CORE[self.kinds.core_of(parts)], let.value)
                self._limit(entity, parts)
        elif let.constraints is not None:
            entity = self._new(let.constraints, scope)
        else:
            self.build.fail(let, f"'{let.name}' needs a value or a constraint")
        self._bind(let.name, entity, scope)

    def _bind(self, name: syntax.Token, entity: Entity, scope: Scope) -> None:
        if name == "_":
            return
        if name in scope:
            self.build.fail(name, f"'{name}' is defined twice")
        scope[str(name)] = entity
        if isinstance(entity, SSAValue) and entity.name_hint is None:
            entity.name_hint = str(name)

    # Expressions

    def _evaluate(self, node: syntax.Expression, scope: Scope) -> Entity:
        match node:
            case syntax.Variable():
                if node.name not in scope:
                    hint = did_you_mean(node.name, scope)
                    self.build.fail(node, f"unknown variable '{node.name}'{hint}")
                return scope[str(node.name)]
            case syntax.Definition():
                entity = self._new(node.constraints, scope)
                self._bind(node.name, entity, scope)
                return entity
            case syntax.Operation():
                return self._create(node, scope) if self.rewrites else self._find(node, scope)
            case syntax.AttributeLiteral():
                return self._attribute(self.build.attribute(node.text), node)
            case syntax.TypeLiteral():
                return self.build.value(pdl.TypeOp(self.build.type(node.text)), node)
            case syntax.Call():
                found = self._call(node, scope)
                if found is None:
                    self.build.fail(node, f"'{node.name}' gives no result")
                return found
            case syntax.Member():
                return self._member(node, scope)
            case syntax.Tuple():
                names = [None if part.name is None else str(part.name) for part in node.parts]
                items = [self._evaluate(part.value, scope) for part in node.parts]
                return Group(tuple(names), tuple(items))

    def _attribute(self, attribute: Attribute, at: syntax.Node) -> SSAValue:
        return self.build.value(ops.attribute(attribute), at)

    def _member(self, node: syntax.Member, scope: Scope) -> Entity:
        of = self._evaluate(node.of, scope)
        if isinstance(of, SSAValue):
            if of.type != CORE["Op"]:
                self.build.fail(node, f"{kind_name(of)} has no member '{node.name}'")
            return self.build.member(of, node.name, node)
        if node.name.isdecimal() and int(node.name) < len(of.items):
            return of.items[int(node.name)]
        if node.name in of.names:
            return of.items[of.names.index(str(node.name))]
        listed = ", ".join(name or str(i) for i, name in enumerate(of.names))
        self.build.fail(node.name, f"unknown result '{node.name}', expected one of {listed}")

    def _operands(self, parts: Sequence[syntax.Expression], scope: Scope) -> list[SSAValue]:
        return [
            v for part in parts for v in self.build.values_of(self._evaluate(part, scope), part)
        ]

    def _types(self, types: syntax.Types, scope: Scope) -> list[SSAValue]:
        found: list[SSAValue] = []
        for part in types.parts:
            entity = self._evaluate(part, scope)
            if isinstance(entity, Group) or entity.type not in (CORE["Type"], CORE["TypeRange"]):
                self.build.fail(part, f"expected a type, found {kind_name(entity)}")
            found.append(entity)
        return found

    def _attributes(
        self, attributes: syntax.Attributes | None, scope: Scope
    ) -> dict[str, SSAValue]:
        found: dict[str, SSAValue] = {}
        for entry in attributes.parts if attributes is not None else ():
            name = string_of(entry.name) if entry.name.startswith('"') else str(entry.name)
            if name in found:
                self.build.fail(entry, f"attribute '{name}' is given twice")
            if entry.value is None:
                found[name] = self._attribute(UnitAttr(), entry)
            else:
                value = self._evaluate(entry.value, scope)
                found[name] = self.build.convert(value, CORE["Attr"], entry.value)
        return found

    def _find(self, node: syntax.Operation, scope: Scope) -> SSAValue:
        """Return a matched op; what the text does not list is not limited."""
        name = None if node.name is None else str(node.name)
        if node.operands is None:
            operands = self.build.all_operands(name, node)
        else:
            operands = self._operands(node.operands.parts, scope)
        attributes = self._attributes(node.attributes, scope)
        if node.types is None:
            types = self.build.all_types(name, node)
        else:
            types = self._types(node.types, scope)
        op = self.build.operation(node, name, operands, attributes, types)
        self.build.mark_commutative(op, node)
        return op

    def _create(self, node: syntax.Operation, scope: Scope) -> SSAValue:
        if node.name is None:
            self.build.fail(node, "an operation that is created needs a name")
        operands = [] if node.operands is None else self._operands(node.operands.parts, scope)
        attributes = self._attributes(node.attributes, scope)
        types = [] if node.types is None else self._types(node.types, scope)
        return self.build.operation(node, str(node.name), operands, attributes, types)

    def _like(self, call: syntax.Call, scope: Scope) -> SSAValue:
        """Return a new op with the attributes of a matched one, but for those that are given."""
        if not self.rewrites or not call.operands.parts:
            self.build.fail(call, f"'{LIKE}' makes an operation like a matched one, in a rewrite")
        first, *rest = call.operands.parts
        old = self.build.convert(self._evaluate(first, scope), CORE["Op"], first)
        name = name_of(old)
        if name is None:
            self.build.fail(first, f"'{LIKE}' needs an operation whose name is matched")
        assert isinstance(old.owner, pdl.OperationOp)
        operands = self._operands(rest, scope) if rest else old.owner.operand_values
        attributes = self._attributes(call.attributes, scope)
        types = [] if call.types is None else self._types(call.types, scope)
        new = self.build.operation(call, name, operands, attributes, types)
        self.build.add(ops.native_rewrite(COPY_ATTRIBUTES, [old, new], []), call)
        return new

    # Variables and their constraints

    def _new(self, constraints: syntax.Constraints, scope: Scope) -> SSAValue:
        """Return a new variable of the match."""
        if self.rewrites:
            self.build.fail(constraints, "a rewrite has no variables without a value")
        core = self.kinds.core_of(constraints.parts)
        at = self.kinds.core_part(constraints.parts) or constraints
        name = str(at.operation) if isinstance(at, syntax.OperationConstraint) else None
        type_ = None
        if isinstance(at, syntax.Constraint) and at.parameter is not None:
            type_ = self._evaluate(at.parameter, scope)
        if core in ("Value", "ValueRange", "Attr"):
            kind = "TypeRange" if core == "ValueRange" else "Type"
            entity = self.build.value(ops.variable(core, self._type(type_, kind, at)), at)
        elif type_ is not None:
            self.build.fail(at, f"'{core}' takes nothing in angle brackets but an operation")
        elif core == "Op":
            operands, types = self.build.all_operands(name, at), self.build.all_types(name, at)
            entity = self.build.operation(at, name, operands, {}, types)
        else:
            entity = self.build.value(ops.variable(core), at)
        self._limit(entity, constraints.parts)
        return entity

    def _type(self, entity: Entity | None, kind: str, at: syntax.Node) -> SSAValue | None:
        return None if entity is None else self.build.convert(entity, CORE[kind], at)

    def _limit(self, entity: SSAValue, parts: Sequence[syntax.AnyConstraint]) -> None:
        """Demand of a variable what a list says."""
        for part in parts:
            if isinstance(part, syntax.OperationConstraint):
                if name_of(entity) != part.operation:
                    found = name_of(entity) or "an operation of any name"
                    self.build.fail(part, f"expected {part.operation}, found {found}")
            elif part.name not in CORE:
                if part.parameter is not None:
                    self.build.fail(part, f"'{part.name}' takes nothing in angle brackets")
                self._apply(part, self.kinds.function(part.name, "Constraint"), [entity], [part])

    # Functions

    def _call(self, call: syntax.Call, scope: Scope, negated: bool = False) -> Entity | None:
        if call.name == LIKE:
            return self._like(call, scope)
        declared = self.kinds.function(call.name, "Rewrite" if self.rewrites else "Constraint")
        if call.attributes is not None or call.types is not None:
            self.build.fail(call, f"only '{LIKE}' takes attributes and types")
        parts = call.operands.parts
        entities = [self._evaluate(part, scope) for part in parts]
        return self._apply(call, declared, entities, parts, negated)

    def _apply(
        self,
        at: syntax.Call | syntax.Constraint,
        declared: Declared,
        entities: Sequence[Entity],
        places: Sequence[syntax.Node],
        negated: bool = False,
    ) -> Entity | None:
        function = declared.function
        parameters = parameters_of(function)
        if len(parameters) != len(entities):
            count = "1 argument" if len(parameters) == 1 else f"{len(parameters)} arguments"
            self.build.fail(at, f"'{at.name}' takes {count}, found {len(entities)}")
        arguments = [
            self.build.convert(entity, CORE[self.kinds.core_of(parameter.constraints.parts)], where)
            for entity, parameter, where in zip(entities, parameters, places, strict=True)
        ]
        if function.body is None:
            return self._native(at, function, arguments, negated)
        if negated:
            self.build.fail(at, "only a native constraint can be negated")
        with self._inside(at, declared):
            scope: Scope = {}
            for parameter, argument in zip(parameters, arguments, strict=True):
                if parameter.name != "_":
                    scope[str(parameter.name)] = argument
                self._limit(argument, parameter.constraints.parts)
            found = self._body(function.body, scope)
            return self._declared(function, found)

    @contextmanager
    def _inside(self, at: syntax.Call | syntax.Constraint, declared: Declared) -> Generator[None]:
        name = str(at.name)
        if name in self.calls:
            self.build.fail(at, f"'{name}' calls itself")
        outer = self.build.file
        self.calls.append(name)
        self.build.file = declared.file
        yield
        self.build.file = outer
        self.calls.pop()

    def _body(self, body: syntax.Body, scope: Scope) -> Entity | None:
        if isinstance(body, syntax.ShortBody):
            match body.value:
                case syntax.Call():
                    return self._call(body.value, scope)
                case syntax.Negated():
                    self._match(body.value, scope)
                    return None
                case syntax.Replace() | syntax.Erase() | syntax.Rewrite():
                    self._steps([body.value], scope)
                    return None
                case _:
                    return self._evaluate(body.value, scope)
        statements = body.statements
        last = statements[-1] if statements else None
        if not isinstance(last, syntax.Return):
            self._steps(statements, scope)
            return None
        self._steps(statements[:-1], scope)
        return self._evaluate(last.value, scope)

    def _steps(self, statements: Sequence[syntax.Statement], scope: Scope) -> None:
        if self.rewrites:
            self._rewrite_all(statements, scope)
            return
        for statement in statements:
            self._match(statement, scope)

    def _declared(self, function: syntax.Function, found: Entity | None) -> Entity | None:
        """Return what a body gives, as its function declares it."""
        results = results_of(function)
        if not results:
            return found
        items = found.items if isinstance(found, Group) else () if found is None else (found,)
        if len(items) != len(results):
            self.build.fail(
                function, f"'{function.name}' declares {len(results)} results, gives {len(items)}"
            )
        values: list[SSAValue] = []
        for item, result in zip(items, results, strict=True):
            core = CORE[self.kinds.core_of([result.constraint])]
            values.append(self.build.convert(item, core, result))
            self._limit(values[-1], [result.constraint])
        return _group(results, values)

    def _native(
        self,
        at: syntax.Call | syntax.Constraint,
        function: syntax.Function,
        arguments: Sequence[SSAValue],
        negated: bool,
    ) -> Entity | None:
        results = results_of(function)
        types = [CORE[self.kinds.core_of([result.constraint])] for result in results]
        name = native_name(function.name)
        if self.rewrites:
            op = ops.native_rewrite(name, arguments, types)
        else:
            op = ops.native_constraint(name, arguments, types, negated)
        self.build.add(op, at)
        return _group(results, op.results) if types else None


def _group(results: Sequence[syntax.Result], values: Sequence[SSAValue]) -> Entity:
    """Return the results of a function: the one, or all with the names that it declares."""
    if len(values) == 1:
        return values[0]
    names = [None if result.name is None else str(result.name) for result in results]
    for value, name in zip(values, names, strict=True):
        value.name_hint = value.name_hint or name
    return Group(tuple(names), tuple(values))


def _statements(body: syntax.Body) -> list[syntax.Statement]:
    if isinstance(body, syntax.Block):
        return body.statements
    value = body.value
    return [value] if isinstance(value, syntax.Replace | syntax.Erase | syntax.Rewrite) else []

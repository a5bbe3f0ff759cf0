"""The passes that a command line asks for, and the types of their options."""

from dataclasses import dataclass

import pytest
from xdsl.passes import ModulePass

from autodeploy.diagnostics import UserError
from autodeploy.tools.opt.flags import PassRequest, parse_options, parse_pipeline, split_pass_flags
from autodeploy.tools.opt.options import build_passes, option_help

PASSES = ("a", "b", "a-b")


@dataclass(frozen=True)
class Example(ModulePass):
    """An example."""

    name = "example"

    count: int = 1
    ratio: float = 0.5
    fast: bool = False
    label: str = "none"
    sizes: tuple[int, ...] = ()
    limit: int | None = None
    unroll_factor: int = 2

    def apply(self, ctx, op):
        pass


@dataclass(frozen=True)
class Demanding(ModulePass):
    name = "demanding"

    file_name: str

    def __post_init__(self):
        if not self.file_name:
            raise ValueError("file name is empty")

    def apply(self, ctx, op):
        pass


AVAILABLE = {"example": lambda: Example, "demanding": lambda: Demanding}


def example(options: str) -> Example:
    (made,) = build_passes([PassRequest("example", parse_options(options))], AVAILABLE)
    assert isinstance(made, Example)
    return made


@pytest.mark.parametrize(
    ("argv", "names", "rest"),
    [
        ([], "", []),
        (["--a"], "a", []),
        (["--a", "x.mlir", "--b"], "a b", ["x.mlir"]),
        (["--b", "-p", "a,b", "--a"], "b a b a", []),
        (["--b", "-pa,b", "--a"], "b a b a", []),
        (["--passes=a,b", "--a-b"], "a b a-b", []),
        (["--passes", "a", "-o", "y", "--cse"], "a", ["-o", "y", "--cse"]),
        (["--a", "--", "--b"], "a", ["--", "--b"]),
        (["--ab", "-a", "a"], "", ["--ab", "-a", "a"]),
        (["-p", ""], "", []),
        (["-p", "unknown"], "unknown", []),
    ],
)
def test_flags_in_order(argv, names, rest):
    requests, left = split_pass_flags(argv, PASSES)
    assert [request.name for request in requests] == names.split()
    assert left == rest


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("{}", {}),
        ("k=v", {"k": ("v",)}),
        ("{k=v}", {"k": ("v",)}),
        (" { k=v  k2=1,2 } ", {"k": ("v",), "k2": ("1", "2")}),
        ("long-key=v", {"long_key": ("v",)}),
        ("k", {"k": ()}),
        ("k= l", {"k": ("",), "l": ()}),
        ("file=my.pdl.mlir", {"file": ("my.pdl.mlir",)}),
        ("file=a/b=c", {"file": ("a/b=c",)}),
        ('k="a b,c" l="}"', {"k": ('"a b,c"',), "l": ('"}"',)}),
        ("k={1,2} l=[a b]", {"k": ("{1,2}",), "l": ("[a b]",)}),
    ],
)
def test_option_text(text, options):
    assert parse_options(text) == options


def test_options_of_a_flag_and_of_a_pipeline_are_the_same():
    flag, _ = split_pass_flags(["--a=x=1,2 y", "--b"], PASSES)
    pipeline, _ = split_pass_flags(["-p", "a{x=1,2 y},b"], PASSES)
    assert flag == pipeline == [PassRequest("a", {"x": ("1", "2"), "y": ()}), PassRequest("b")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("=3", "malformed options '=3': expected 'key=value', found '=3'"),
        ("k=1 k=2", "malformed options 'k=1 k=2': 'k' is given twice"),
        ("{k=1", "unbalanced bracket in '{k=1'"),
        ("k=1}", "unbalanced bracket in 'k=1}'"),
        ('k="a', "unbalanced quote in 'k=\"a'"),
    ],
)
def test_malformed_options(text, message):
    with pytest.raises(UserError) as error:
        parse_options(text)
    assert str(error.value) == message


@pytest.mark.parametrize("text", ["a b", "a{x=1}b", "a;b", "a(b)"])
def test_malformed_pipeline(text):
    with pytest.raises(UserError, match=f"malformed pipeline .*found '{text[0]}"):
        parse_pipeline(text)


def test_pipeline_without_its_text():
    with pytest.raises(UserError, match="option '-p' takes a comma-separated list of passes"):
        split_pass_flags(["--a", "-p"], PASSES)


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("", "count", 1),
        ("count=3", "count", 3),
        ("count=-3", "count", -3),
        ("ratio=0.25", "ratio", 0.25),
        ("ratio=1e-3", "ratio", 1e-3),
        ("ratio=2", "ratio", 2.0),
        ("fast=true", "fast", True),
        ("fast", "fast", True),
        ("fast=false", "fast", False),
        ("label=a.b/c", "label", "a.b/c"),
        ("label=12", "label", "12"),
        ("label=true", "label", "true"),
        ("label=", "label", ""),
        (r'label="a \"b\"\n"', "label", 'a "b"\n'),
        ("sizes=1,2,3", "sizes", (1, 2, 3)),
        ("sizes=1", "sizes", (1,)),
        ("limit=4", "limit", 4),
        ("limit", "limit", None),
        ("unroll-factor=8", "unroll_factor", 8),
        ("unroll_factor=8", "unroll_factor", 8),
    ],
)
def test_option_types(text, field, value):
    found = getattr(example(text), field)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count=many", "pass 'example': option 'count' is of type int, found 'many'"),
        ("count=1.5", "pass 'example': option 'count' is of type int, found '1.5'"),
        ("count=true", "pass 'example': option 'count' is of type int, found 'true'"),
        ("count=1,2", "pass 'example': option 'count' is of type int, found '1,2'"),
        ("count", "pass 'example': option 'count' is of type int, found no value"),
        ("ratio=half", "pass 'example': option 'ratio' is of type float, found 'half'"),
        ("fast=1", "pass 'example': option 'fast' is of type bool, found '1'"),
        ("label", "pass 'example': option 'label' is of type str, found no value"),
        ("sizes=1,a", "pass 'example': option 'sizes' is of type tuple[int, ...], found '1,a'"),
        ("unroll-facto=1", "pass 'example' has no option 'unroll-facto'; "
                           "did you mean 'unroll-factor'?"),
        ("x=1", "pass 'example' has no option 'x'; its options are "
                "count, ratio, fast, label, sizes, limit, unroll-factor"),
    ],
)  # fmt: skip
def test_wrong_options(text, message):
    with pytest.raises(UserError) as error:
        example(text)
    assert str(error.value) == message


def test_missing_option():
    with pytest.raises(UserError, match="pass 'demanding' needs option 'file-name' of type str"):
        build_passes([PassRequest("demanding")], AVAILABLE)


def test_option_that_the_pass_refuses():
    with pytest.raises(UserError, match="pass 'demanding': file name is empty"):
        build_passes(parse_pipeline("demanding{file-name=}"), AVAILABLE)


def test_unknown_pass_loads_nothing():
    def fail():
        raise AssertionError

    with pytest.raises(UserError, match=r"unknown pass 'exampel'; did you mean 'example'\?"):
        build_passes([PassRequest("example"), PassRequest("exampel")], {"example": fail})


def test_option_help():
    assert option_help(Demanding) == ["file-name=<str>"]
    assert option_help(Example)[:2] == ["count=<int> (default 1)", "ratio=<float> (default 0.5)"]
    assert "limit=<int|None>" in option_help(Example)

"""Runs what the documents show, and compares what they say comes out.

A comment before a fenced block says what the block is:

``<!-- run -->``            a command line (sh) or a program (python) that succeeds
``<!-- run 1 -->``          one that ends with exit status 1
``<!-- file NAME -->``      the content of a file that the following blocks use
``<!-- output -->``         what the block before prints, standard error included
``<!-- excerpt FILE: a | b ... c -->``  parts of a file, unindented: the first line that contains
                            ``a``, then all from the first with ``b`` to the next with ``c``,
                            which may be the ``}`` that closes it

The blocks of one document run in order in one folder, which links to the repository and its
``examples``. In an output ``…`` stands for anything, and numbers with a point may differ in their
last digits, as sums are taken in another order on another machine.

``python test/support/documents.py [FILE...]`` writes the outputs and excerpts that have changed.
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TOLERANCE = 1e-3

_BLOCK = re.compile(
    r"^<!-- (?P<kind>run|file|output|excerpt)(?: (?P<argument>[^\n]*?))? -->\n+"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
)
"""All pages, by their paths below the root."""


@dataclass(frozen=True)
class Block:
    kind: str
    argument: str
    language: str
    text: str
    line: int
    span: tuple[int, int]
    """Where the text stands in the document."""


class DocumentError(Exception):
    """The document does not say what is so; the message names the line."""


def blocks(document: str) -> list[Block]:
    return [
        Block(
            match["kind"],
            match["argument"] or "",
            match["language"],
            match["text"],
            document.count("\n", 0, match.start("text")),
            match.span("text"),
        )
        for match in _BLOCK.finditer(document)
    ]


def runnable_pages() -> list[str]:
    """Return the pages that have something to run or to quote."""
    return [name for name in PAGES if blocks((ROOT / name).read_text(encoding="utf-8"))]


def environment() -> dict[str, str]:
    """Return an environment in which the tools are those of this interpreter."""
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "AUTODEPLOY_CACHE": str(ROOT / "build" / "cache" / "kernels"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }


def run(block: Block, folder: Path) -> str:
    """Run a block and return what it printed."""
    if block.language == "python":
        command = [sys.executable, "-c", block.text]
    else:
        command = ["bash", "-euo", "pipefail", "-c", block.text]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    expected = int(block.argument or 0)
    if done.returncode != expected:
        raise DocumentError(
            f"line {block.line}: ends with status {done.returncode}, not {expected}:\n{done.stdout}"
        )
    return done.stdout


def excerpt(argument: str, folder: Path) -> str:
    """Return parts of a file: each the first line with a word, or with ``a ... b`` all to one."""
    file, _, parts = argument.partition(": ")
    lines = (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(_part(file, lines, *part.split(" ... ")) for part in parts.split(" | "))


def _part(file: str, lines: list[str], first: str, last: str | None = None) -> str:
    start = next((i for i, line in enumerate(lines) if first in line), None)
    if start is None:
        raise DocumentError(f"{file} has no line with {first!r}")
    if last is None:
        return lines[start].lstrip()
    after = range(start + 1, len(lines))
    end = next((i for i in after if _ends(lines[i], last, lines[start])), None)
    if end is None:
        raise DocumentError(f"{file} has no line with {last!r} after that with {first!r}")
    return textwrap.dedent("".join(lines[start : end + 1]))


def _ends(line: str, word: str, first: str) -> bool:
    """Tell whether a line ends a part: by its word, or by the brace that closes the first line."""
    if word == "}":
        return line.rstrip() == f"{first[: len(first) - len(first.lstrip())]}}}"
    return word in line


def agrees(said: str, found: str) -> bool:
    """Tell whether an output is what the document says."""
    parts = [re.escape(_NUMBER.sub("0.0", part)) for part in said.strip().split("…")]
    if not re.fullmatch(".*".join(parts), _NUMBER.sub("0.0", found.strip()), re.DOTALL):
        return False
    if "…" in said:  # which number stands for which is not known
        return True
    pairs = zip(_NUMBER.findall(said), _NUMBER.findall(found), strict=True)
    return all(abs(float(a) - float(b)) <= TOLERANCE * max(1, abs(float(a))) for a, b in pairs)


def changes(document: str, folder: Path) -> list[tuple[Block, str]]:
    """Run the blocks of a document; return those that say something else than what comes out."""
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "repository").symlink_to(ROOT)
    differing: list[tuple[Block, str]] = []
    printed = ""
    for block in blocks(document):
        match block.kind:
            case "file":
                (folder / block.argument).write_text(block.text, encoding="utf-8")
            case "run":
                printed = run(block, folder)
            case "output":
                if not agrees(block.text, printed):
                    differing.append((block, printed))
            case "excerpt":
                found = excerpt(block.argument, folder)
                if found != block.text:
                    differing.append((block, found))
    return differing


def main(names: list[str]) -> None:
    for name in names or runnable_pages():
        path = ROOT / name
        document = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            found = changes(document, Path(folder))
        for block, text in reversed(found):
            start, end = block.span
            document = document[:start] + text.strip("\n") + "\n" + document[end:]
            print(f"written: {name}:{block.line}")
        path.write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Errors that a user can cause and warnings that a user should see, and how they are worded.

Messages start in lower case, carry no full stop, and say what was found, what was expected and
where. Every error of this module is an xDSL ``DiagnosticException``, so lit's
``--verify-diagnostics`` sees it and the tools print it as one line without a traceback.
"""

from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from difflib import get_close_matches

from xdsl.utils.exceptions import DiagnosticException


def visible(text: str, keep: Collection[str] = "") -> str:
    r"""Return foreign text for a terminal: what is not printable as ``\x1b`` or ``\u202e``.

    That takes from it all that would do something else than show a character: control characters,
    ends of lines, marks that change the direction of writing. Those in ``keep`` stay.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _escape(ord(c)) for c in text)


def _escape(code: int) -> str:
    if code < 1 << 8:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"


class UserError(DiagnosticException):
    """Something that the user handed in is wrong: a file, a shape, an option.

    Each of ``lines`` is a line of the message, whatever names of a model are in it (``visible``).
    """

    def __init__(self, *lines: str):
        super().__init__("\n".join(map(visible, lines)))


class ModelError(UserError):
    """The model file is not readable, not valid, or not within what its own folder may hold."""


class ModelWarning(UserWarning):
    """The model declares something false; it is compiled for the computed facts."""


class CacheWarning(UserWarning):
    """The cache of kernels cannot be trusted, and is not used."""


class RecordsWarning(UserWarning):
    """Records of measurements are damaged, or are for other kernels."""


class PatternWarning(UserWarning):
    """Rules of a user change nothing."""


class WorkerWarning(UserWarning):
    """A worker that measures fails or computes something else than others, and is not used."""


class UnsupportedError(UserError):
    """The model is valid but needs what autodeploy cannot do; everything is listed at once.

    ``inputs`` are those of the model whose values, given before the run, might help.
    """

    def __init__(self, *lines: str, inputs: Iterable[str] = ()):
        super().__init__(*lines)
        self.inputs = tuple(inputs)


class WeightsError(UserError):
    """Weight data that the IR names is missing, foreign or of another size."""


class ToolchainError(UserError):
    """A compiler, linker or other external tool is missing or failed."""


@contextmanager
def io_errors(what: str, kind: type[UserError] = UserError) -> Generator[None]:
    """Raise an error that says ``what`` failed, and why, in place of an ``OSError``."""
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {error.strerror or error}") from None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the closest candidate, or an empty string."""
    matches = get_close_matches(name, list(candidates), n=1)
    return f"; did you mean '{matches[0]}'?" if matches else ""

"""Labels of constraints: each is in the documentation, in the verifier and in a test."""

from xdsl.utils.exceptions import VerifyException


def invalid(label: str, message: str) -> VerifyException:
    """Return the error of a constraint that does not hold; its text ends with the label."""
    return VerifyException(f"{message} [{label}]")

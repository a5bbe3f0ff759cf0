"""Rules stay short enough to be read as rules."""

from pathlib import Path

from autodeploy.passes import fusion

RULES = sorted(Path(fusion.__file__).parent.glob("rules/*.pdll"))


def _lines(rule: Path) -> int:
    """Return the lines of a rule that are neither empty nor a comment."""
    lines = map(str.strip, rule.read_text().splitlines())
    return sum(bool(line) and not line.startswith("//") for line in lines)


def test_rules_are_short():
    lines = {rule.name: _lines(rule) for rule in RULES}
    assert len(lines) > 10
    assert not {name: count for name, count in lines.items() if count > 40}
    assert sum(lines.values()) <= 500

"""Fusion rules written in PDL: reading, matching, rewriting, ordering.

A rule is a ``patterns/<name>.pdl.mlir`` file and thereby a pass (``registry``). ``source`` parses
it, ``matcher`` and ``rewriter`` compile its two halves to flat steps (``match_steps``,
``rewrite_steps``) by one reading of operand lists (``segments``), ``executor`` applies a set of
patterns to a module. ``features`` and ``order`` derive the order of the passes. What PDL cannot say
is a native function (``natives``). ``docs/pdl.md`` describes the language.
"""

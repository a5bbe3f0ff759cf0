"""Fusion rules in PDLL, MLIR's pattern language: from text to the ``pdl`` dialect.

``grammar.lark`` is the grammar, ``parse`` makes of a text the tree whose classes are in ``syntax``,
``files`` finds what a file includes, ``expand`` makes ``pdl.pattern``s of the tree with the help of
``builder`` (pdl ops and their places), ``kinds`` (constraints and functions) and ``entities`` (what
an expression stands for). ``docs/pdll.md`` describes the language.
"""

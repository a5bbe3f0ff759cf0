"""Fusion rules: reading, matching, rewriting, ordering.

A rule is a ``rules/<name>.pdll`` file and thereby a pass (``registry``). ``pdll`` expands it to the
``pdl`` dialect; ``source`` reads a text in that dialect itself. ``matcher`` and ``rewriter``
compile the two halves of a ``pdl.pattern`` to flat steps (``match_steps``, ``rewrite_steps``) by
one reading of operand lists (``segments``), ``executor`` applies a set of patterns to a module.
``features`` and ``order`` derive the order of the passes. A condition that patterns cannot express
is a native function (``natives``), which ``include/nn.pdll`` declares. ``docs/pdll.md`` describes
the language of the rules, ``docs/pdl.md`` how patterns are matched."""

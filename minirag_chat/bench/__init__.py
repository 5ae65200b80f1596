"""The benchmark: data sets, judges, metrics, tables. ``minirag-chat bench`` runs it.

``dataset`` reads questions, ``runner`` asks them (resumable, one line of JSON an answer), ``judge``
decides by rules what is right, ``metrics`` counts, ``report`` writes tables and ``plots`` draws.
"""

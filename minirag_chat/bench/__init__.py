"""The benchmark: data sets, judges, metrics, tables. ``minirag-chat bench`` runs it.

``dataset`` reads questions, ``runner`` asks them (resumable, one line of JSON for each answer),
``judge`` decides by rules what is right, ``scores`` counts, ``report`` writes tables, ``plots`` draws.
"""

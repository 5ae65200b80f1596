"""How answers are shown: the path graph, the page, the notebook widget."""

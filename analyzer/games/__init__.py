"""One module per game; `analyzer.registry` names them."""

"""Exact answers, one module a game; ``analyzer solve`` prints them."""

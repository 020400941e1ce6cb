"""Restricted play: a strategy that is denied something, made from the strategy itself.

A *restriction* is two functions of a family of games::

    hide(view, choice, what) -> note
    show(view, choice, move, note) -> move

`hide` takes the denied option out of what the strategy is about to see, out of its view as well as out
of the legal moves, and returns a note of it (an int64 of its own making); where nothing else is left it
hides nothing, so a strategy always has a move. `show` puts everything back and says what the
strategy's answer means in the position as it is. Between the two the strategy, any strategy, is asked
as always: it plays as it would if the option were not there. What the denied option is (`what`) is a
number of the family's own.

The kernels know nothing of this: to them it is one more strategy.
"""

from __future__ import annotations

from numba import njit

from kernels.abi import RAISED, STRATEGY, Strategy
from kernels.bits import offset_cells

# Game by game, since what is hidden differs: a restricted seat costs a call a move.
_LOOP = """
def {name}(views, legal, streams, moves, games):
    for lane in range(games):
        view = offset_cells(views, lane)
        choice = offset_cells(legal, lane)
        answer = offset_cells(moves, lane)
        note = _hide(view, choice, _what)
        _strategy(view, choice, offset_cells(streams, lane), answer, 1)
        shown = _show(view, choice, answer[0], note)
        if answer[0] != _raised:
            answer[0] = shown
    return 0
"""


def restricted(strategy, hide, show, what):
    """Compile a strategy that is denied something.

    Parameters
    ----------
    strategy
        Of a `kernels.abi.Door`: built-in, or somebody's own.
    hide, show
        The restriction, compiled.
    what : int
        What is denied.

    Returns
    -------
    A compiled strategy, for the same door.
    """
    name = f"{strategy.__name__}_without_{hide.__name__}_{what}"
    scope = {
        "_strategy": getattr(strategy, "loop", strategy),
        "_hide": hide,
        "_show": show,
        "_what": what,
        "_raised": RAISED,
        "offset_cells": offset_cells,
        "__name__": hide.__module__,
    }
    source = getattr(hide, "py_func", hide)
    exec(compile(_LOOP.format(name=name), source.__code__.co_filename, "exec"), scope)
    # Somebody's own strategy is not kept on disk, since its name does not say what it is.
    if isinstance(strategy, Strategy):
        return Strategy(None, scope[name])
    return njit(STRATEGY, error_model="numpy")(scope[name])

"""What a strategy of the plank game can be denied (`kernels.restrict`)."""

from __future__ import annotations

from kernels.jit import part
from kernels.plank import view as see
from kernels.plank.position import SYMBOL_BITS, symbol_of

NOTHING = -1
NO_MOVE = -1
_CHOICES = (1 << see.SYMBOLS) - 1
_DENIED_SHIFT = 2 * SYMBOL_BITS
_LEGAL_SHIFT = 3 * SYMBOL_BITS


@part
def symbol(view, choice, denied):
    """Hide a symbol beside another that may be chosen: both pointers seem to show the other one.

    Returns
    -------
    int64
        Both symbols shown, the denied one and the legal word; NOTHING where nothing is hidden.
    """
    left, right, legal = view[see.LEFT], view[see.RIGHT], choice[0]
    others = legal & _CHOICES & ~(1 << denied)
    if left == right or not see.may_choose(legal, denied) or others == 0:
        return NOTHING
    other = right if left == denied else left
    view[see.LEFT] = other
    view[see.RIGHT] = other
    choice[0] = legal & ~(1 << denied)
    return legal << _LEGAL_SHIFT | denied << _DENIED_SHIFT | right << SYMBOL_BITS | left


@part
def show_symbol(view, choice, move, note):
    """Show both symbols again."""
    if note == NOTHING:
        return move
    field = see.SYMBOLS - 1
    view[see.LEFT] = note & field
    view[see.RIGHT] = note >> SYMBOL_BITS & field
    choice[0] = note >> _LEGAL_SHIFT
    denied = note >> _DENIED_SHIFT & field
    return NO_MOVE if symbol_of(move) == denied else move

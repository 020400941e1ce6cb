"""A game's digest: what happened in it, folded into one word, the same way in every game.

`fold` is Horner's rule in wrapping arithmetic with an odd factor. `finish_digest` mixes the result with
the game's index, so that equal games of a run differ, and a block's digest, their sum, depends on no
order.
"""

from __future__ import annotations

from kernels.bits import wrapping_add, wrapping_mul
from kernels.jit import inlined

HORNER = 0x5851F42D4C957F2D
_SPREAD = 0x2545F4914F6CDD1D


@inlined
def fold(digest, word):
    """Fold one more word into a game's digest."""
    return wrapping_add(wrapping_mul(digest, HORNER), word)


@inlined
def finish_digest(digest, game):
    """Mix a game's digest with its index, so that equal games of a run differ and order is free."""
    mixed = wrapping_mul(digest ^ wrapping_mul(game + 1, _SPREAD), HORNER)
    mixed ^= (mixed >> 32) & 0xFFFFFFFF
    mixed = wrapping_mul(mixed, _SPREAD)
    return mixed ^ ((mixed >> 29) & 0x7FFFFFFFF)

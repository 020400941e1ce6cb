"""What a strategy of Einfach tierisch can be denied (`kernels.restrict`).

A schedule is the sizes set aside first, second and third. It is denied at the second roll, where the
size that would follow is hidden; the first choice is made as if nothing were. The view of one game is
every LANES-th cell from where it begins.
"""

from __future__ import annotations

from kernels.dice import view as see
from kernels.dice.multisets import size_of
from kernels.dice.play import row
from kernels.jit import part

NO_MOVE = -1
SECOND_ROLL = 2
_SIZE_BITS = 2
_SIZE_FIELD = 3


def schedule_of(first, second):
    """Return the number of a schedule, for `schedule`."""
    return first << _SIZE_BITS | second


@part
def schedule(view, choice, denied):
    """Hide the second size of a schedule after its first; return the size, or 0 for nothing."""
    first, second = denied >> _SIZE_BITS, denied & _SIZE_FIELD
    if view[row(see.DECISION)] != see.KEEP_DICE or view[row(see.ROLL_NUMBER)] != SECOND_ROLL:
        return 0
    if view[row(see.SIZES)] != see.ALL_SIZES ^ 1 << first:
        return 0
    view[row(see.SIZES)] &= ~(1 << second)
    choice[0] = see.keeps_of(see.rolled(choice[0]), view[row(see.SIZES)])
    return second


@part
def show_schedule(view, choice, move, hidden):
    """Show the hidden size again."""
    if hidden == 0:
        return move
    view[row(see.SIZES)] |= 1 << hidden
    choice[0] = see.keeps_of(see.rolled(choice[0]), view[row(see.SIZES)])
    return NO_MOVE if move >= 0 and size_of(move) == hidden else move

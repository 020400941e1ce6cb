"""What a strategy of a boat game can be denied (`kernels.restrict`).

The view of one game is every LANES-th cell from where it begins.
"""

from __future__ import annotations

from kernels.boats import view as see
from kernels.boats.cards import deck_card, remove_from_deck
from kernels.boats.loop import row
from kernels.jit import part

NOTHING = -1
_SLOT_BITS = 8


@part
def card_in_hand(view, choice, species):
    """Hide an animal in the hand, unless it is the only card there; return its slot and the hand."""
    hand = view[row(see.HAND)]
    size = view[row(see.HAND_SIZE_NOW)]
    for slot in range(size):
        if deck_card(hand, slot) == species and size > 1:
            view[row(see.HAND)] = remove_from_deck(hand, slot)
            view[row(see.HAND_SIZE_NOW)] = size - 1
            choice[0] = see.legal_set(view[row(see.OPEN_BOATS)], size - 1, view[row(see.FACES)])
            return hand << _SLOT_BITS | slot
    return NOTHING


@part
def show_card(view, choice, move, note):
    """Put the hidden animal back into its slot; the slots from there on are one higher."""
    if note == NOTHING:
        return move
    slot = note & ((1 << _SLOT_BITS) - 1)
    size = view[row(see.HAND_SIZE_NOW)] + 1
    view[row(see.HAND)] = note >> _SLOT_BITS
    view[row(see.HAND_SIZE_NOW)] = size
    fewer = choice[0]
    choice[0] = see.legal_set(view[row(see.OPEN_BOATS)], size, view[row(see.FACES)])
    if not see.is_legal(fewer, move):
        return NOTHING  # it was denied, and so it is no move
    higher = see.move_slot(move) >= slot
    return move + higher * see.SLOT_STRIDE


@part
def face(view, choice, denied):
    """Hide a face (0 up, 1 down) where both are legal; return 1 where it is hidden."""
    if view[row(see.FACES)] != see.BOTH_FACES:
        return 0
    view[row(see.FACES)] = see.BOTH_FACES ^ 1 << denied
    size = view[row(see.HAND_SIZE_NOW)]
    choice[0] = see.legal_set(view[row(see.OPEN_BOATS)], size, view[row(see.FACES)])
    return 1


@part
def show_face(view, choice, move, note):
    """Make both faces legal again."""
    if note == 0:
        return move
    fewer = choice[0]
    view[row(see.FACES)] = see.BOTH_FACES
    size = view[row(see.HAND_SIZE_NOW)]
    choice[0] = see.legal_set(view[row(see.OPEN_BOATS)], size, see.BOTH_FACES)
    return move if see.is_legal(fewer, move) else NOTHING

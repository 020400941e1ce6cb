"""Event codes of Einfach tierisch; the cells each fills are named beside it."""

from __future__ import annotations

(
    ANIMAL,  # seat, animal
    START,  # seat
    TURN,  # turn (from 0), seat
    ROLL,  # seat, roll number (1 to 3), packed counts
    KEEP,  # seat, roll number, packed counts set aside (of the third roll: all)
    RESULT,  # packed counts of the six dice, the leading animals (highest bits of their nibbles)
    VOID,  # police
    NOBODY,  # reason
    FORGO,  # seat, column left out because of the box cap, 1 if the player chose it
    MARK,  # seat, column, boxes marked now, boxes of the column afterwards
    COMPLETE,  # seat, column, 1 if it is worth a victory point
    WIN,  # seat
    SCORE,  # seat, victory points, boxes
    TURN_CAP,  # turns played: the game ends without a winner
) = range(14)

# Reasons of NOBODY
NOTHING_OFFERED = 0  # no animal is less frequent than the leaders
UNOWNED = 1  # nobody owns a leading animal
NO_ROOM = 2  # the columns of the offered boxes are full

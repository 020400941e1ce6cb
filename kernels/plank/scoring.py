"""The end of a round and of a game: survivor, ranking, points and winners (GP-A19 to GP-A23).

Everything is read off the order in which the colours fell. Functions modify `table` in place.
"""

from __future__ import annotations

from kernels.bits import bit_length, popcount
from kernels.jit import inlined, part
from kernels.plank import planke_setup as setup_
from kernels.plank import table as at
from kernels.plank.position import COLOURS, PIRATES

#: Points of first, second, third and fourth place.
WINNER_POINTS = 5
PLACE_POINTS = (WINNER_POINTS, 3, 1, 0)
#: Falls after which the lead is looked at.
CHECKPOINT_FALLS = (4, 8, 12)
#: One field of two bits for each fall.
_FIELDS = 0x55555555
#: When a colour's last pirate fell that is still on the plank: after everybody.
ALIVE = 64


@inlined
def falls_of(table, colour):
    """Return the falls of a colour, the lowest bit of the field of each."""
    differ = table[at.FALLEN] ^ colour * _FIELDS
    fields = _FIELDS & ((1 << 2 * table[at.FALLS]) - 1)
    return ~(differ | differ >> 1) & fields


@inlined
def last_moment(table, colour):
    """Return a number that is greater the later a colour's last pirate fell."""
    return ALIVE if colour == table[at.SURVIVOR] else bit_length(falls_of(table, colour))


@inlined
def owned_colours(table):
    """Return the set of the colours that players hold."""
    owned = 0
    for seat in range(table[at.SEATS]):
        owned |= 1 << table[at.STONE + seat]
    return owned


@inlined
def place_of(table, colour, ranked):
    """Return how many colours of the set `ranked` lasted longer than `colour`."""
    moment = last_moment(table, colour)
    place = 0
    for other in range(COLOURS):
        lasted = last_moment(table, other) > moment
        place += (ranked >> other & 1) * lasted
    return place


@part
def score_round(table):
    """Give the round's points and name its winner (GP-A19 to GP-A21).

    Colours rank by the moment at which their last pirate fell: under ``rank_scope=players`` only those
    that players hold, under *colours* all four, and an unowned colour's place is lost. A place that
    the survivor holds is never handed down: with ``unowned_survivor=no_points`` nobody is first. Under
    *best_player* the player who lasted longest wins, with a winner's points; under *replay* the round
    is void.
    """
    unowned_ruling = table[at.RULING + setup_.UNOWNED_SURVIVOR]
    survivor = table[at.SURVIVOR]
    owned = owned_colours(table)
    unowned = survivor != at.NOBODY and owned >> survivor & 1 == 0
    void = survivor == at.NOBODY or (unowned and unowned_ruling == setup_.REPLAY)
    ranked = owned
    if table[at.RULING + setup_.RANK_SCOPE] == setup_.RANK_COLOURS:
        ranked = (1 << COLOURS) - 1
    elif unowned and unowned_ruling == setup_.NO_POINTS:
        ranked |= 1 << survivor
    handed_down = unowned and unowned_ruling == setup_.BEST_PLAYER
    table[at.WINNER] = at.NOBODY
    for seat in range(table[at.SEATS]):
        colour = table[at.STONE + seat]
        points = 0
        if not void:
            points = PLACE_POINTS[place_of(table, colour, ranked)]
            if colour == survivor or (handed_down and place_of(table, colour, owned) == 0):
                table[at.WINNER] = seat
                points = WINNER_POINTS
        table[at.ROUND_POINTS + seat] = points
        table[at.POINTS + seat] += points
    table[at.UNDECIDED] += void
    return unowned


@inlined
def find_leaders(table):
    """Note who had most pirates left at the checkpoints of a round."""
    for k in range(at.CHECKPOINTS):
        so_far = (1 << 2 * CHECKPOINT_FALLS[k]) - 1
        best = PIRATES
        leaders = 0
        for seat in range(table[at.SEATS]):
            lost = popcount(falls_of(table, table[at.STONE + seat]) & so_far)
            leaders = leaders * (lost >= best) | (lost <= best) << seat
            best = min(best, lost)
        table[at.LEADERS + k] = leaders


@inlined
def find_winners(table):
    """Return the mask of the seats that win the game.

    With one round it is the round's winner; with more the highest total, shared by equals, and nobody
    when there were no points at all (GP-A23).
    """
    if table[at.RULING + setup_.ROUNDS] == 1:
        winner = table[at.WINNER]
        return 0 if winner == at.NOBODY else 1 << winner
    best = 1
    winners = 0
    for seat in range(table[at.SEATS]):
        points = table[at.POINTS + seat]
        winners = winners * (points <= best) | (points >= best) << seat
        best = max(best, points)
    return winners


@inlined
def next_starter(table):
    """Return who starts the next round; after one without a winner its starter does again."""
    ruling = table[at.RULING + setup_.ROUND_STARTER]
    if ruling == setup_.ROTATE:
        after = table[at.STARTER] + 1
        return after if after < table[at.SEATS] else 0
    if ruling == setup_.WINNER and table[at.WINNER] != at.NOBODY:
        return table[at.WINNER]
    return table[at.STARTER]

"""Rulings, plank and a single turn of Gezanke auf der Planke!: the lower half of `planke`.

The plank is a list of cells, ``"."`` or a colour letter; index 0 is the last position (ship
end), the highest index the foremost one (at the shark, GP-A02). Everything here is written for
reading: it decides what is right when the fast code and a person disagree.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

COLOURS = ("Y", "R", "G", "B")
EMPTY = "."
SYMBOLS = ("swap", "push1", "move1", "skull")
PIRATES = 16

RULINGS: dict[str, tuple] = {
    "move_targets": ("plank_ends", "adjacent_to_group"),
    "null_move": ("no", "yes"),
    "impossible_symbol": ("noop_allowed", "must_take_other"),
    "swap_same_colour": ("yes", "no"),
    "skull_choice": ("yes", "no"),
    "end": ("one_left", "one_colour_left"),
    "unowned_survivor": ("replay", "no_points", "best_player"),
    "rank_scope": ("players", "colours"),
    "round_starter": ("fixed", "rotate", "winner"),
    "start_player": ("seat0", "random"),
}
OPEN_RULINGS: dict[str, object] = {
    "plank_length": 18,
    "rose": "uniform",
    "rounds": 1,
    "turn_cap": 10000,
}
PLANK_LENGTHS = (17, 40)


class PositionError(ValueError):
    """A bad position, set-up or ruling; the message begins with the name of the field."""


class IllegalMove(ValueError):
    """A logged move that the rules forbid; the message names ply (from 0) and seat."""


class Move(NamedTuple):
    """One turn's decisions: `at` is a cell (swap: two, ascending), `row` the row's last cell."""

    choice: str
    at: int | tuple[int, int] | None = None
    to: str | None = None
    row: int | None = None


# ---------------------------------------------------------------- rulings and the wind rose


def is_int(value: object) -> bool:
    """An integer and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_rulings(given: object) -> dict:
    """All rulings, defaults filled in; an unknown name or value raises `PositionError`."""
    if not isinstance(given, dict):
        raise PositionError("rulings: must be an object")
    rulings = {name: values[0] for name, values in RULINGS.items()} | OPEN_RULINGS
    for name, value in given.items():
        if name not in rulings:
            raise PositionError(f"rulings.{name}: unknown ruling; choices: {sorted(rulings)}")
        if name in RULINGS:
            if value not in RULINGS[name]:
                raise PositionError(f"rulings.{name}: {value!r}; choices: {RULINGS[name]}")
        elif name == "rose":
            rose_distribution(value)
        elif name == "plank_length":
            low, high = PLANK_LENGTHS
            if not is_int(value) or not low <= value <= high:
                raise PositionError(f"rulings.plank_length: {value!r}; integers {low} to {high}")
        elif not is_int(value) or value < 1:
            raise PositionError(f"rulings.{name}: {value!r}; positive integers")
        rulings[name] = value
    return rulings


def rose_distribution(rose: object) -> dict[tuple[str, str], Fraction]:
    """The exact law of (left symbol, right symbol) for each value of the ruling `rose` (GP-A16).

    `rose` is ``"uniform"``, a 4 x 4 table (rows: left pointer, columns: right pointer, in the
    order of `SYMBOLS`), or a wheel ``{"wheel": [symbol, ...], "distance": d}``: the left pointer
    stops at each sector alike and the right one `d` sectors further round.
    """
    law = {(left, right): Fraction(0) for left in SYMBOLS for right in SYMBOLS}
    if rose == "uniform":
        law = dict.fromkeys(law, Fraction(1, 16))
    elif isinstance(rose, dict):
        if set(rose) != {"wheel", "distance"}:
            raise PositionError("rulings.rose: a wheel has the keys 'wheel' and 'distance'")
        wheel, distance = rose["wheel"], rose["distance"]
        if not isinstance(wheel, list) or not wheel or any(s not in SYMBOLS for s in wheel):
            raise PositionError(f"rulings.rose: wheel must list symbols out of {SYMBOLS}")
        if not is_int(distance):
            raise PositionError("rulings.rose: distance must be an integer")
        for sector, symbol in enumerate(wheel):
            other = wheel[(sector + distance) % len(wheel)]
            law[symbol, other] += Fraction(1, len(wheel))
    elif isinstance(rose, list):
        if len(rose) != 4 or any(not isinstance(line, list) or len(line) != 4 for line in rose):
            raise PositionError("rulings.rose: a table has 4 rows of 4 probabilities")
        for left, line in zip(SYMBOLS, rose, strict=True):
            for right, chance in zip(SYMBOLS, line, strict=True):
                if not (is_int(chance) or isinstance(chance, float)) or not 0 <= chance <= 1:
                    raise PositionError(f"rulings.rose: {chance!r} is not a probability")
                law[left, right] = Fraction(str(chance))
        total = sum(law.values())
        if abs(total - 1) > Fraction(1, 10**9):
            raise PositionError(f"rulings.rose: probabilities add up to {float(total)}, not 1")
        law = {pair: chance / total for pair, chance in law.items()}
    else:
        raise PositionError(f"rulings.rose: {rose!r}; 'uniform', a 4 x 4 table or a wheel")
    # The text speaks of two skulls and of a skull with another symbol: both must be possible.
    if law["skull", "skull"] == 0:
        raise PositionError("rulings.rose: skull with skull must be possible")
    if all(law["skull", s] == 0 and law[s, "skull"] == 0 for s in SYMBOLS[:3]):
        raise PositionError("rulings.rose: skull with another symbol must be possible")
    return law


# ---------------------------------------------------------------- the plank


def start_plank(length: int) -> list[str]:
    """The set-up: Y R G B four times over from the ship end, the cells in front empty."""
    return list(COLOURS) * 4 + [EMPTY] * (length - PIRATES)


def pirates(cells: list[str]) -> list[int]:
    """The occupied cells, ship end first."""
    return [i for i, cell in enumerate(cells) if cell != EMPTY]


def rows(cells: list[str]) -> list[int]:
    """The last pirate of every row, a maximal block without a gap (GP-A11)."""
    return [i for i in pirates(cells) if i == 0 or cells[i - 1] == EMPTY]


def push_from(cells: list[str], i: int) -> tuple[list[str], str | None]:
    """Push the pirate on `i` and all directly in front of him; the new plank and who fell.

    The push stops at the first gap and does not carry the row beyond it (GP-A13); when the
    block reaches the edge its foremost pirate falls, never more than one (GP-A12).
    """
    assert cells[i] != EMPTY
    end = i  # the first cell in front of the block
    while end < len(cells) and cells[end] != EMPTY:
        end += 1
    block = cells[i:end]
    if end == len(cells):
        return cells[:i] + [EMPTY] + block[:-1], block[-1]
    return cells[:i] + [EMPTY] + block + cells[end + 1 :], None


def end_cells(cells: list[str], rulings: dict) -> dict[str, int]:
    """The cells that move1 calls "last" and "foremost", where they exist (GP-A03)."""
    if rulings["move_targets"] == "plank_ends":
        return {"last": 0, "foremost": len(cells) - 1}
    standing = pirates(cells)  # before lifting
    ends = {"last": standing[0] - 1, "foremost": standing[-1] + 1}
    return {name: cell for name, cell in ends.items() if 0 <= cell < len(cells)}


def move1_targets(cells: list[str], pirate: int, rulings: dict) -> list[str]:
    """Where the pirate on cell `pirate` may be placed: nobody makes room for him (GP-A04).

    `null_move=yes` also lets a pirate who stands on a target cell be put back there (GP-A06).
    The cells of `adjacent_to_group` are never occupied, so it adds nothing to that ruling.
    """
    return [
        name
        for name, cell in end_cells(cells, rulings).items()
        if cells[cell] == EMPTY or (rulings["null_move"] == "yes" and cell == pirate)
    ]


def executions(cells: list[str], symbol: str, rulings: dict) -> list[Move]:
    """All legal ways to carry out `symbol`, without the row; empty means impossible."""
    standing = pirates(cells)
    if symbol == "skull":
        return [Move("skull")]
    if symbol == "push1":
        return [Move("push1", at=i) for i in standing]
    if symbol == "swap":
        return [
            Move("swap", at=(i, j))
            for i in standing
            for j in standing
            if i < j and (rulings["swap_same_colour"] == "yes" or cells[i] != cells[j])
        ]
    return [Move("move1", at=i, to=to) for i in standing for to in move1_targets(cells, i, rulings)]


def choosable(cells: list[str], symbols: list[str], rulings: dict) -> list[str]:
    """The symbols of the two pointers that may be chosen, left pointer first.

    skull_choice=no (GP-A17): no skull beside an action. impossible_symbol=must_take_other
    (GP-A05): no impossible action beside anything that can be done; a skull can, and then it is
    choosable whatever `skull_choice` says. Two impossible symbols may both be chosen and lapse.
    """
    allowed = []
    for symbol, other in ((symbols[0], symbols[1]), (symbols[1], symbols[0])):
        possible = bool(executions(cells, symbol, rulings))
        other_possible = bool(executions(cells, other, rulings))
        must_take_other = rulings["impossible_symbol"] == "must_take_other"
        if must_take_other and not possible and other_possible:
            continue
        skull_must_stay = rulings["skull_choice"] == "no" and (
            other_possible or not must_take_other
        )
        if symbol == "skull" and other != "skull" and skull_must_stay:
            continue
        allowed.append(symbol)
    assert allowed
    return allowed


def is_over(cells: list[str], rulings: dict) -> bool:
    """One pirate left, or under `end=one_colour_left` pirates of one colour (GP-A15)."""
    standing = [cell for cell in cells if cell != EMPTY]
    assert standing, "the plank is never empty (fact 1)"
    if rulings["end"] == "one_colour_left":
        return len(set(standing)) == 1
    return len(standing) == 1


def carry_out(cells: list[str], move: Move, rulings: dict) -> tuple[list[str], str | None]:
    """Do the chosen symbol's action, known to be legal; the new plank and who fell.

    A move without `at` is a skull or a lapsed action: nothing happens.
    """
    if move.at is None:
        return list(cells), None
    if move.choice == "push1":
        return push_from(cells, move.at)
    after = list(cells)
    if move.choice == "swap":
        i, j = move.at
        after[i], after[j] = cells[j], cells[i]
    else:
        target = end_cells(cells, rulings)[move.to]
        after[move.at] = EMPTY  # first: a null move puts him back on the same cell
        after[target] = cells[move.at]
    return after, None


# ---------------------------------------------------------------- one turn


def _check_pirate(cells: list[str], value: object) -> int:
    if not is_int(value):
        raise PositionError(f"at: {value!r} is not a cell index")
    if not 0 <= value < len(cells):
        raise PositionError(f"at: {value} is off the plank (0 to {len(cells) - 1})")
    if cells[value] == EMPTY:
        raise PositionError(f"at: no pirate stands on {value}")
    return value


def read_choice(cells: list[str], symbols: list[str], given: dict, rulings: dict) -> Move:
    """The wind-rose decision of `given` (choice, at, to), checked; a key set to None is absent."""
    choice, at, to = given.get("choice"), given.get("at"), given.get("to")
    if choice not in SYMBOLS:
        raise PositionError(f"choice: {choice!r}; choices: {SYMBOLS}")
    if choice not in symbols:
        raise PositionError(f"choice: the wind rose shows {symbols}, not {choice!r}")
    if choice not in choosable(cells, symbols, rulings):
        raise PositionError(f"choice: {choice!r} may not be taken here; the other symbol must be")
    options = executions(cells, choice, rulings)
    if choice != "move1" and to is not None:
        raise PositionError(f"to: {choice} takes none")
    if choice == "skull" or not options:
        if at is not None or to is not None:
            what = "a skull" if choice == "skull" else f"{choice}, impossible here,"
            raise PositionError(f"at: {what} takes neither 'at' nor 'to'")
        return Move(choice)
    if choice == "swap":
        if not isinstance(at, list | tuple) or len(at) != 2:
            raise PositionError(f"at: swap takes two cells, not {at!r}")
        i, j = sorted(_check_pirate(cells, cell) for cell in at)
        if i == j:
            raise PositionError("at: swap takes two different pirates")
        move = Move("swap", at=(i, j))
        if move not in options:
            raise PositionError("at: the two pirates have the same colour")
    elif choice == "push1":
        move = Move("push1", at=_check_pirate(cells, at))
    else:
        if to not in ("last", "foremost"):
            raise PositionError(f"to: {to!r}; choices: 'last', 'foremost'")
        move = Move("move1", at=_check_pirate(cells, at), to=to)
        if move not in options:
            raise PositionError(f"to: the {to} position is not free for the pirate on {at}")
    assert move in options
    return move


def play_turn(cells: list[str], symbols: list[str], given: dict, rulings: dict) -> dict:
    """One turn; `given` holds choice, at, to, row. Asserts fact 1: one fall an action at most."""
    move = read_choice(cells, symbols, given, rulings)
    after_choice, fell = carry_out(cells, move, rulings)
    trace: list[tuple] = [(move.choice, move.at, move.to, fell)]
    fallen = [fell] if fell else []
    assert len(pirates(after_choice)) == len(pirates(cells)) - len(fallen)
    after, row_skipped = after_choice, False
    if is_over(after_choice, rulings):
        row_skipped = True  # the game ends at once (GP-A14); a given row is ignored
    else:
        row = given.get("row")
        legal = rows(after_choice)
        assert legal, "a row can always be pushed (fact 2)"
        if not is_int(row) or row not in legal:
            raise PositionError(f"row: {row!r} is not the last pirate of a row; choices: {legal}")
        after, fell = push_from(after_choice, row)
        trace.append(("row", row, None, fell))
        assert len(pirates(after)) == len(pirates(after_choice)) - (1 if fell else 0)
        if fell:
            fallen.append(fell)
    over = is_over(after, rulings)
    return {
        "plank": after,
        "after_choice": after_choice,
        "fallen": fallen,
        "over": over,
        "survivor": after[pirates(after)[0]] if over else None,
        "row_skipped": row_skipped,
        "lapsed": move.choice != "skull" and move.at is None,
        "move": move,
        "trace": trace,
    }

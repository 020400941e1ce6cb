"""What a game declares for its balance report: groups, pictures, and what a strategy can be denied."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Restriction:
    """Something that a strategy can be denied, as in ``greedy~late-bear``.

    A card, an option or a schedule is taken out of what the strategy sees (`kernels.restrict`). An
    effect is taken out of what its seat's cards do (`GameSpec.deny_effect`): the strategy sees all, and
    is not told.

    Attributes
    ----------
    name
        Lower case, with hyphens.
    kind
        What is denied: ``card``, ``effect``, ``option`` or ``schedule``.
    subject
        What is taken away, as in "choosing when to play the bear".
    meaning
        How the strategy plays then.
    what
        The number that the functions are given.
    hide, show
        Names of the two functions in the family's module ``restrict``; empty for an effect.
    """

    name: str
    kind: str
    subject: str
    meaning: str
    what: int
    hide: str = ""
    show: str = ""


@dataclass(frozen=True)
class Component:
    """A group of metrics that vary over the same things, as the balance report shows it.

    Attributes
    ----------
    key
        The upper-case word that their names end with, as in ``kept_rate.ANIMAL``.
    title
        Heading.
    fates
        Stems of shares that add up to one, in the order of the stacked bars; none: no such picture.
    dots
        Stems that are drawn as dots with intervals, a panel each.
    """

    key: str
    title: str
    fates: tuple[str, ...] = ()
    dots: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeatMap:
    """A picture of a table: how often, over two properties.

    Attributes
    ----------
    name
        Of its files.
    section
        Where it stands in the report: a key of the page's sections.
    title, x, y, value
        Words: heading, axes, and what the colour means (a share).
    cells
        ``(tables) -> records`` with ``x``, ``y``, ``n`` (trials), ``hits`` and ``marked`` (a line
        runs between those that are and those that are not).
    """

    name: str
    section: str
    title: str
    x: str
    y: str
    value: str
    cells: Callable[[Mapping[str, Any]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Histogram:
    """A picture of a table: a distribution over whole numbers.

    Attributes
    ----------
    name, section, title, x, y
        As for a `HeatMap`.
    counts
        ``(tables) -> counts`` from 0 up.
    """

    name: str
    section: str
    title: str
    x: str
    y: str
    counts: Callable[[Mapping[str, Any]], Sequence[int]]


@dataclass(frozen=True)
class SuiteSizes:
    """Games of the runs that ``analyzer report GAME`` plays, about two minutes in all on two CPUs.

    Attributes
    ----------
    pair
        One strategy at a table of another, all seats together.
    main
        The strongest strategy on every seat.
    restricted
        The strongest strategy denied something, all seats together.
    ruling
        Every other value of a ruling, twice.
    """

    pair: int = 50_000
    main: int = 3_000_000
    restricted: int = 250_000
    ruling: int = 250_000


@dataclass(frozen=True)
class ReportLayout:
    """What of a game's metrics belongs where in the balance report; what is not named comes last.

    Attributes
    ----------
    components
        Groups of metrics.
    effects
        Stems of metrics that tell how often an effect matters.
    tension
        Stems of metrics about the lead, ties and margins.
    length
        Stems of metrics about how long a game is.
    always
        What is the same in every game about its length, in a sentence without digits.
    settled
        Stem of the shares of wins by seats that led at some point, in the order of play. The table
        ``leaders`` tells for each point how many seats led (``mean_leaders``), where that was counted.
    pictures
        Further ones.
    unplayed
        Strategies that the suite leaves out, and why.
    slow
        Strategies that play in the ladder alone: the long runs are played by the strongest other.
    dealt
        Stems of the win rates of whoever has each thing that players are dealt, such as a colour or
        an animal: as chance deals them, each ought to be worth the same.
    lots
        Rulings that draw by lot who has which place at the table: they even out the seats, and
        leave every place what it is worth.
    sizes
        How much the suite plays.
    """

    components: tuple[Component, ...] = ()
    effects: tuple[str, ...] = ()
    tension: tuple[str, ...] = ()
    length: tuple[str, ...] = ()
    always: str = ""
    settled: str = "winner_led_rate"
    pictures: tuple[HeatMap | Histogram, ...] = ()
    unplayed: Mapping[str, str] = field(default_factory=dict)
    slow: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ()
    lots: tuple[str, ...] = ("start_player",)
    sizes: SuiteSizes = SuiteSizes()

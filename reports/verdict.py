"""The first screen of a balance report: what is unfair, dull, decisive, and how sure that is.

Every answer follows a rule that docs/reports.md states; its words quote the tables and nothing else.
"""

from __future__ import annotations

from reports.content import Cell, Frame, Name, Sentence, Verdict, listed, say
from reports.fairness import dealt, reading, remedy, seats, winner
from reports.study import Study

#: Shares of the way from chance to always winning, for the words of skill and chance.
MOSTLY_SKILL, SOME_SKILL = 0.5, 0.15
#: Shares of wins that the leader before the end does not get, for the words of tension.
OPEN, TENSE = 0.35, 0.15
#: Shared wins above this share are told as a fault.
MANY_TIES = 0.25
HALF = 0.5
#: A ruling's change is sure below this adjusted p.
SURE = 0.05
#: How many of the most decisive things are named.
NAMED = 3
NAMED_DEAD = 5
#: What is known of another reading of the rules: it moves the balance, it does not (by more than the
#: margin), it changes no game at all, or the games played cannot tell.
MOVES, STAYS, SAME, UNKNOWN = "moves", "stays", "same", "unknown"


def verdicts(study: Study) -> list[Verdict]:
    """Return the answers that a study can give, in the order in which they are read."""
    if not study.document["games"]:
        return []
    fairness = seats(study)
    return [
        answer
        for answer in (
            fairness,
            remedy(study) if fairness and fairness.tone == "bad" else None,
            *dealt(study),
            winner(study),
            _skill(study),
            _strongest(study),
            _tension(study),
            _decisive(study),
            _dead_weight(study),
            _unclear_rules(study),
        )
        if answer is not None
    ]


def _skill(study: Study) -> Verdict | None:
    ladder = study.table("ladder")
    if ladder is None or ladder.value(0, "against_random") is None:
        return None
    chance = 1 / len(study.players)

    def way(column: str) -> float | None:
        """Return how far a share of wins is on the way from chance to always winning."""
        wins = ladder.value(0, column)
        return None if wins is None else (wins - chance) / (1 - chance)

    told = say(
        "One {} at a table of random players wins {} of the games ({} interval {}); chance would "
        "be {}.",
        ladder.name_in(0, "strategy"),
        ladder.cell(0, "against_random", "share"),
        study.fact("level", study.confidence, "level"),
        ladder.interval(0, "against_random_low", "against_random_high", "share"),
        study.fact("chance", chance, "share"),
    )
    skill, low, high = (way(f"against_random{end}") for end in ("", "_low", "_high"))
    study.fact("skill_low", low, "share")
    study.fact("skill_high", high, "share")
    far = say(
        "That is {} of the way from chance to always winning ({}).",
        study.fact("skill", skill, "share"),
        study.fact_table.interval(0, "skill_low", "skill_high", "share"),
    )
    question = "Skill or chance?"
    if low is None or high is None:
        return Verdict(question, "Not sure yet", "unsure", (told, far), "strategies")
    (answer, tone), (other, _) = _skilled(low), _skilled(high)
    if answer == other:
        return Verdict(question, answer, tone, (told, far), "strategies")
    unsure = say(f"One end of that is {answer.lower()}, the other {other.lower()}.")
    return Verdict(question, "Not sure yet", "unsure", (told, far, unsure), "strategies")


def _skilled(skill: float) -> tuple[str, str]:
    """Return the words for a share of the way from chance to always winning, and their tone."""
    if skill >= MOSTLY_SKILL:
        return "Mostly skill", "good"
    return ("Skill and chance", "plain") if skill >= SOME_SKILL else ("Mostly chance", "bad")


def _strongest(study: Study) -> Verdict | None:
    ladder, lead = study.table("ladder"), study.table("lead")
    if ladder is None or lead is None:
        return None
    told = say(
        "At tables of each other strategy {} wins {}, {} more than {} ({} interval {}).",
        ladder.name_in(0, "strategy"),
        ladder.cell(0, "win_rate", "share"),
        lead.cell(0, "lead", "points"),
        lead.name_in(0, "second"),
        study.fact("level", study.confidence, "level"),
        lead.interval(0, "lead_low", "lead_high", "points"),
    )
    low = lead.value(0, "lead_low")
    question = "Which strategy is strongest?"
    if low is None or low <= 0:
        return Verdict(question, "Not sure yet", "unsure", (told,), "strategies")
    answer = say("{}", ladder.name_in(0, "strategy"))
    return Verdict(question, answer, "plain", (told,), "strategies")


def _tension(study: Study) -> Verdict | None:
    settled = study.settled_table
    known = [row for row in range(len(settled)) if settled.value(row, "value") is not None]
    sentences = []
    answer, tone = "See below", "plain"
    if known:
        # Some games are over sooner: the last point that half of them reach.
        many = settled.value(known[0], "n") * HALF
        last = max(row for row in known if settled.value(row, "n") >= many)
        answer, tone = _tense(settled, last)
        sentences.append(
            say(
                "{} of the wins go to a seat that led after {}{}, {} after {}{}; {} are comebacks "
                "from behind at that point.",
                settled.cell(known[0], "value", "share"),
                _point(study, settled.value(known[0], "of")),
                _by_chance(settled, known[0], " ({} if the lead said nothing)"),
                settled.cell(last, "value", "share"),
                _point(study, settled.value(last, "of")),
                _by_chance(settled, last, " ({})"),
                settled.cell(last, "comeback", "share"),
            )
        )
    tension = study.tension_table
    changes = _row_of(tension, "lead_changes")
    if changes is not None:
        per = str(tension.value(changes, "stem")).rpartition("_per_")[2]
        sentences.append(
            say("The lead changes {} times a {}.", tension.cell(changes, "value", "number"), per)
        )
    shared = _row_of(tension, "shared_win_rate")
    if shared is not None:
        share = tension.value(shared, "value")
        sentences.append(
            say("{} of the games end in a tie.", tension.cell(shared, "value", "share"))
        )
        if share > MANY_TIES:
            answer, tone = "Too many ties", "bad"
    if not sentences:
        return None
    return Verdict("Is it tense?", answer, tone, tuple(sentences), "tension")


def _tense(settled: Frame, row: int) -> tuple[str, str]:
    """Return the words for the comebacks at a point, and their tone: both ends of the interval agree."""

    def words(comeback: float) -> tuple[str, str]:
        if comeback >= OPEN:
            return "Open to the end", "good"
        return ("Tense", "good") if comeback >= TENSE else ("Settled early", "bad")

    low, high = settled.value(row, "comeback_low"), settled.value(row, "comeback_high")
    if low is None or high is None or words(low) != words(high):
        return "Not sure yet", "unsure"
    return words(low)


def _point(study: Study, of: str) -> Name:
    """Return a point of a game in words: round 2, or 8 falls."""
    word = study.tags[study.settled].lower()
    return Name(f"{of} {word}" if word.endswith("s") else f"{word} {of}")


def _by_chance(settled: Frame, row: int, template: str) -> Sentence:
    """Return how many wins seats that led would have if the lead said nothing, where it is known."""
    if settled.value(row, "expected") is None:
        return say("")
    return say(template, settled.cell(row, "expected", "share"))


def _are(things: list[int]) -> str:
    return "is" if len(things) == 1 else "are"


def _row_of(frame: Frame, stem: str) -> int | None:
    for row in range(len(frame)):
        if str(frame.value(row, "stem")).startswith(stem) and frame.value(row, "value") is not None:
            return row
    return None


def _decisive(study: Study) -> Verdict | None:
    table = study.table("restricted")
    if table is None:
        return None
    rows = [
        row
        for row in range(len(table))
        if (table.value(row, "worth_low") or 0) > 0 and (table.value(row, "p") or 0) < SURE
    ]
    question = "What decides games?"
    if not rows:
        none = say("Nothing that a strategy was denied cost it wins that can be told from chance.")
        return Verdict(question, "Not sure yet", "unsure", (none,), "restricted")
    told = listed(
        [
            say(
                "{} {} ({})",
                table.name_in(row, "subject"),
                table.cell(row, "worth", "points"),
                table.interval(row, "worth_low", "worth_high", "points"),
            )
            for row in rows[:NAMED]
        ]
    )
    sentence = say("What {} would miss most, in wins: {}.", Name(study.players[0]), told)
    subject = table.name_in(rows[0], "subject").text
    answer = say("{}", Name(subject[:1].upper() + subject[1:]))
    return Verdict(question, answer, "plain", (sentence,), "restricted")


def _dead_weight(study: Study) -> Verdict | None:
    table = study.table("restricted")
    if table is None:
        return None
    dead = [row for row in range(len(table)) if table.within(row, "worth", study.margin)]
    margin = study.fact("margin", study.margin, "size")
    count = study.fact("dead_weight", len(dead), "count")
    of = study.fact("restrictions", len(table), "count")
    question = "What is dead weight?"
    if not dead:
        none = say("None of {} things denied is surely worth less than {} of the wins.", of, margin)
        if all(table.beyond(row, "worth", study.margin) for row in range(len(table))):
            return Verdict(question, "Nothing", "good", (none,), "restricted")
        return Verdict(question, "Nothing for sure", "unsure", (none,), "restricted")
    # Those worth least come last in the table.
    names: list[Name | Sentence] = [
        table.name_in(row, "subject") for row in reversed(dead[-NAMED_DEAD:])
    ]
    if len(dead) > NAMED_DEAD:
        names.append(say("{} more", study.fact("dead_more", len(dead) - NAMED_DEAD, "count")))
    told = say(
        "{} of {} things denied {} surely worth less than {} of the wins to {}: {}.",
        count,
        of,
        _are(dead),
        margin,
        Name(study.players[0]),
        listed(names),
    )
    answer = say("{} of {}", count, of)
    return Verdict(question, answer, "unsure", (told,), "restricted")


def ruling_answer(table: Frame, row: int, margin: float) -> str:
    """Return what is known of another reading: MOVES, STAYS, SAME or UNKNOWN.

    It moves the balance where it surely moves a seat, or the strongest's edge, by more than a margin.
    """

    def moves(name: str, p: str) -> bool:
        low, high = table.value(row, f"{name}_low"), table.value(row, f"{name}_high")
        sure = (table.value(row, p) or 0.0) < SURE and table.value(row, p) is not None
        if low is None or high is None or not sure:
            return False
        return (low > 0 and table.value(row, name) > margin) or (
            high < 0 and -table.value(row, name) > margin
        )

    if table.value(row, "same_games"):
        return SAME
    if moves("seat_change", "seat_p") or moves("edge_change", "edge_p"):
        return MOVES
    if all(table.within(row, name, margin) for name in ("seat_change", "edge_change")):
        return STAYS
    return UNKNOWN


def _unclear_rules(study: Study) -> Verdict | None:
    table = study.table("rulings")
    if table is None:
        return None
    found = [ruling_answer(table, row, study.margin) for row in range(len(table))]
    moving = [row for row, answer in enumerate(found) if answer == MOVES]
    unknown, same = found.count(UNKNOWN), found.count(SAME)
    margin = study.fact("margin", study.margin, "size")
    of = study.fact("other_values", len(table), "count")
    sentences = []
    if moving:
        told = listed([_ruling_effect(study, table, row) for row in moving[:NAMED]])
        many = study.fact("moving_rulings", len(moving), "count")
        move = "moves" if len(moving) == 1 else "move"
        sentences.append(say("{} of {} other readings {} the balance: {}.", many, of, move, told))
    else:
        sentences.append(
            say("None of {} other readings surely moves a win rate by more than {}.", of, margin)
        )
    if unknown:
        more = study.fact("unknown_rulings", unknown, "count")
        sentences.append(say("Of {} the games played cannot tell.", more))
    if same:
        not_one = study.fact("same", same, "count")
        sentences.append(say("{} changed not a single game.", not_one))
    question = "Which unclear rules matter?"
    if not moving and unknown:
        return Verdict(question, "None for sure", "unsure", tuple(sentences), "rulings")
    if not moving:
        return Verdict(question, "None", "good", tuple(sentences), "rulings")
    names = list(dict.fromkeys(table.name_in(row, "ruling").text for row in moving))
    several = study.fact("rulings_that_matter", len(names), "count")
    answer = say("{}", Name(names[0])) if len(names) == 1 else say("{} rulings", several)
    return Verdict(question, answer, "unsure", tuple(sentences), "rulings")


def _ruling_effect(study: Study, table: Frame, row: int) -> Sentence:
    seat, edge = table.value(row, "seat_change") or 0.0, table.value(row, "edge_change") or 0.0
    name = reading(table, row)
    change: Cell
    if abs(seat) >= abs(edge):
        change = table.cell(row, "seat_change", "points")
        return say("{} (seat {} {})", name, table.cell(row, "seat", "whole"), change)
    change = table.cell(row, "edge_change", "points")
    return say("{} ({} among random players {})", name, Name(study.players[0]), change)

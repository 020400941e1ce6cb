"""The settings of the boat games as their kernels read them."""

from __future__ import annotations

from importlib import import_module

import pytest

from analyzer import registry
from analyzer.games import all_aboard, einer_geht_noch
from analyzer.games.kinds import Choice, Deck, Numbers
from kernels.boats import aa_rules, egn_weights
from kernels.boats.piles import KIND_BITS

LAYOUTS = {"all-aboard": "kernels.boats.aa_setup", "einer-geht-noch": "kernels.boats.egn_setup"}

#: Ruling: the kernel's name of every value, in any order.
SHARED = {
    "cupid_supply": {"finite": "FINITE", "unlimited": "UNLIMITED"},
    "start_player": {"seat0": "SEAT0", "random": "RANDOM_START"},
    "final_tie": {"shared": "SHARED", "no_winner": "NO_WINNER"},
}
VALUES = {
    "all-aboard": {
        **SHARED,
        "fight_size": {"ge3": "GE3", "eq3": "EQ3"},
        "fight_bystanders": {"normal_sink": "NORMAL_SINK", "all_discarded": "ALL_DISCARDED"},
        "fox_trio": {"discard": "FOXES_DISCARDED", "jump": "FOXES_JUMP"},
        "monkey_love": {
            "target_blocks": "TARGET_BLOCKS",
            "ignore_lovers": "IGNORE_LOVERS",
            "distinct_rank": "DISTINCT_RANK",
        },
        "lion_love": {"target_blocks": "TARGET_BLOCKS", "ignore_lovers": "IGNORE_LOVERS"},
        "last_boat_throw": {"discard": "THROWN_DISCARDED", "octopus_scores": "OCTOPUS_SCORES"},
        "replaced_boat": {"discard": "REPLACED_DISCARD", "reshuffle": "REPLACED_RESHUFFLE"},
        "effects": {"on": "EFFECTS_ON", "off": "EFFECTS_OFF"},
    },
    "einer-geht-noch": {
        **SHARED,
        "love_timing": {
            "dynamic": "DYNAMIC",
            "boat_start": "BOAT_START",
            "reveal_only": "REVEAL_ONLY",
        },
        "third_arrival": {
            "love_sticks": "LOVE_STICKS",
            "love_breaks": "LOVE_BREAKS",
            "remove_three": "REMOVE_THREE",
        },
        "fox_love": {
            "any_pair_blocks": "FOX_ANY_PAIR_BLOCKS",
            "true_heaviest_blocks": "FOX_TRUE_HEAVIEST_BLOCKS",
            "target_blocks": "FOX_TARGET_BLOCKS",
            "target_blocks_success_only": "FOX_TARGET_BLOCKS_SUCCESS_ONLY",
            "ignore_lovers": "FOX_IGNORE_LOVERS",
        },
        "fox_self_target": {"yes": "SELF_YES", "no": "SELF_NO"},
        "monkey_love": {
            "any_pair_blocks": "MONKEY_ANY_PAIR_BLOCKS",
            "target_blocks": "MONKEY_TARGET_BLOCKS",
            "ignore_lovers": "MONKEY_IGNORE_LOVERS",
        },
        "monkey_min3_peacock": {"nothing": "MIN3_NOTHING", "peacock_throws": "PEACOCK_THROWS"},
        "lion_love": {"target_blocks": "LION_TARGET_BLOCKS", "ignore_lovers": "LION_IGNORE_LOVERS"},
        "tie_break": {
            "unloved_first_boarded": "UNLOVED_FIRST_BOARDED",
            "last_boarded": "LAST_BOARDED",
            "lowest_seat": "LOWEST_SEAT",
            "blocked": "TIES_BLOCK",
        },
        "eaten_squid": {"removed": "EATEN_REMOVED", "swims": "EATEN_SWIMS"},
        "loved_squid": {"swims": "LOVED_SWIMS", "land_animal": "LOVED_LAND_ANIMAL"},
        "loved_mouse_score": {0: "MOUSE_NOTHING", 0.5: "MOUSE_HALF"},
        "tile_replace": {
            "return_then_draw": "RETURN_THEN_DRAW",
            "draw_then_return": "DRAW_THEN_RETURN",
        },
    },
}
CASES = [
    pytest.param(game, ruling, value, constant, id=f"{game}-{ruling}={value}")
    for game, rulings in VALUES.items()
    for ruling, constants in rulings.items()
    for value, constant in constants.items()
]


@pytest.mark.parametrize(("game", "ruling", "value", "constant"), CASES)
def test_a_value_is_written_as_the_kernel_reads_it(game, ruling, value, constant):
    spec = registry.load(game)
    layout = import_module(LAYOUTS[game])
    setup = spec.encode_setup(3, spec.complete({ruling: value}))
    assert setup[layout.PLAYERS] == 3
    assert setup[getattr(layout, ruling.upper())] == getattr(layout, constant)


@pytest.mark.parametrize("game", LAYOUTS)
def test_every_ruling_has_a_cell_of_its_own_and_every_value_a_name(game):
    spec = registry.load(game)
    layout = import_module(LAYOUTS[game])
    listed = [one for one in spec.rulings if not isinstance(one.kind, Deck)]
    cells = [getattr(layout, one.name.upper()) for one in listed]
    assert sorted(cells) == list(range(1, layout.TILES))
    for one in listed:
        if isinstance(one.kind, Choice | Numbers):
            assert set(VALUES[game][one.name]) == set(one.kind.values)


@pytest.mark.parametrize("weight", range(4))
def test_the_weight_of_the_peacock_is_written_as_it_is(weight):
    rulings = einer_geht_noch.SPEC.complete({"peacock_weight": weight})
    layout = import_module(LAYOUTS["einer-geht-noch"])
    assert einer_geht_noch.encode_setup(2, rulings)[layout.PEACOCK_WEIGHT] == weight
    assert einer_geht_noch.points(rulings)[einer_geht_noch.ANIMALS.index("peacock")] == weight


@pytest.mark.parametrize("game", LAYOUTS)
def test_tiles_are_written_with_the_number_of_their_capacity(game):
    spec = registry.load(game)
    layout = import_module(LAYOUTS[game])
    deck = spec.parse_ruling("tile_deck", [20] * 10 + [7] * 20)
    setup = spec.encode_setup(4, spec.complete({"tile_deck": deck}))
    assert (
        setup[layout.TILES : layout.IDLE].tolist()
        == [7 << KIND_BITS] * 20 + [20 << KIND_BITS | 1] * 10
    )


def test_points_are_those_of_the_kernels():
    assert tuple(aa_rules.POINTS) == all_aboard.POINTS
    defaults = einer_geht_noch.SPEC.complete({})
    printed = list(egn_weights.WEIGHTS)
    printed[einer_geht_noch.ANIMALS.index("peacock")] = 1
    assert einer_geht_noch.points(defaults) == printed == list(range(12))

"""The random streams: published vectors, independence of addresses, and honest integers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analyzer.cache import kernel_module

rng = kernel_module("kernels.rng")

#: Known answers of Philox4x32-10 from the authors' Random123 library: counter, key, output lanes.
PUBLISHED = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def words(seed, game, purpose, index, draw):
    """Return the two words of an address as plain integers."""
    return tuple(int(word) for word in rng.words_at(seed, game, purpose, index, draw))


@pytest.mark.parametrize(("counter", "key", "lanes"), PUBLISHED)
def test_philox_gives_the_published_answers(counter, key, lanes):
    draw, address, low, high = counter
    game = np.uint64(high << 32 | low)
    seed = np.uint64(key[1] << 32 | key[0])
    first, second = rng.philox4x32(np.uint64(draw), np.uint64(address), game, seed)
    assert (int(first), int(second)) == (lanes[1] << 32 | lanes[0], lanes[3] << 32 | lanes[2])


def test_every_part_of_an_address_changes_the_words():
    base = (7, 11, rng.ANIMAL_DECK, 2, 0)
    others = [
        (8, 11, rng.ANIMAL_DECK, 2, 0),
        (7 + (1 << 32), 11, rng.ANIMAL_DECK, 2, 0),
        (7, 12, rng.ANIMAL_DECK, 2, 0),
        (7, 11 + (1 << 32), rng.ANIMAL_DECK, 2, 0),
        (7, 11, rng.STRATEGY, 2, 0),
        (7, 11, rng.ANIMAL_DECK, 3, 0),
        (7, 11, rng.ANIMAL_DECK, 2, 1),
    ]
    drawn = {words(*address) for address in [base, *others]}
    assert len(drawn) == len(others) + 1
    assert words(*base) in drawn


def test_neighbouring_games_share_no_pattern():
    # Bits of consecutive games and of neighbouring purposes, each against a fair coin and pairwise
    # uncorrelated: 64 bits x 20,000 games, five standard errors.
    games = 20_000
    bits = np.array(
        [
            np.unpackbits(np.array(words(3, game, rng.DICE, 0, 0), dtype=np.uint64).view(np.uint8))
            for game in range(games)
        ]
    ).astype(float)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(games)
    correlations = np.corrcoef(bits.T) - np.eye(bits.shape[1])
    assert np.abs(correlations).max() < 5.5 / np.sqrt(games)


def stream_of(seed, game):
    """Return a strategy stream at its beginning."""
    stream = np.zeros(rng.STREAM_CELLS, dtype=np.uint64)
    word, spare = map(np.uint64, words(seed, game, rng.STRATEGY, 0, 0))
    address = np.uint64(rng.address_of(rng.STRATEGY, 0))
    rng.open_stream(stream, np.uint64(seed), game, address, word, spare)
    return stream


@pytest.mark.parametrize("bound", [2, 3, 7, 12, 30, 1000, 4096])
def test_random_below_is_uniform(bound):
    draws = 40 * bound if bound > 100 else 6000
    stream = stream_of(5, bound)
    counts = np.bincount([rng.random_below(stream, bound) for _ in range(draws)], minlength=bound)
    assert len(counts) == bound
    assert stats.chisquare(counts).pvalue > 1e-4


def test_random_below_one_is_zero_and_harmless():
    stream = stream_of(5, 0)
    twin = stream_of(5, 0)
    assert rng.random_below(stream, 1) == 0
    assert [rng.random_below(stream, 9) for _ in range(50)] == [
        rng.random_below(twin, 9) for _ in range(50)
    ]


def test_random_unit_fills_the_interval():
    stream = stream_of(9, 1)
    drawn = [rng.random_unit(stream) for _ in range(4000)]
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert stats.kstest(drawn, "uniform").pvalue > 1e-4


def test_taken_integers_follow_one_another_without_bias():
    # Ordered pairs below 5 and 4 from one deal fraction: all twenty equally often.
    counts = np.zeros((5, 4), dtype=int)
    for game in range(8000):
        fraction = rng.deal_fraction(np.uint64(words(1, game, rng.BOAT_DECK, 0, 0)[0]))
        first, fraction = rng.take(fraction, 5)
        second, fraction = rng.take(fraction, 4)
        counts[first, second] += 1
    assert stats.chisquare(counts.ravel()).pvalue > 1e-4

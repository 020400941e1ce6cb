"""Ratings against published values and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from reports.ratings import (
    ELO,
    alpha_rank,
    bradley_terry,
    cyclic_share,
    edge_matrix,
    nash_mixture,
    order_of,
    ranking_stability,
    resample_weights,
)

ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def test_alpha_rank_of_the_five_strategies_of_han_et_al():
    """Commitment in the prisoner's dilemma, Han, Pereira, Santos & Lenaerts (2013); the stationary
    distribution as OpenSpiel's test of its alpha-Rank gives it."""
    r, t, p, s, delta, eps = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    payoff = np.array(
        [
            [r - eps / 2, r - eps, 0, s + delta - eps, r - eps],
            [r, r, s, s, s],
            [0, t, p, p, p],
            [t - delta, t, p, p, p],
            [r, t, p, p, p],
        ]
    )
    shares = alpha_rank(payoff, alpha=0.1, population=20)
    published = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    assert shares == pytest.approx(published, abs=1e-4)


def test_alpha_rank_of_rock_paper_scissors_is_even():
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


def test_alpha_rank_of_a_strategy_that_beats_all_is_that_strategy():
    edge = np.array([[0.0, 0.5, 0.5], [-0.5, 0.0, 0.1], [-0.5, -0.1, 0.0]])
    assert alpha_rank(edge) == pytest.approx([1, 0, 0], abs=1e-9)


@pytest.mark.parametrize("weakest", range(4))
def test_alpha_rank_leaves_nothing_to_what_a_cycle_beats(weakest):
    edge = np.zeros((4, 4))
    cycle = [k for k in range(4) if k != weakest]
    edge[np.ix_(cycle, cycle)] = ROCK_PAPER_SCISSORS
    edge[cycle, weakest], edge[weakest, cycle] = 0.9, -0.9
    expected = np.full(4, 1 / 3)
    expected[weakest] = 0.0
    assert alpha_rank(edge) == pytest.approx(expected, abs=1e-12)


def test_nash_of_unfair_rock_paper_scissors():
    """Rock wins 2 against scissors: the equilibrium weighs by the opposite payoff (von Neumann)."""
    game = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    mixture = nash_mixture(game)
    assert mixture == pytest.approx([0.25, 0.5, 0.25])
    assert (game @ mixture).max() <= 1e-12


def test_nash_of_one_strategy_is_that_strategy():
    assert nash_mixture(np.zeros((1, 1))) == pytest.approx([1.0])


def test_bradley_terry_of_two_is_the_log_odds():
    ratings = bradley_terry(np.array([[0, 7499.5], [2499.5, 0]]))
    assert ratings[0] - ratings[1] == pytest.approx(ELO * np.log(3))


def test_bradley_terry_finds_the_strengths_that_made_the_wins():
    strengths = np.array([0.5, 1.0, 2.0, 4.0])
    wins = 1e6 * strengths[:, None] / (strengths[:, None] + strengths[None, :])
    expected = ELO * np.log(strengths)
    assert bradley_terry(wins) == pytest.approx(expected - expected.mean(), abs=1e-3)


def test_tables_of_three_give_the_strengths_of_lucez_model():
    """Winners of tables of three, broken into pairs, in expectation."""
    strengths = np.array([0.2, 1.0, 3.0, 0.7])
    wins = np.zeros((4, 4))
    for table in ((0, 1, 2), (1, 2, 3), (0, 0, 3), (2, 2, 2), (3, 1, 0)):
        total = sum(strengths[k] for k in table)
        for a, first in enumerate(table):
            for b, second in enumerate(table):
                if a != b and first != second:
                    wins[first, second] += 1e9 * strengths[first] / total
    expected = ELO * np.log(strengths)
    assert bradley_terry(wins) == pytest.approx(expected - expected.mean(), abs=1e-3)


def test_a_strategy_that_never_wins_gets_a_finite_rating():
    ratings = bradley_terry(np.array([[0.0, 1000.0], [0.0, 0.0]]))
    assert np.isfinite(ratings).all()
    assert ratings[0] > ratings[1]


def test_one_strategy_is_rated_zero():
    assert bradley_terry(np.zeros((1, 1))) == pytest.approx([0.0])


def test_a_ranking_has_no_cycle_and_rock_paper_scissors_is_one():
    ladder = np.subtract.outer([3.0, 1.0, 0.0], [3.0, 1.0, 0.0])
    assert cyclic_share(ladder) == pytest.approx(0.0)
    assert cyclic_share(ROCK_PAPER_SCISSORS) == pytest.approx(1.0)
    assert cyclic_share(np.zeros((3, 3))) is None
    # A cycle and a ladder are orthogonal: their squares add.
    both = cyclic_share(ladder + ROCK_PAPER_SCISSORS)
    assert both == pytest.approx(6.0 / (6.0 + (ladder**2).sum()))


def test_edges_are_antisymmetric_and_with_two_players_win_minus_loss():
    one = np.array([[0.5, 0.7], [0.3, 0.5]])
    edge = edge_matrix(one, 1.0 - one)
    assert edge == pytest.approx(np.array([[0.0, 0.4], [-0.4, 0.0]]))


def test_resamples_draw_as_many_blocks_and_are_the_same_for_a_seed():
    weights = resample_weights(64, 500, 7)
    assert weights.shape == (500, 64)
    assert (weights.sum(axis=1) == 64).all()
    assert (weights == resample_weights(64, 500, 7)).all()
    assert weights.var() == pytest.approx(63 / 64, rel=0.05)


def test_stability_counts_orders():
    found = ranking_stability([(0, 1, 2), (0, 2, 1), (0, 1, 2), (1, 0, 2)], (0, 1, 2))
    assert found["same"] == 0.5
    assert found["neighbours"] == [0.75, 0.75]
    assert found["rank_shares"][0] == [0.75, 0.25, 0.0]
    assert found["kendall_tau"] == pytest.approx((1 + 1 / 3 + 1 + 1 / 3) / 4)


def test_the_order_of_equals_is_that_of_the_names():
    assert order_of(np.array([1.0, 2.0, 1.0])) == (1, 0, 2)

"""Ratings of strategies from a tournament: Bradley-Terry, Nash, alpha-Rank, and how cyclic a field is.

Everything here takes matrices of m strategies:

- *wins*, shape (m, m): how much of a win strategy i took while strategy j sat at the same table, once
  for each pair of seats. Under the Luce choice model (Bradley-Terry with two players) ``wins[i, j]`` and
  ``wins[j, i]`` stand to each other like the strengths of i and j, whatever the rest of the table, so
  the pairs are a consistent way to fit it (top-1 rank breaking).
- *edge*, shape (m, m), antisymmetric, -1 to 1: what one seat of i wins among seats of j more than one of
  those, averaged with the converse. With two players it is the game's own payoff, win minus loss.

References
----------
Bradley & Terry (1952), Rank analysis of incomplete block designs. Biometrika 39.
Azari Soufiani, Chen, Parkes & Xia (2013), Generalized method-of-moments for rank aggregation. NIPS.
Maystre & Grossglauser (2015), Fast and accurate inference of Plackett-Luce models. NIPS.
Omidshafiei et al. (2019), alpha-Rank: multi-agent evaluation by evolution. Sci. Rep. 9.
Balduzzi, Tuyls, Perolat & Graepel (2018), Re-evaluating evaluation. NeurIPS.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

#: Elo points of one unit of log strength.
ELO = 400.0 / math.log(10.0)
#: Wins that each of a pair is given beforehand: a strategy that never wins gets a finite rating.
PRIOR_WINS = 0.5
#: alpha-Rank's selection intensity and population: strong selection, the usual choice.
ALPHA = 100.0
POPULATION = 50


def bradley_terry(wins: np.ndarray) -> np.ndarray:
    """Return Elo ratings, mean 0, in the Bradley-Terry-Luce model.

    Parameters
    ----------
    wins
        Shape (m, m), in wins; the diagonal is not looked at.

    Notes
    -----
    Maximum likelihood by iterative Luce spectral ranking (choix), with PRIOR_WINS wins each way
    added to every pair.
    """
    import choix

    counts = np.asarray(wins, dtype=np.float64) + PRIOR_WINS
    np.fill_diagonal(counts, 0.0)
    if len(counts) < 2:
        return np.zeros(len(counts))
    strengths = choix.ilsr_pairwise_dense(counts, max_iter=1000, tol=1e-9)
    return ELO * (strengths - strengths.mean())


def edge_matrix(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the edge of every strategy over every other one.

    Parameters
    ----------
    one
        Shape (m, m): win rate of one seat of i, all others being j.
    others
        Shape (m, m): mean win rate of those others.
    """
    lead = np.asarray(one) - np.asarray(others)
    return (lead - lead.T) / 2.0


def nash_mixture(edge: np.ndarray) -> np.ndarray:
    """Return a Nash equilibrium of the symmetric zero-sum game of an edge matrix.

    Linear programming (nashpy). Against the mixture no strategy has a positive edge.
    """
    import nashpy

    if len(edge) == 1:
        return np.ones(1)
    row, _ = nashpy.Game(np.asarray(edge, dtype=np.float64)).linear_program()
    row = np.clip(row, 0.0, None)
    return row / row.sum()


def alpha_rank(
    payoff: np.ndarray, *, alpha: float = ALPHA, population: int = POPULATION
) -> np.ndarray:
    """Return alpha-Rank's stationary distribution for one population.

    Parameters
    ----------
    payoff
        Shape (m, m): what a member of kind i gets from one of kind j.
    alpha
        Selection intensity.
    population
        Members, two or more.

    Notes
    -----
    Written here because the one library that has it, OpenSpiel, would bring fifty megabytes of games
    with it; the tests hold it against the values that are published there and in Han et al. (2013).
    A population of one kind is invaded by a single mutant of any other kind at a time, which takes
    over with the fixation probability of the Fermi process.
    """
    payoff = np.asarray(payoff, dtype=np.float64)
    kinds = len(payoff)
    if kinds == 1:
        return np.ones(1)
    moves = np.zeros((kinds, kinds))
    for resident in range(kinds):
        for mutant in range(kinds):
            if mutant != resident:
                chance = _fixation(payoff, mutant, resident, alpha, population)
                moves[resident, mutant] = chance / (kinds - 1)
    np.fill_diagonal(moves, 1.0 - moves.sum(axis=1))
    return _stationary(moves)


def _fixation(
    payoff: np.ndarray, mutant: int, resident: int, alpha: float, population: int
) -> float:
    """Return the chance that one mutant takes over a population of residents."""
    total, log_product = 0.0, 0.0
    for mutants in range(1, population):
        residents = population - mutants
        of_mutant = (mutants - 1) * payoff[mutant, mutant] + residents * payoff[mutant, resident]
        of_resident = mutants * payoff[resident, mutant]
        of_resident += (residents - 1) * payoff[resident, resident]
        log_product -= alpha * (of_mutant - of_resident) / (population - 1)
        if log_product > 700.0:
            return 0.0
        total += math.exp(log_product)
    return 1.0 / (1.0 + total)


def _stationary(moves: np.ndarray) -> np.ndarray:
    """Return a Markov chain's stationary distribution (the Grassmann-Taksar-Heyman elimination).

    It subtracts nothing, so that chances of 1e-300 between kinds do no harm.
    """
    work = moves.astype(np.float64)
    kinds = len(work)
    first = 0
    for k in range(kinds - 1, 0, -1):
        leaving = work[k, :k].sum()
        if leaving <= 0.0:
            first = k  # from k and what was eliminated nothing leads to the kinds before
            break
        work[:k, k] /= leaving
        work[:k, :k] += np.outer(work[:k, k], work[k, :k])
    shares = np.zeros(kinds)
    shares[first] = 1.0
    for k in range(first + 1, kinds):
        shares[k] = shares[:k] @ work[:k, k]
    return shares / shares.sum()


def cyclic_share(edge: np.ndarray) -> float | None:
    """Return which share of a field's edges no rating can explain, 0 (a ranking) to 1 (a cycle).

    The edges split into differences of ratings and a rest that goes round in circles (the
    combinatorial Hodge decomposition); the share is that of their squares. None without edges.
    """
    edge = np.asarray(edge, dtype=np.float64)
    squares = float((edge**2).sum())
    if squares == 0.0:
        return None
    rating = edge.mean(axis=1)
    rest = edge - (rating[:, None] - rating[None, :])
    return float((rest**2).sum()) / squares


def resample_weights(blocks: int, resamples: int, seed: int) -> np.ndarray:
    """Return how often each block is drawn in each resample (the bootstrap over blocks).

    Parameters
    ----------
    blocks, resamples
        Shape of the result is ``(resamples, blocks)``; each row adds up to `blocks`.
    seed
        Of the resampling alone: the same seed draws the same blocks.
    """
    generator = np.random.Generator(np.random.Philox(seed))
    return generator.multinomial(blocks, np.full(blocks, 1.0 / blocks), size=resamples)


def order_of(ratings: np.ndarray) -> tuple[int, ...]:
    """Return the strategies from the best rating to the worst; the first of equals first."""
    return tuple(int(k) for k in np.argsort(-np.asarray(ratings), kind="stable"))


def ranking_stability(orders: list[tuple[int, ...]], order: tuple[int, ...]) -> dict[str, object]:
    """Return how stable a ranking is under resampling.

    Parameters
    ----------
    orders
        The ranking in each resample.
    order
        The ranking of all games.

    Returns
    -------
    dict
        ``same``: share of resamples with the very same ranking; ``kendall_tau``: mean rank
        correlation with it; ``rank_shares``: per strategy, share of resamples at each rank;
        ``neighbours``: for each two neighbours of the ranking, share of resamples in that order.
    """
    from scipy.stats import kendalltau

    kinds = len(order)
    places = np.zeros((len(orders), kinds), dtype=np.int64)
    for k, one in enumerate(orders):
        places[k, list(one)] = np.arange(kinds)
    reference = np.zeros(kinds, dtype=np.int64)
    reference[list(order)] = np.arange(kinds)
    taus = [kendalltau(row, reference).statistic for row in places] if kinds > 1 else [1.0]
    return {
        "same": sum(one == order for one in orders) / len(orders),
        "kendall_tau": float(np.mean(taus)),
        "rank_shares": [
            [float(np.mean(places[:, k] == rank)) for rank in range(kinds)] for k in range(kinds)
        ],
        "neighbours": [
            float(np.mean(places[:, first] < places[:, second]))
            for first, second in pairwise(order)
        ],
    }

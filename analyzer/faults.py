"""What stopped a block, in words."""

from __future__ import annotations

from analyzer import registry
from analyzer.cache import kernel_module
from analyzer.engines.job import BlockPlayer, BlockResult, Job
from analyzer.errors import InternalError, UsageError
from analyzer.lineup import compiled, split_name
from analyzer.scenario import Scenario
from analyzer.user_strategies import is_user_strategy, line_of


def stopped(scenario: Scenario, job: Job, result: BlockResult) -> UsageError | InternalError:
    """Word the error of a block that a status stopped.

    Parameters
    ----------
    scenario, job
        What was played.
    result
        The block, with the cells of the kernel's scratch array that describe the fault.
    """
    abi = kernel_module("kernels.abi")
    game = result.fault[abi.FAULT_GAME]
    see = f"See it: {scenario.replay_command(game)}"
    if result.status != abi.ILLEGAL_MOVE:
        return InternalError(
            f"Game {game} of seed {scenario.seed} was stopped with status {result.status}. {see}"
        )
    seat = result.fault[abi.FAULT_SEAT]
    name = scenario.players[seat]
    move = result.fault[abi.FAULT_MOVE]
    if move == abi.RAISED:
        reason = _exception(job, seat, game)
        return UsageError(
            f"Strategy {name!r} (seat {seat}) raised {reason} in game {game} of seed "
            f"{scenario.seed}. {see}"
        )
    reason = scenario.spec.kernel().fault_text(result.fault)
    message = (
        f"Strategy {name!r} (seat {seat}) answered move {move} in game {game} of seed "
        f"{scenario.seed}, which is not legal there ({reason}). {see}"
    )
    return UsageError(message) if is_user_strategy(name) else InternalError(message)


def _exception(job: Job, seat: int, game: int) -> str:
    """Play a game again to see which exception a user's strategy raises."""
    player = BlockPlayer(job)
    player.strategies = compiled(job.players, registry.load(job.game), job.user, catch=False)
    strategy = job.user[split_name(job.players[seat])[0]]
    try:
        player.play_games(0, game, 1, rows=False)
    except Exception as error:
        line = line_of(error, strategy.path)
        where = f" (line {line})" if line else ""
        return f"{type(error).__name__}: {error}{where}"
    return "an exception that did not come again"

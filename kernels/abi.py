"""What every game's kernel and every strategy have in common: signatures and status codes.

A game's kernel is one function with the signature `PLAY_BLOCK`::

    play_block(seed, first, games, setup, strategies, sums, rows, log, scratch) -> status

seed : uint64
    Master seed.
first, games : int64
    The block plays games ``first .. first + games - 1``.
setup : int64 array (read-only)
    Players, rulings and components, encoded by the game's module.
strategies : tuple of MAX_SEATS strategy functions
    Padded by repetition when fewer seats play.
sums : int64 array
    Zeroed by the caller; totals over the block's games. Modified in place.
rows : int64 array
    Flat: room for one row a game, or empty. Modified in place.
log : int64 array
    Event log (`kernels.events`). Modified in place.
scratch : int64 array
    Working memory; contents mean nothing, but for the first cells when a block is stopped.

It returns `OK` or the status that stopped it. A strategy is a function ``(view, legal, stream) -> move``
of the signature `STRATEGY`; see docs/strategies.md.
"""

from __future__ import annotations

import warnings

from numba import config, njit, types
from numba.core import cgutils
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

from kernels.jit import inlined
from kernels.rng import STREAM_CELLS

# First-class function types work and are tested here; the warning would greet every user.
warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)

MAX_SEATS = 5
MAX_VIEW_CELLS = 128  # no game's view is longer
CREDIT_UNIT = 60  # a win's credit in integers: 1..5 tied winners share it evenly

# Statuses. A status array starts as NOT_PLAYED: a run that still holds one is not reported.
OK = 0
NOT_PLAYED = 1
ILLEGAL_MOVE = 2
LOG_FULL = 3
NO_DRAW = 4

# Cells of `scratch` that describe the move that stopped a block.
FAULT_GAME = 0
FAULT_SEAT = 1
FAULT_MOVE = 2
FAULT_LEGAL = 3
FAULT_CELLS = 8

_READ_ONLY = types.Array(types.int64, 1, "C", readonly=True)
_CELLS = types.Array(types.int64, 1, "C")
# The door passes what `kernels.bits.cells` makes: pointers, or arrays under NUMBA_BOUNDSCHECK=1.
VIEW = _CELLS if config.BOUNDSCHECK else types.CPointer(types.int64)
STREAM = types.Array(types.uint64, 1, "C") if config.BOUNDSCHECK else types.CPointer(types.uint64)
STRATEGY = types.int64(VIEW, types.int64, STREAM)
STRATEGIES = types.UniTuple(types.FunctionType(STRATEGY), MAX_SEATS)

PLAY_BLOCK = types.int64(
    types.uint64,
    types.int64,
    types.int64,
    _READ_ONLY,
    STRATEGIES,
    _CELLS,
    _CELLS,
    _CELLS,
    _CELLS,
)


def strategy(function):
    """Compile a built-in strategy for the one door (cached on disk)."""
    return njit(STRATEGY, cache=True, error_model="numpy")(function)


def kernel(function):
    """Compile a game's block kernel (cached on disk, releases the GIL)."""
    return njit(PLAY_BLOCK, cache=True, nogil=True, error_model="numpy")(function)


# --- games in lockstep ------------------------------------------------------------------------
#
# A kernel may play up to LANES games side by side. A strategy is then called once for all of them:
# ``(views, legal, streams, moves, games) -> 0``. The loop over the games is compiled around the
# strategy's own function, so a move costs no call, and the machine works on many games at once
# instead of waiting for each move in turn. Cell `c` of the view of lane `l` is
# ``views[c * LANES + l]``; the strategy's function gets it as a strided read-only array.

LANES = 32

_COUNTED = _CELLS if config.BOUNDSCHECK else types.CPointer(types.int64)
LANE_STRATEGY = types.int64(VIEW, _COUNTED, STREAM, _COUNTED, types.int64)
LANE_STRATEGIES = types.UniTuple(types.FunctionType(LANE_STRATEGY), MAX_SEATS)
PLAY_LANES = types.int64(
    types.uint64,
    types.int64,
    types.int64,
    _READ_ONLY,
    LANE_STRATEGIES,
    _CELLS,
    _CELLS,
    _CELLS,
    _CELLS,
)

_LOOP = """
def {name}(views, legal, streams, moves, games):
    for lane in range(games):
        moves[lane] = _move(
            lane_view(views, lane), legal[lane], lane_stream(streams, lane)
        )
    return 0
"""

if config.DISABLE_JIT or config.BOUNDSCHECK:

    @inlined
    def lane_view(views, lane):
        """Return the view of one lane (see the compiled version)."""
        return views[lane::LANES]

    @inlined
    def lane_stream(streams, lane):
        """Return the random stream of one lane (see the compiled version)."""
        return streams[lane * STREAM_CELLS : (lane + 1) * STREAM_CELLS]

else:

    def _borrow(context, builder, array_type, pointer, count, stride):
        """Build an array that owns nothing: counting its references is free."""
        word = context.get_value_type(types.intp)
        array = context.make_array(array_type)(context, builder)
        array.data = pointer
        array.nitems = word(count)
        array.itemsize = word(8)
        array.shape = cgutils.pack_array(builder, [word(count)])
        array.strides = cgutils.pack_array(builder, [word(8 * stride)])
        array.meminfo = array.meminfo.type(None)
        array.parent = array.parent.type(None)
        return array._getvalue()

    @intrinsic
    def lane_view(typingctx, views, lane):
        """Return the view of one lane: a strided array that cannot be written."""
        view = types.Array(types.int64, 1, "A", readonly=True)

        def codegen(context, builder, signature, args):
            pointer = builder.gep(args[0], [args[1]])
            return _borrow(context, builder, view, pointer, MAX_VIEW_CELLS, LANES)

        return view(views, types.int64), codegen

    @intrinsic
    def lane_stream(typingctx, streams, lane):
        """Return the random stream of one lane."""
        stream = types.Array(types.uint64, 1, "C")

        def codegen(context, builder, signature, args):
            cells = context.get_value_type(types.intp)(STREAM_CELLS)
            pointer = builder.gep(args[0], [builder.mul(args[1], cells)])
            return _borrow(context, builder, stream, pointer, STREAM_CELLS, 1)

        return stream(streams, types.int64), codegen


def _game_loop(function, move):
    """Make the loop over the games around a strategy's move, as plain Python.

    It is made as source text with the name and file of the function, so that Numba caches it like a
    function that stands there.
    """
    scope = {
        "_move": move,
        "lane_view": lane_view,
        "lane_stream": lane_stream,
        "__name__": function.__module__,
    }
    code = compile(_LOOP.format(name=function.__name__), function.__code__.co_filename, "exec")
    exec(code, scope)
    loop = scope[function.__name__]
    loop.__doc__ = function.__doc__
    return loop


def lane_strategy(function):
    """Compile a built-in strategy ``(view, legal, stream) -> move`` for the one door (cached)."""
    loop = _game_loop(function, inlined(function))
    return njit(LANE_STRATEGY, cache=True, error_model="numpy")(loop)


def user_strategy(function):
    """Compile somebody's own strategy for the one door: every index is checked, nothing is cached."""
    return njit(LANE_STRATEGY)(_game_loop(function, njit(boundscheck=True)(function)))


def lane_kernel(function):
    """Compile a game's block kernel that plays in lanes (cached on disk, releases the GIL)."""
    return njit(PLAY_LANES, cache=True, nogil=True, error_model="numpy")(function)

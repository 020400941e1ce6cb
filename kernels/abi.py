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

It returns `OK` or the status that stopped it.

A strategy is written as ``(view, legal, stream) -> move`` (docs/strategies.md) and compiled by its
game's `Door` to the signature `STRATEGY`: one call moves for all games that a kernel plays side by
side.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numba import config, njit, types
from numba.core import cgutils
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.types.function_type import WrapperAddressProtocol
from numba.extending import intrinsic

from kernels.jit import inlined
from kernels.rng import S_ADDRESS, S_GAME, S_SEED, STREAM_CELLS, philox4x32

# First-class function types work and are tested here; the warning would greet every user.
warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)

MAX_SEATS = 5
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

#: The move of a user's strategy that raised an exception: legal nowhere.
RAISED = -(1 << 62)

_READ_ONLY = types.Array(types.int64, 1, "C", readonly=True)
_CELLS = types.Array(types.int64, 1, "C")
# The door passes what `kernels.bits.cells` makes: pointers, or arrays under NUMBA_BOUNDSCHECK=1.
_POINTER = _CELLS if config.BOUNDSCHECK else types.CPointer(types.int64)
_WORDS = types.Array(types.uint64, 1, "C") if config.BOUNDSCHECK else types.CPointer(types.uint64)
# What a strategy's function gets of its own lane.
_VIEW = types.Array(types.int64, 1, "A", readonly=True)
_STREAM = types.Array(types.uint64, 1, "A")
#: ``(views, legal, streams, moves, games) -> 0``: writes a move for each of the games.
STRATEGY = types.int64(_POINTER, _POINTER, _WORDS, _POINTER, types.int64)
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


def kernel(function):
    """Compile a game's block kernel (cached on disk, releases the GIL)."""
    return njit(PLAY_BLOCK, cache=True, nogil=True, error_model="numpy")(function)


#: No strategy stream reaches this draw: the key of a user's stream comes from it.
_KEY_DRAW = 0xFFFF_FFFF


@inlined
def hide_deal(stream):
    """Give a user's stream a key of its own, in place; return what it held, for `restore_deal`.

    A stream's key is the master seed, from which anybody could deal the other seats' cards. What a
    user's function gets draws from a key that comes from the seed, but does not lead back to it.
    """
    held = stream[S_SEED], stream[S_GAME], stream[S_ADDRESS]
    key, _ = philox4x32(np.uint64(_KEY_DRAW), held[2], held[1], held[0])
    stream[S_SEED] = key
    stream[S_GAME] = np.uint64(0)
    return held


@inlined
def restore_deal(stream, held):
    """Put back what `hide_deal` returned, in place."""
    stream[S_SEED] = held[0]
    stream[S_GAME] = held[1]
    stream[S_ADDRESS] = held[2]


# The loop over the games is compiled around the strategy's own function, so that a move costs no
# call, and the machine works on many games at once instead of waiting for each move in turn.
_LOOP = """
def {name}(views, legal, streams, moves, games):
    for lane in range(games):
        moves[lane] = _move(
            _lane_view(views, lane, _lanes, _view_cells), legal[lane], lane_stream(streams, lane, _lanes)
        )
    return 0
"""

# The loop around a user's function: it sees no key of the deal.
_USER_LOOP = """
def {name}(views, legal, streams, moves, games):
    for lane in range(games):
        view = _lane_view(views, lane, _lanes, _view_cells)
        stream = lane_stream(streams, lane, _lanes)
        held = _hide_deal(stream)
        moves[lane] = _move(view, legal[lane], stream)
        _restore_deal(stream, held)
    return 0
"""
_CALL = "        moves[lane] = _move(view, legal[lane], stream)\n"
_GUARDED_CALL = """\
        try:
            moves[lane] = _move(view, legal[lane], stream)
        except Exception:
            moves[lane] = _raised
"""
_GUARDED_USER_LOOP = _USER_LOOP.replace(_CALL, _GUARDED_CALL)

if config.DISABLE_JIT or config.BOUNDSCHECK:

    @inlined
    def _lane_view(views, lane, lanes, view_cells):
        """Return the view of one lane (see the compiled version)."""
        return views[lane : lanes * view_cells : lanes]

    @inlined
    def lane_stream(streams, lane, lanes):
        """Return the random stream of one lane (see the compiled version)."""
        return streams[lane : lanes * STREAM_CELLS : lanes]

else:

    def _borrow(context, builder, array_type, pointer, count, stride):
        """Build an array that owns nothing: counting its references is free."""
        word = context.get_value_type(types.intp)
        array = context.make_array(array_type)(context, builder)
        array.data = pointer
        array.nitems = count
        array.itemsize = word(8)
        array.shape = cgutils.pack_array(builder, [count])
        array.strides = cgutils.pack_array(builder, [builder.mul(stride, word(8))])
        array.meminfo = array.meminfo.type(None)
        array.parent = array.parent.type(None)
        return array._getvalue()

    @intrinsic
    def _lane_view(typingctx, views, lane, lanes, view_cells):
        """Return the view of one lane: a strided array that cannot be written."""

        def codegen(context, builder, signature, args):
            views, lane, lanes, view_cells = args
            return _borrow(context, builder, _VIEW, builder.gep(views, [lane]), view_cells, lanes)

        return _VIEW(views, types.int64, types.int64, types.int64), codegen

    @intrinsic
    def lane_stream(typingctx, streams, lane, lanes):
        """Return the random stream of one lane: cell `c` is ``streams[c * lanes + lane]``."""

        def codegen(context, builder, signature, args):
            streams, lane, lanes = args
            count = context.get_value_type(types.intp)(STREAM_CELLS)
            return _borrow(context, builder, _STREAM, builder.gep(streams, [lane]), count, lanes)

        return _STREAM(streams, types.int64, types.int64), codegen


class Strategy(WrapperAddressProtocol):
    """A built-in strategy: compiled, or loaded from the cache, when it is first played.

    Kernels take it like a compiled function, and find its address without typing it anew for every
    block.

    Attributes
    ----------
    move : callable
        ``(view, legal, stream) -> move``, compiled where it is called: other strategies may. None
        for one that has moves of all games only (`kernels.restrict`).
    loop : callable
        The same for all games, of signature STRATEGY.
    """

    def __init__(self, move, loop):
        self.move = move
        self.__name__ = loop.__name__
        self.__doc__ = loop.__doc__
        self.loop = njit(cache=True, error_model="numpy")(loop)
        self._address = 0

    def __call__(self, *arguments):
        """Move in all games; only with the JIT off."""
        return self.loop(*arguments)

    def __wrapper_address__(self):
        """Return where the machine code is."""
        if not self._address:
            self.loop.compile(STRATEGY)
            result = self.loop.get_compile_result(STRATEGY)
            name = result.fndesc.llvm_cfunc_wrapper_name
            self._address = result.library.get_pointer_to_function(name)
        return self._address

    def signature(self):
        """Return the signature that all strategies have."""
        return STRATEGY


#: Length of the view of a built-in strategy: it finds its way by the names of the cells.
UNBOUNDED = 1 << 32


@dataclass(frozen=True)
class Door:
    """The one way to a game's strategies, built-in or somebody's own.

    Attributes
    ----------
    lanes : int
        How many games the kernel keeps side by side: cell `c` of the view of lane `l` is
        ``views[c * lanes + l]``, and so are the streams. A strategy's function gets its lane's view as
        a read-only array.
    view_cells : int
        Length of a view. A user's strategy can read no further.
    """

    lanes: int
    view_cells: int

    def strategy(self, function):
        """Make a built-in `Strategy` of a function ``(view, legal, stream) -> move``."""
        move = inlined(function)
        return Strategy(move, self._game_loop(_LOOP, function, move, UNBOUNDED))

    def user_strategy(self, function, catch=True):
        """Compile somebody's own strategy: every index is checked, nothing is cached.

        Parameters
        ----------
        function : callable
        catch : bool
            Whether an exception becomes the move RAISED, which stops the game as an illegal move
            does. Else it leaves the kernel, and can be read.

        Raises
        ------
        numba.core.errors.NumbaError
            When it cannot be compiled.
        TypeError
            When it does not return a whole number.
        """
        move = njit(boundscheck=True)(function)
        if not config.DISABLE_JIT:
            move.compile((_VIEW, types.int64, _STREAM))
            returned = move.nopython_signatures[0].return_type
            if not isinstance(returned, types.Integer | types.Boolean):
                raise TypeError(f"it returns {returned}, not a whole number")
        template = _GUARDED_USER_LOOP if catch else _USER_LOOP
        return njit(STRATEGY)(self._game_loop(template, function, move, self.view_cells))

    def _game_loop(self, template, function, move, view_cells):
        """Make the loop over the games around a strategy's move, as plain Python.

        It is made as source text with the name and file of the function, so that Numba caches it
        like a function that stands there.
        """
        scope = {
            "_move": move,
            "_lane_view": _lane_view,
            "lane_stream": lane_stream,
            "_hide_deal": hide_deal,
            "_restore_deal": restore_deal,
            "_raised": RAISED,
            "_lanes": self.lanes,
            "_view_cells": view_cells,
            "__name__": function.__module__,
        }
        text = template.format(name=function.__name__)
        exec(compile(text, function.__code__.co_filename, "exec"), scope)
        loop = scope[function.__name__]
        loop.__doc__ = function.__doc__
        return loop

"""Pick a cell out of a set by its number: one instruction where the machine has it.

`random` does this three times a turn, and a loop whose length cannot be predicted costs more than the
rest of the turn. Where the processor can deposit bits (x86 with BMI2), `nth_cell` is two instructions;
elsewhere it counts bits side by side. All versions give the same cells.
"""

from __future__ import annotations

import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic

from kernels.bits import lowest_bit_index, popcount, wrapping_mul
from kernels.jit import inlined

_BYTES = 0x0101010101010101
_PAIRS = 0x5555555555555555
_FOURS = 0x3333333333333333
_EIGHTS = 0x0F0F0F0F0F0F0F0F
_TOPS = 0x4040404040404040

#: NTH_IN_BYTE[256 * n + byte]: index of the set bit of a byte that has `n` set bits below it.
NTH_IN_BYTE = np.array(
    [
        ([i for i in range(8) if byte >> i & 1] + [0] * 8)[n]
        for n in range(8)
        for byte in range(256)
    ],
    dtype=np.int64,
)


@inlined
def portable_nth_cell(cells, n):
    """Return the cell of a set (of at most 62) that has `n` cells of the set below it.

    No loop: bit counts by bytes, running totals by one multiplication, the byte by comparing them all
    at once (S. Vigna, "Broadword implementation of rank/select queries", 2008), the rest by table.
    """
    counts = cells - (cells >> 1 & _PAIRS)
    counts = (counts & _FOURS) + (counts >> 2 & _FOURS)
    counts = (counts + (counts >> 4)) & _EIGHTS
    totals = wrapping_mul(counts, _BYTES)
    # Bit 6 of a byte survives the subtraction where the running total is at most n (below 64).
    below = (_TOPS + n * _BYTES - totals) & _TOPS
    shift = popcount(below) << 3
    before = (totals << 8) >> shift & 255
    return shift + NTH_IN_BYTE[(n - before) << 8 | (cells >> shift & 255)]


def can_deposit():
    """Tell whether compiled code will have the instruction that deposits bits.

    A processor that is named in Numba's settings has what is listed there.
    """
    named = config.CPU_NAME is not None or config.CPU_FEATURES is not None
    features = config.CPU_FEATURES or "" if named else get_host_cpu_features()
    return "+bmi2" in features.split(",")


if config.DISABLE_JIT:

    def nth_cell(cells, n):
        """Return the cell of a set that has `n` cells of the set below it."""
        for _ in range(n):
            cells &= cells - 1
        return lowest_bit_index(cells)

elif can_deposit():

    @intrinsic
    def nth_cell(typingctx, cells, n):
        """Return the cell of a set that has `n` cells of the set below it."""

        def codegen(context, builder, signature, args):
            cells, n = args
            word = cells.type
            kind = cgutils.ir.FunctionType(word, [word, word])
            deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
            picked = builder.call(deposit, [builder.shl(word(1), n), cells])
            return builder.cttz(picked, context.get_constant(types.boolean, False))

        return types.int64(types.int64, types.int64), codegen

else:
    nth_cell = portable_nth_cell

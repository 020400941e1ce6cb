"""Below the language: bit counts as single instructions, and array cells without reference counts.

All packed sets of this project are non-negative ``int64`` values of at most 63 bits, so a word never
changes type under arithmetic. With the JIT off the same names are plain Python.
"""

from __future__ import annotations

from numba import config, njit, types
from numba.extending import intrinsic

from kernels.jit import inlined

__all__ = [
    "bit_length",
    "cells",
    "greater",
    "lesser",
    "lowest_bit_index",
    "offset_cells",
    "popcount",
    "wrapping_add",
    "wrapping_mul",
]

WORD_MASK = 0xFFFF_FFFF_FFFF_FFFF

if config.DISABLE_JIT:

    def popcount(word):
        """Return the number of set bits of a non-negative word."""
        return int(word).bit_count()

    def bit_length(word):
        """Return the number of bits needed to write a non-negative word (0 for 0)."""
        return int(word).bit_length()

    def lowest_bit_index(word):
        """Return the index of the lowest set bit; the word must not be zero."""
        word = int(word)
        return (word & -word).bit_length() - 1

    def wrapping_mul(left, right):
        """Return the low 64 bits of the product, as a signed word."""
        product = (int(left) * int(right)) & WORD_MASK
        return product - (1 << 64) if product >> 63 else product

    def wrapping_add(left, right):
        """Return the low 64 bits of the sum, as a signed word."""
        total = (int(left) + int(right)) & WORD_MASK
        return total - (1 << 64) if total >> 63 else total

    def cells(array):
        """Return the array itself (see the compiled version)."""
        return array

    def offset_cells(array, first):
        """Return the array's cells from `first` on."""
        return array[first:]

else:

    @intrinsic
    def popcount(typingctx, word):
        """Return the number of set bits of a non-negative word."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def bit_length(typingctx, word):
        """Return the number of bits needed to write a non-negative word (0 for 0)."""

        def codegen(context, builder, signature, args):
            zeros = builder.ctlz(args[0], context.get_constant(types.boolean, False))
            return builder.sub(context.get_constant(types.int64, 64), zeros)

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_bit_index(typingctx, word):
        """Return the index of the lowest set bit; the word must not be zero."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, False))

        return types.int64(types.int64), codegen

    @njit(inline="always")
    def wrapping_mul(left, right):
        """Return the low 64 bits of the product, as a signed word."""
        return left * right

    @njit(inline="always")
    def wrapping_add(left, right):
        """Return the low 64 bits of the sum, as a signed word."""
        return left + right

    if config.BOUNDSCHECK:

        @njit(inline="always")
        def cells(array):
            """Return the array itself (see the unchecked version)."""
            return array

        @njit(inline="always")
        def offset_cells(array, first):
            """Return the array's cells from `first` on."""
            return array[first:]

    else:

        @intrinsic
        def cells(typingctx, array):
            """Return a C array's cells, flat, to be indexed from 0 without checks.

            Passing arrays from rule to rule costs two atomic reference counts a call, several times
            what the rules themselves cost; a pointer costs nothing. Under ``NUMBA_BOUNDSCHECK=1``
            it stays an array and every access is checked. The caller keeps the array alive.
            """

            def codegen(context, builder, signature, args):
                return context.make_array(signature.args[0])(context, builder, args[0]).data

            return types.CPointer(array.dtype)(array), codegen

        @intrinsic
        def offset_cells(typingctx, pointer, first):
            """Return the cells from `first` on."""

            def codegen(context, builder, signature, args):
                return builder.gep(args[0], [args[1]])

            return pointer(pointer, types.int64), codegen


@inlined
def greater(one, other):
    """Return the greater of two numbers. Numba's ``max`` is a call that LLVM often leaves one."""
    return one if one > other else other


@inlined
def lesser(one, other):
    """Return the lesser of two numbers (see `greater`)."""
    return one if one < other else other

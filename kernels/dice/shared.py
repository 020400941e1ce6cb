"""Tables that all games of a block share: how a strategy reads them from its view.

A view is every LANES-th cell of an array; the tables lie behind it, cell by cell.
"""

from __future__ import annotations

from numba import config, types
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def shared_cells(view):
        """Return the cells from a view's first one on, whatever the view's stride."""
        whole = view if view.base is None else view.base
        first = view.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        return whole[first // whole.itemsize :]

else:

    @intrinsic
    def shared_cells(typingctx, view):
        """Return the cells from a view's first one on, whatever the view's stride."""

        def codegen(context, builder, signature, args):
            return context.make_array(signature.args[0])(context, builder, args[0]).data

        return types.CPointer(view.dtype)(view), codegen

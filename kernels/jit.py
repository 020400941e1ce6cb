"""How this project compiles: one decorator each for kernels' entrances, their parts, and small helpers.

All divide like C (no zero-division checks; no rule divides by what may be zero).
"""

from __future__ import annotations

from numba import njit

#: What Python calls: kept on disk between runs, with everything that it calls.
compiled = njit(cache=True, error_model="numpy")

#: A rule or a step of a loop: compiled into what calls it. Not kept by itself: what is kept is read and
#: checked at every start, a hundred functions one by one.
part = njit(error_model="numpy")

#: A helper of a few instructions: always melted into its caller. LLVM would often call it instead,
#: and a call with its status check costs more than the helper itself.
inlined = njit(error_model="numpy", forceinline=True)

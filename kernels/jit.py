"""How this project compiles: one decorator for rules, one for small helpers.

Both cache on disk and divide like C (no zero-division checks; no rule divides by what may be zero).
"""

from __future__ import annotations

from numba import njit

#: A rule or a step of a loop: compiled once, called.
compiled = njit(cache=True, error_model="numpy")

#: A helper of a few instructions: always melted into its caller. LLVM would often call it instead,
#: and a call with its status check costs more than the helper itself.
inlined = njit(cache=True, error_model="numpy", forceinline=True)

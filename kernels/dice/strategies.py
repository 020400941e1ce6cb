from __future__ import annotations

import numpy as np

from kernels.abi import strategy
from kernels.dice import view as see
from kernels.dice.multisets import gather
from kernels.rng import random_below
from itertools import combinations
from math import comb, lcm


_RANDOM_BOUNDS = [0] * (see.ALL_SIZES + 1)
_ROW = 3 * 60
_RANDOM_MARKS = np.zeros((see.ALL_SIZES + 1) * _ROW, dtype=np.int64)
for _sizes in range(0, see.ALL_SIZES + 1, 2):
    _each = [size for size in (1, 2, 3) if _sizes >> size & 1]
    if len(_each) > 1:
        _dice = sum(_each)
        _per_size = lcm(*(comb(_dice, size) for size in _each))
        _subsets = [
            [sum(1 << die for die in part) for part in combinations(range(_dice), size)]
            for size in _each
        ]
        _per_size = 60
        _RANDOM_BOUNDS[_sizes] = len(_each) * _per_size
        _row = [part[k % len(part)] for part in _subsets for k in range(_per_size)]
        _RANDOM_MARKS[_sizes * _ROW : _sizes * _ROW + len(_row)] = _row
_RANDOM_BOUNDS = np.array(_RANDOM_BOUNDS, dtype=np.int64)


@strategy
def random(view, legal, stream):
    """Set aside a size drawn uniformly from those left, and then that many dice at random."""
    if view[see.DECISION] == see.FORGO_BOX:
        return see.NO_ANSWER
    sizes = view[see.SIZES]
    draw = random_below(stream, _RANDOM_BOUNDS[sizes])
    return gather(view[see.DICE_AS_ROLLED], _RANDOM_MARKS[sizes * _ROW + draw])

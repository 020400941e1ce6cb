"""The event log: how a kernel explains what it did.

A log is a flat ``int64`` array of rows of EVENT_CELLS cells. Row 0 is the header: how many events fit
(0 = off, which costs one comparison an event), how many were written, and whether any were lost. The
codes belong to each family (``kernels.boats.events`` and so on); the sentences to ``analyzer.games``.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import inlined, part

EVENT_CELLS = 5
CAPACITY = 0
WRITTEN = 1
LOST = 2


def new_log(events=0):
    """Return an empty log for up to `events` events (0 = off)."""
    log = np.zeros((events + 1) * EVENT_CELLS, dtype=np.int64)
    log[CAPACITY] = events
    return log


def logged(log):
    """Return the events written so far, shape (events, EVENT_CELLS)."""
    return log.reshape(-1, EVENT_CELLS)[1 : 1 + int(log[WRITTEN])]


@part
def _append(log, code, a, b, c, d):
    written = log[WRITTEN] + 1
    if written > log[CAPACITY]:
        log[LOST] = 1
        return
    log[WRITTEN] = written
    cell = written * EVENT_CELLS
    log[cell] = code
    log[cell + 1] = a
    log[cell + 2] = b
    log[cell + 3] = c
    log[cell + 4] = d


@inlined
def is_on(log):
    """Tell whether events are wanted."""
    return log[CAPACITY] != 0


@inlined
def emit(log, code, a=0, b=0, c=0, d=0):
    """Append one event when the log is on. The log is modified in place."""
    if is_on(log):
        _append(log, code, a, b, c, d)


@inlined
def is_full(log):
    """Tell whether events were lost because the log was too short."""
    return log[LOST] != 0

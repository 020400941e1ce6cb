"""pandas frames: the one road from a run to a table.

A run folder holds ``result.json``, the Result JSON that ``analyzer simulate --json`` prints, and
``blocks.parquet``, the integer sums of every block; `load` turns both into frames. The functions below
it take any Result JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.text import is_rate

if TYPE_CHECKING:
    import pandas as pd

MANIFEST = "manifest.json"
RESULT = "result.json"
BLOCKS = "blocks.parquet"
GAMES = "games.parquet"
PARTS = "parts"
COMPLETE = "complete"


class Run:
    """A run folder as frames.

    Parameters
    ----------
    path
        The folder.

    Attributes
    ----------
    manifest : dict
        What was played, and on what.
    finished : bool
        Whether all games were played; of an unfinished run there are the `blocks` played so far
        (``analyzer report`` shows what they say).

    Raises
    ------
    FileNotFoundError
        When there is no run.
    ValueError
        When the folder is damaged, or a frame is asked for that an unfinished run cannot give.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        file = self.path / MANIFEST
        if not file.is_file():
            raise FileNotFoundError(
                f"{self.path} is not a run folder: it has no {MANIFEST}. "
                "A run folder is made by: analyzer simulate GAME -o DIR."
            )
        self.manifest: dict[str, Any] = _json(file)
        self.finished = self.manifest.get("state") == COMPLETE

    def __repr__(self) -> str:
        state = "" if self.finished else ", unfinished"
        return f"<Run {self.path}: {self.manifest.get('game')}{state}>"

    @cached_property
    def document(self) -> dict[str, Any]:
        """The Result JSON."""
        file = self.path / RESULT
        if not self.finished or not file.is_file():
            raise ValueError(
                f"The run in {self.path} has no {RESULT} yet. "
                f"Go on with: analyzer simulate --resume {self.path}"
            )
        return _json(file)

    @cached_property
    def blocks(self) -> pd.DataFrame:
        """One row a block: its games and every part of its integer sums, those played so far."""
        import pandas as pd

        whole = self.path / BLOCKS
        parts = sorted((self.path / PARTS).glob(f"*-{BLOCKS}"))
        files = [whole] if whole.is_file() else parts
        if not files:
            return pd.DataFrame({"block": [], "first": [], "games": []}, dtype="int64")
        return pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row a game, where the run was played with ``--rows``."""
        import pandas as pd

        file = self.path / GAMES
        if not file.is_file():
            raise ValueError(
                f"The run in {self.path} keeps no row a game. Play it with: --rows -o DIR."
            )
        return pd.read_parquet(file)

    @cached_property
    def seats(self) -> pd.DataFrame:
        """Win rate and mean score of every seat, with intervals (see `seat_frame`)."""
        return seat_frame(self.document)

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """Every metric, with its interval (see `metric_frame`)."""
        return metric_frame(self.document)

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The game's histograms and matrices by name."""
        return {name: table_frame(value) for name, value in self.document["tables"].items()}


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file} is damaged: {error}.") from None


def seat_frame(document: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row a seat of a Result JSON.

    Returns
    -------
    DataFrame
        ``seat`` from 0, ``strategy``, ``win_rate``, ``mean_score``, each of these two with
        ``_low`` and ``_high`` bounds of its interval, and ``games``.
    """
    import pandas as pd

    rows = [
        {
            "seat": seat["seat"],
            "strategy": seat["strategy"],
            **_bounded("win_rate", seat["win_rate"], seat["win_rate_ci"]),
            **_bounded("mean_score", seat["mean_score"], seat["mean_score_ci"]),
            "games": document["games"],
        }
        for seat in document["seats"]
    ]
    return pd.DataFrame(rows)


def _bounded(name: str, value: float | None, interval: Sequence[float | None]) -> dict[str, Any]:
    return {name: value, f"{name}_low": interval[0], f"{name}_high": interval[1]}


def metric_frame(document: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row a metric of a Result JSON.

    Returns
    -------
    DataFrame
        ``metric`` as in ``kept_rate.bear``, its ``stem`` and what it is ``of`` (empty for a single
        one), ``share`` (whether it lies in 0..1), ``value``, ``low``, ``high``, and ``n`` (trials).
    """
    import pandas as pd

    rows = []
    for name, metric in document["metrics"].items():
        stem, _, of = name.partition(".")
        low, high = metric["ci"]
        rows.append(
            {
                "metric": name,
                "stem": stem,
                "of": of,
                "share": is_rate(name),
                "value": metric["value"],
                "low": low,
                "high": high,
                "n": metric["n"],
            }
        )
    columns = ["metric", "stem", "of", "share", "value", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)


def table_frame(value: Any) -> pd.DataFrame:
    """Return a histogram or matrix of a Result JSON as a frame.

    Lists of numbers become columns (``kept_by_seat_0``, …); ``"0.."`` marks a column that counts up.
    """
    import pandas as pd

    if isinstance(value, Mapping):
        lists = {name: one for name, one in value.items() if isinstance(one, list)}
        nested = {name: one for name, one in lists.items() if one and isinstance(one[0], dict)}
        if nested:
            (records,) = nested.values()
            return table_frame(records)
        columns: dict[str, list] = {}
        length = max((len(_rows_of(one)[0]) for one in lists.values() if one), default=0)
        for name, one in value.items():
            if one == "0..":
                columns[name] = list(range(length))
            elif isinstance(one, list):
                rows = _rows_of(one)
                named = rows if one and isinstance(one[0], list) else [one]
                for k, row in enumerate(named):
                    columns[name if len(named) == 1 else f"{name}_{k}"] = row
        return pd.DataFrame(columns) if columns else pd.DataFrame([value])
    return pd.DataFrame([_flat(record) for record in value])


def _rows_of(value: list) -> list[list]:
    return value if value and isinstance(value[0], list) else [value]


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, one in record.items():
        if isinstance(one, list):
            flat.update({f"{name}_{k}": item for k, item in enumerate(one)})
        else:
            flat[name] = one
    return flat


#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@")
_CONTROL = dict.fromkeys((*range(32), 127), " ")


def plain_text(value: Any) -> Any:
    """Return a cell as it may stand in a CSV file: on one line, and no formula."""
    if isinstance(value, str):
        value = value.translate(_CONTROL)
        return f"'{value}" if value.lstrip().startswith(_FORMULA) else value
    return value


def csv_text(frame: pd.DataFrame) -> str:
    """Return a frame as CSV: floats so that they read back exactly, texts that run nothing."""
    safe = frame.copy()
    for name in frame.columns:
        if frame[name].dtype.kind not in "ifub":
            safe[name] = [plain_text(value) for value in frame[name]]
    safe.columns = [plain_text(name) for name in safe.columns]
    return safe.to_csv(index=False, lineterminator="\n")

"""Folders that hold the runs of one experiment, and a file that says which experiment it is."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.errors import UsageError
from analyzer.run_files import UNFINISHED, check_empty, read_json, write_json, writing


@dataclass(frozen=True)
class FolderKind:
    """What a kind of folder is called, and how one comes about.

    Attributes
    ----------
    file
        The file that says what it holds.
    title
        As in ``tournament``.
    command
        The command of ours that makes one: ``-o DIR`` begins it, ``--resume DIR`` goes on.
    made_by
        The whole command, for whoever has none yet.
    """

    file: str
    title: str
    command: str
    made_by: str

    @property
    def format(self) -> str:
        """What the file names as its format."""
        return f"tabletop-analyzer {self.file.removesuffix('.json')}/1"

    def go_on(self, folder: Path) -> str:
        """Return the command that goes on with a folder."""
        return shlex.join(["analyzer", self.command, "--resume", str(folder)])

    def is_in(self, folder: Path) -> bool:
        """Tell whether a folder is of this kind."""
        return (folder / self.file).is_file()

    def read(self, folder: Path) -> dict[str, Any]:
        """Return what a folder says about itself.

        Raises
        ------
        UsageError
            When it is no folder of this kind, or its file cannot be understood.
        """
        path = folder / self.file
        found = read_json(
            path,
            f"{folder} is not a {self.title}: it has no {self.file}. One is made by: "
            f"{self.made_by}.",
        )
        if not isinstance(found, dict) or found.get("format") != self.format:
            raise UsageError(f"{path} is not of this version ({self.format}).")
        return found

    def load(self, folder: Path, build: Callable[[dict[str, Any]], Any]) -> Any:
        """Return what `build` makes of what a folder says about itself.

        Raises
        ------
        UsageError
            When it is no folder of this kind, or something is missing there or wrong.
        """
        found = self.read(folder)
        try:
            return build(found)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{folder / self.file} is damaged: {error}.") from None

    def claim(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        """Write what the folder is to hold, or see that it is what is there.

        Parameters
        ----------
        folder
            Made where there is none.
        manifest
            What is to be held; ``again`` is the command that plays it.

        Raises
        ------
        UsageError
            When it holds anything else, or cannot be written; nothing was changed then.
        """
        wanted = {"format": self.format, **manifest}
        if self.is_in(folder):
            found = self.read(folder)
            if found != json.loads(json.dumps(wanted)):
                raise UsageError(
                    f"{folder} holds another {self.title}: {found.get('again')}. Nothing was changed. "
                    "Choose another folder with -o."
                )
            return
        # A file that was being written when the program was killed is ours.
        check_empty(folder, self.title, {self.file + UNFINISHED})
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_json(folder / self.file, wanted)


TOURNAMENT = FolderKind(
    "tournament.json",
    "tournament",
    "tournament",
    "analyzer tournament GAME --strategies A,B -o DIR",
)
COMPARISON = FolderKind("compare.json", "comparison", "compare", "analyzer compare GAME A B -o DIR")
SWEEP = FolderKind(
    "sweep.json", "sweep", "sweep", "analyzer sweep SCENARIO --vary KEY=VALUES -o DIR"
)
#: What holds several runs and is none itself.
EXPERIMENTS = (TOURNAMENT, COMPARISON, SWEEP)


def experiment_in(folder: Path) -> FolderKind | None:
    """Return which experiment a folder holds, if any."""
    return next((kind for kind in EXPERIMENTS if kind.is_in(folder)), None)

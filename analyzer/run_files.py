"""Files that are written whole or not at all, and a folder that one process writes to."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from analyzer.errors import UsageError
from analyzer.jsonout import dumps

#: What a file is called until it is whole.
UNFINISHED = ".tmp"


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file under another name, flush it to the disk and rename it.

    Parameters
    ----------
    path
        The file; as it was before when anything goes wrong.
    """
    unfinished = path.with_name(path.name + UNFINISHED)
    try:
        with open(unfinished, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, path)
        _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write a file as `whole_file` does."""
    with whole_file(path) as stream:
        stream.write(content)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Say in a sentence why a folder that somebody named cannot be written to."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"Cannot write to {folder}: {error.strerror}. Choose another folder with -o."
        ) from None


def write_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files by their path in a folder, each as `whole_file` does; return where they are.

    Raises
    ------
    UsageError
        When the folder cannot be made or written to.
    """
    with writing(folder):
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / name, content)
    return [folder / name for name in files]


def write_json(path: Path, document: object) -> None:
    """Write a JSON document as `whole_file` does."""
    write_whole(path, (dumps(document) + "\n").encode())


def check_empty(folder: Path, title: str, ours: Collection[str]) -> None:
    """Raise UsageError where a folder holds anything that is not ours.

    Parameters
    ----------
    folder
        It need not be there.
    title
        What it is to become, as in ``tournament``.
    ours
        Names that may be there.
    """
    try:
        there = sorted(one.name for one in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise UsageError(
            f"Cannot use {folder}: {error.strerror}. Choose another folder with -o."
        ) from None
    strangers = [name for name in there if name not in ours]
    if strangers:
        raise UsageError(
            f"{folder} is not empty and not a {title} (it holds {strangers[0]!r}). "
            "Nothing was changed. Choose another folder with -o."
        )


def read_json(path: Path, missing: str) -> Any:
    """Return a JSON document.

    Parameters
    ----------
    path
        The file.
    missing
        What to say where there is none.

    Raises
    ------
    UsageError
        When it is not there, cannot be read or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(missing) from None
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}.") from None
    except ValueError as error:
        raise UsageError(f"{path} is damaged: {error}.") from None


def _sync_folder(path: Path) -> None:
    """Make a rename last through a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Keep a second process out of a folder, where the system can."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"Another analyzer is writing to {folder}. Wait for it, or choose another "
                "folder with -o."
            ) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)

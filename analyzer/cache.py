"""Where compiled kernels are kept between runs.

Numba's cache does not notice an edit in an imported module: it would go on running the old rule. So
the cache lies in a folder that is named by a hash of all kernel sources and of what compiles them,
and `prepare` must run before numba is imported. Everything that imports kernels calls
`kernel_module`.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from analyzer.progress import Note, silence

APP_FOLDER = "tabletop-analyzer"
OVERRIDE = "ANALYZER_CACHE_DIR"
FOLDER_PREFIX = "kernels-"
#: What was solved once is kept here, a file each, named by rules and rulings.
TABLES = "tables"
#: Modules with a kernel have names that end so; they are compiled when they are imported.
KERNEL = "play"
#: Folders of other versions are removed when nobody has used them for this long.
KEEP_SECONDS = 30 * 24 * 3600
#: Files that hold the versions of what the compiled code depends on; reading them costs no import.
_VERSION_FILES = (
    ("numba", "_version.py"),
    ("llvmlite", "_version.py"),
    ("numpy", "version.py"),
)
_HARMLESS_SETTINGS = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")


def _package_folder(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"The package {name} is not installed.")
    return Path(spec.submodule_search_locations[0])


@lru_cache(maxsize=4)
def source_hash(family: str = "") -> str:
    """Return the hash of every kernel source: it names the rules as they are coded.

    Parameters
    ----------
    family
        As in ``"dice"``: leave out the other families.
    """
    digest = hashlib.sha256()
    folder = _package_folder("kernels")
    inside = [*folder.glob("*.py"), *(folder / family).rglob("*.py")] if family else []
    for path in sorted(inside or folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _cache_hash() -> str:
    digest = hashlib.sha256(source_hash().encode())
    digest.update(sys.version.encode())
    # Numba's own key leaves out most of its settings, such as NUMBA_BOUNDSCHECK.
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name not in _HARMLESS_SETTINGS:
            digest.update(f"{name}={os.environ[name]}\0".encode())
    for package, file in _VERSION_FILES:
        path = _package_folder(package) / file
        digest.update(path.read_bytes() if path.exists() else package.encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder that holds a folder per version of the kernels.

    ``ANALYZER_CACHE_DIR``, or ``NUMBA_CACHE_DIR`` where that is set already, or the user's cache.
    """
    for name in (OVERRIDE, "NUMBA_CACHE_DIR"):
        if os.environ.get(name):
            given = Path(os.environ[name])
            # A child process inherits the folder that its parent chose.
            return given.parent if given.name.startswith(FOLDER_PREFIX) else given
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / APP_FOLDER


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return False
    return True


def _prune(root: Path, current: Path) -> None:
    """Remove the folders of versions that were last used long ago."""
    oldest = time.time() - KEEP_SECONDS
    with suppress(OSError):
        os.utime(current)
        for folder in root.glob(f"{FOLDER_PREFIX}*"):
            if folder != current and folder.is_dir() and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def _use_wide_vectors() -> None:
    """Let LLVM use 512-bit vectors where the machine also counts bits in them.

    By default LLVM keeps to 256 bits. The kernels' loops over games are mostly masks and bit
    counts, and an eighth faster with the whole width (docs/speed.md). Results do not depend on it.
    """
    if "NUMBA_CPU_NAME" in os.environ or "NUMBA_CPU_FEATURES" in os.environ:
        return
    with suppress(ImportError, RuntimeError):
        from llvmlite.binding import get_host_cpu_features

        features = get_host_cpu_features()
        if features.get("avx512vpopcntdq"):
            os.environ["NUMBA_CPU_FEATURES"] = f"{features.flatten()},-prefer-256-bit"


@lru_cache(maxsize=1)
def prepare() -> Path:
    """Choose the cache folder and tell numba; return it. Call before numba is imported."""
    _use_wide_vectors()
    try:
        root = cache_root()
    except RuntimeError:  # no home folder
        root = Path(tempfile.gettempdir()) / APP_FOLDER
    folder = root / (FOLDER_PREFIX + _cache_hash())
    if _writable(folder):
        _prune(root, folder)
    else:
        folder = Path(tempfile.mkdtemp(prefix=f"{APP_FOLDER}-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


def kept_table(name: str, family: str, key: bytes, make: Callable[[], Any]) -> Any:
    """Return an array from the cache folder; make it and keep it when it is not there.

    Parameters
    ----------
    name
        Says what it is, for whoever looks into the folder.
    family
        Family of kernels that it comes from: another version of them makes another table.
    key
        All else that it depends on, such as the rulings.
    make
        Makes the array. A folder that cannot be written loses it, and nothing else.

    Returns
    -------
    numpy array
        Read-only.
    """
    import numpy as np

    digest = hashlib.sha256(source_hash(family).encode() + key).hexdigest()[:16]
    folder = prepare()
    if folder.name.startswith(FOLDER_PREFIX):  # else a temporary one, beside which is not ours
        folder = folder.parent
    folder /= TABLES
    path = folder / f"{name}-{digest}.npy"
    try:
        table = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):  # not there, or cut short
        table = make()
        if _writable(folder):
            _remove_old_files(folder)
            with (
                suppress(OSError),
                tempfile.NamedTemporaryFile(
                    dir=folder, prefix=f"{path.name}.", delete=False
                ) as file,
            ):
                try:
                    np.save(file, table)
                    file.close()
                    os.replace(file.name, path)
                except OSError:
                    os.unlink(file.name)
    else:
        with suppress(OSError):
            os.utime(path)
    table.setflags(write=False)
    return table


def _remove_old_files(folder: Path) -> None:
    """Remove the tables that nobody has used for long, and nothing else: the folder may be shared."""
    oldest = time.time() - KEEP_SECONDS
    for path in folder.glob(f"*-{'[0-9a-f]' * 16}.npy*"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()


#: Held while kernels are imported: a Dask worker plays its first blocks on several threads at once.
_IMPORTING = threading.RLock()


@contextmanager
def _without_linear_algebra() -> Iterator[None]:
    """Keep ``scipy.linalg`` out while numba starts up.

    Numba asks for its BLAS when the first kernel is loaded, which costs 0.3 s of CPU and is of no
    use here: no kernel multiplies matrices. Afterwards scipy can be imported as usual.
    """
    name = "scipy.linalg"
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's own way to say "not there"
    try:
        yield
    finally:
        if sys.modules.get(name, True) is None:
            del sys.modules[name]


_tell_compiling: Note = silence


def tell_compiling(tell: Note) -> None:
    """Choose who is told, in a sentence, that a game's kernel is about to be compiled."""
    global _tell_compiling
    _tell_compiling = tell


def _is_kept(name: str) -> bool:
    """Tell whether the cache holds compiled code of a module: Numba names folder and file after it."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return True  # nothing is compiled
    *_, family, module = name.split(".")
    return next(prepare().glob(f"{family}_*/{module}.*.nbi"), None) is not None


def _compiling() -> str:
    told = "Compiling the game's kernel: this takes about half a minute"
    if prepare().name.startswith(FOLDER_PREFIX):
        return f"{told}, the first time only."
    return f"{told}, every time, as its folder cannot be written to. {OVERRIDE} names another one."


def kernel_module(name: str) -> ModuleType:
    """Import a module of ``kernels``, the cache prepared.

    Parameters
    ----------
    name
        As in ``"kernels.boats.aa_play"``.
    """
    module = sys.modules.get(name)
    # A module stands there from the start of its import: another thread may be in the middle of it.
    if module is not None and not getattr(module.__spec__, "_initializing", False):
        return module
    with _IMPORTING:
        prepare()
        if name.endswith(KERNEL) and name not in sys.modules and not _is_kept(name):
            _tell_compiling(_compiling())
        with _without_linear_algebra():
            return import_module(name)

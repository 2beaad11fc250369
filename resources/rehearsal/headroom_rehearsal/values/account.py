# SPDX-License-Identifier: Apache-2.0
"""Counts what the script read of the device's values, and says where it read what was not computed."""

import os
import sys
import sysconfig
import threading

import torch

from .known import COMPUTED, GUESSED, UNKNOWN

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep  # not torchvision
_LIBRARIES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
_STANDARD = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_MOST_FRAMES = 4


class Account:
    def __init__(self, records):
        self._records = records
        self._lock = threading.Lock()
        self._reads = {"computed": 0, "by_rule": 0, "unknown": 0}
        self._guesses = {}  # (kind, what, size, where) -> how many were not written yet
        self._nested = threading.local()
        os.register_at_fork(after_in_child=self._forget)

    def read(self, how, what, is_size=False) -> None:
        """The host read a value; not counted where an operator reads for itself."""
        if self.is_nested():
            return
        if how is UNKNOWN:
            how = GUESSED
        if how != COMPUTED:
            self.guess(how, what, is_size and how == GUESSED)
        with self._lock:
            self._reads[how if how in self._reads else "by_rule"] += 1

    def guess(self, kind, what, size=False) -> None:
        key = (kind, what, size, _where())
        with self._lock:
            self._guesses[key] = self._guesses.get(key, 0) + 1
        if size:
            self.write_guesses()  # the verdict hangs on it, also if the process ends badly

    def is_nested(self) -> bool:
        return getattr(self._nested, "depth", 0) > 0

    def __enter__(self):
        """Within, an operator reads for itself."""
        self._nested.depth = getattr(self._nested, "depth", 0) + 1

    def __exit__(self, *_):
        self._nested.depth -= 1

    def write_guesses(self) -> None:
        """Those since the last call: counts of several records of a place are to be added."""
        with self._lock:
            guesses, self._guesses = self._guesses, {}
        for (kind, what, size, where), count in guesses.items():
            frames = [dict(zip(("file", "line", "function"), frame)) for frame in where]
            self._records.write("guess", kind=kind, what=what, count=count, where=frames, size=size)

    def tally(self) -> dict:
        self.write_guesses()
        with self._lock:
            reads = dict(self._reads)
        if torch.cuda.is_initialized():
            self._records.write("read", **reads)
        return reads

    def failed(self, text) -> None:
        self._records.write("problem", reason="agent_failed", found=text)

    def _forget(self) -> None:
        """In a forked child: what the parent counted is the parent's."""
        self._lock = threading.Lock()
        self._reads = dict.fromkeys(self._reads, 0)
        self._guesses = {}


def _where() -> tuple:
    """The user's lines, the innermost first, then the innermost line of a library that is not torch."""
    places = _places(sys._getframe(2))
    if not places and threading.current_thread() is not threading.main_thread():
        # Autograd's threads have no Python of their own: there it is where the main thread waits for them.
        places = _places(sys._current_frames().get(threading.main_thread().ident))
    return places


def _places(frame) -> tuple:
    users, library = [], None
    while frame is not None and len(users) < _MOST_FRAMES:
        code = frame.f_code
        entry = (code.co_filename, frame.f_lineno, code.co_name)
        if not _is_foreign(code.co_filename):
            users.append(entry)
        elif library is None and not users and _is_library(code.co_filename):
            library = entry
        frame = frame.f_back
    return tuple(users + ([library] if library else []))


def _is_library(path) -> bool:
    return any(part in path for part in _LIBRARIES) and not path.startswith(_TORCH)


def _is_foreign(path) -> bool:
    """Ours, torch's, a library's, Python's own, or none that is on disk."""
    return path.startswith((_HERE, _TORCH, "<frozen", "<eval_with_key")) or any(part in path for part in _LIBRARIES) or path.startswith(_STANDARD)

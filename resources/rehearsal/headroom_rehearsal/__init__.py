# SPDX-License-Identifier: Apache-2.0
"""Headroom's agent: tells the supervisor of a rehearsal what the user's own Python does with the card.

This file is all that a Python pays for which never loads torch.
"""

import os
import sys

OLDEST_TORCH = (2, 4)
REFUSED = 86  # exit code of a process that must not run on


class FoundTorch:
    """The torch that this Python would load, without loading it."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "version.py"), encoding="utf-8", errors="replace") as source:
            text = source.read()
        self.version = self._value(text, "__version__") or "0"
        self.cuda = self._value(text, "cuda")
        self.hip = self._value(text, "hip")

    @staticmethod
    def _value(text, name):
        """Of a line like: cuda: Optional[str] = '13.0'"""
        for line in text.splitlines():
            left, _, right = line.partition("=")
            if left.partition(":")[0].strip() == name and right.strip()[:1] in ("'", '"'):
                return right.strip()[1:-1]
        return None

    @property
    def release(self):
        major, _, rest = self.version.partition(".")
        minor = rest.partition(".")[0]
        return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)


def card_for(found, folder):
    """Where the card's libraries for this torch's CUDA are to lie."""
    return os.path.join(os.path.normpath(folder), "cuda" + found.cuda.partition(".")[0])


def find_torch(finders=None):
    """None where there is none: a namespace of that name is none."""
    for finder in list(sys.meta_path if finders is None else finders):
        spec = finder.find_spec("torch", None) if hasattr(finder, "find_spec") else None
        if spec is not None:
            try:
                return FoundTorch(os.path.dirname(spec.origin))
            except (OSError, TypeError):
                return None
    return None


def preloads(found, preloaded, folder):
    """LD_PRELOAD for this torch: the card's libraries, then the user's own. None where it is already so."""
    entries = preloaded.replace(":", " ").split()
    wanted = card_for(found, folder)
    if any(os.path.dirname(entry) == wanted for entry in entries) or not os.path.isdir(wanted):
        return None
    own = [entry for entry in entries if not entry.startswith(folder + os.sep)]
    return ":".join([os.path.join(wanted, name) for name in sorted(os.listdir(wanted))] + own)


def restart(preloaded):
    """This same command line again, once, with other preloads: nothing of the user's has run yet."""
    if os.environ.get("HEADROOM_REHEARSAL_RESTARTED") == str(os.getpid()):
        return
    with open("/proc/self/cmdline", "rb") as source:
        command = source.read().split(b"\0")[:-1]
    os.environ["LD_PRELOAD"] = preloaded
    os.environ["HEADROOM_REHEARSAL_RESTARTED"] = str(os.getpid())
    os.execv(sys.executable or "/proc/self/exe", command)


def start():
    if os.environ.get("HEADROOM_REHEARSAL_RANK"):
        from headroom_rehearsal import ranks

        ranks.enter(os.environ)
    found = find_torch()
    folder = os.environ.get("HEADROOM_CARD_PRELOADS", "")
    if found is not None and found.cuda and folder:
        other = preloads(found, os.environ.get("LD_PRELOAD", ""), os.path.normpath(folder))
        if other is not None:
            restart(other)
    sys.meta_path.insert(0, TorchFinder())


class TorchFinder:
    """Steps in where torch is imported, however late."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        from headroom_rehearsal import loading

        return loading.watched_spec(self, name, path, target)

# SPDX-License-Identifier: Apache-2.0
"""Loads Headroom's agent into a Python of a rehearsal, then what the user has as sitecustomize.

This folder stands first in PYTHONPATH. Without HEADROOM_REHEARSAL only the user's own is called.
"""

import os
import sys

# importlib.machinery's own, without what that imports: every Python of a rehearsal pays for this.
from _frozen_importlib_external import PathFinder, SourceFileLoader


class UncachedLoader(SourceFileLoader):
    """Writes no bytecode: what belongs to Headroom stays as it was installed."""

    def set_data(self, path, data, **_):
        pass


class AgentFinder:
    """Finds the agent, whose folder is not on sys.path, where scripts would see it."""

    name = "headroom_rehearsal"

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if not name.startswith(self.name):
            return None
        spec = PathFinder.find_spec(name, [self.folder] if path is None else path)
        if spec is not None and spec.origin is not None:
            spec.loader = UncachedLoader(name, spec.origin)
        return spec


def forget_bytecode(module):
    """Python has cached this very file before it could be asked not to."""
    cached = getattr(module.__spec__, "cached", None)
    if sys.dont_write_bytecode or cached is None:
        return
    try:
        os.unlink(cached)
        os.rmdir(os.path.dirname(cached))
    except OSError:
        pass  # not ours to write, or another process was faster


def start_agent(here):
    sys.meta_path.insert(0, AgentFinder(os.path.dirname(here)))
    import headroom_rehearsal

    headroom_rehearsal.start()


def call_next(here):
    """The sitecustomize that would have been found without this folder, as if it had been: errors are shown by Python."""
    others = [entry for entry in sys.path if os.path.realpath(entry or os.curdir) != os.path.realpath(here)]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    own = sys.modules["sitecustomize"]
    module = type(own)("sitecustomize")
    module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, spec.origin
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    forget_bytecode(sys.modules[__name__])
    if os.environ.get("HEADROOM_REHEARSAL"):
        start_agent(here)
    call_next(here)


if __name__ == "sitecustomize":
    main()

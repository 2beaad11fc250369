# SPDX-License-Identifier: Apache-2.0
"""Before torch is loaded: is it one that can be rehearsed, and on the card that is not there? After it: the agent begins."""

import os
import sys

from headroom_rehearsal import OLDEST_TORCH, REFUSED, FoundTorch, card_for
from headroom_rehearsal.handshake import NotPreloaded, shake_hands
from headroom_rehearsal.records import Records


class WatchedLoader:
    """The loader of torch with something before and after it; torch itself sees only its own."""

    def __init__(self, loader, finder):
        self.loader = loader
        self.finder = finder

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        records = Records(os.environ["HEADROOM_REHEARSAL"])
        prepare(FoundTorch(os.path.dirname(module.__spec__.origin)), records)
        self.loader.exec_module(module)
        begin(self.finder, module, records)

    def __getattr__(self, name):
        return getattr(self.loader, name)


def watched_spec(finder, name, path, target):
    """Libraries also ask for the spec only to know whether there is a torch, so nothing is judged here."""
    others = [other for other in list(sys.meta_path) if other is not finder and hasattr(other, "find_spec")]
    spec = next(filter(None, (other.find_spec(name, path, target) for other in others)), None)
    if spec is not None and spec.loader is not None and is_torch(spec):
        spec.loader = WatchedLoader(spec.loader, finder)
    return spec


def is_torch(spec):
    return spec.origin is not None and os.path.exists(os.path.join(os.path.dirname(spec.origin), "version.py"))


def prepare(found, records):
    """Ends the process where it would not be a rehearsal."""
    if found.hip:
        refuse(records, "rocm", "torch " + found.version)
    if not found.cuda:
        refuse(records, "no_cuda", "torch " + found.version)
    if found.release < OLDEST_TORCH:
        refuse(records, "too_old", "torch " + found.version)
    try:
        library = shake_hands(card_for(found, os.environ.get("HEADROOM_CARD_PRELOADS", "")))
    except NotPreloaded as problem:
        refuse(records, "not_preloaded", str(problem))
    records.hold("torch", version=found.version, cuda=found.cuda, python=sys.version.split()[0],
                 executable=sys.executable or "")
    records.hold("handshake", ok=True, library=library)
    set_allocator(found)
    os.environ["TRITON_LIBCUDA_PATH"] = os.path.dirname(library)  # Triton links what it compiles with it


def refuse(records, reason, found):
    records.write("problem", reason=reason, found=found)
    sys.stderr.write("headroom rehearse: ends before torch is loaded (%s): %s\n" % (reason, found))
    sys.stderr.flush()
    os._exit(REFUSED)


def set_allocator(found):
    """The variable was renamed in 2.9; where both are set, the new one wins."""
    wanted = os.environ.get("HEADROOM_REHEARSAL_ALLOCATOR")
    if not wanted:
        return
    names = ["PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"]
    name = names.pop(1 if found.release >= (2, 9) else 0)
    os.environ.pop(names[0], None)
    os.environ[name] = wanted


def begin(finder, torch, records):
    if finder in sys.meta_path:
        sys.meta_path.remove(finder)
    from headroom_rehearsal import process

    try:
        if os.environ.get("HEADROOM_REHEARSAL_RANK"):
            from headroom_rehearsal import ranks

            ranks.install(torch, records)
        process.Process(torch, records).wait_for_card()
    except Exception:
        process.tell_of_fault(records)

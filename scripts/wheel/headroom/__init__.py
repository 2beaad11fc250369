# SPDX-License-Identifier: Apache-2.0
"""Headroom: which combination of memory techniques fits a card, and does a script? `python -m headroom --help`.

headroom.capture(model, args, path="mine.pt2") writes a model for `headroom run --model mine.pt2`.
"""

import importlib

__all__ = ["capture"]


def __getattr__(name):
    # Not before it is asked for: it imports torch.
    if name == "capture":
        return importlib.import_module("headroom.capture")
    raise AttributeError(f"module 'headroom' has no attribute {name!r}")

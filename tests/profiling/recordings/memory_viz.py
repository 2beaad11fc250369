# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own viewer of memory snapshots, tried on a snapshot of Headroom's.

Usage: memory_viz.py FILE
"""

import base64
import importlib.util
import json
import pickle
import re
import sys
from pathlib import Path


class Refused(Exception):
    """The viewer fails, or shows something else than the snapshot."""


def load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def find():
    """The viewer of an installed PyTorch, without PyTorch itself, which it does not need; None without one."""
    torch = importlib.util.find_spec("torch")
    if torch is None:
        return None
    path = Path(torch.submodule_search_locations[0]) / "cuda" / "_memory_viz.py"
    spec = importlib.util.spec_from_file_location("torch_memory_viz", path)
    viewer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(viewer)
    return viewer


def require(holds, *what):
    if not holds:
        raise Refused(" ".join(str(part) for part in what))


def held_in(page):
    """The snapshot inside a page."""
    (text,) = re.findall(r'"base64": "([^"]*)"', page) or [None]
    require(text is not None, "a page without a snapshot in it")
    return pickle.loads(base64.b64decode(text))


def check_pages(viewer, snapshot):
    for name, page in {
        "segment_plot": viewer.segment_plot(snapshot),
        "trace_plot": viewer.trace_plot(snapshot),
        "trace_plot with segments": viewer.trace_plot(snapshot, plot_segments=True),
    }.items():
        require(held_in(page)["segments"] == snapshot["segments"], name, "shows other segments")
    kept = held_in(viewer.trace_plot(snapshot, filter_freed=True))["device_traces"]
    for events, all_events in zip(kept, snapshot["device_traces"]):
        require(len(events) <= len(all_events), "filter_freed shows more than there is")


def check_text(viewer, snapshot):
    total = sum(segment["total_size"] for segment in snapshot["segments"])
    held = [b for s in snapshot["segments"] for b in s["blocks"] if b["state"] == "active_allocated"]
    requested = sum(block["requested_size"] for block in held)
    summary = viewer.segsum(snapshot)
    require(f"total_reserved: {viewer.Bytes(total)}" in summary, "segsum does not say", viewer.Bytes(total))
    require(f"total_allocated: {viewer.Bytes(requested)}" in summary, "segsum does not say", viewer.Bytes(requested))
    listing = viewer.trace(snapshot)
    allocated = sum(e["action"] == "alloc" for events in snapshot["device_traces"] for e in events)
    require(len(re.findall(r"^\w+ = ", listing, re.M)) >= allocated, "trace leaves out allocations")
    flames = {
        "segments": viewer.segments(snapshot, format_flamegraph=str),
        "memory": viewer.memory(snapshot, format_flamegraph=str),
        "compare": viewer.compare(snapshot["segments"], snapshot["segments"], format_flamegraph=str),
    }
    for name in ("segments", "memory"):
        require(flames[name] or not snapshot["segments"], name, "shows nothing")


def check(viewer, path, snapshot):
    """Throws Refused, or what the viewer throws."""
    require(load(path) == snapshot, path, "reads differently")
    check_pages(viewer, snapshot)
    check_text(viewer, snapshot)


def main(path):
    viewer = find()
    if viewer is None:
        print("no PyTorch is installed")
        return 77
    check(viewer, path, load(path))
    print(json.dumps({"file": path, "viewer": viewer.__file__}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

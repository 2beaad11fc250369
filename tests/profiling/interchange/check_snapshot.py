# SPDX-License-Identifier: Apache-2.0
"""Reads a memory snapshot with Python's own pickle, checks what PyTorch's viewers rely on, and prints its curves.

Usage: check_snapshot.py FILE [--curves]

Prints one line of JSON with what is in it; with --curves a line per event and device before that: device, time in us,
allocated, reserved and active bytes. Exit code 1 where a rule is broken.
"""

import json
import sys

import snapshot_rules


def summary(snapshot):
    actions, categories = {}, {}
    for event in (e for events in snapshot["device_traces"] for e in events):
        actions[event["action"]] = actions.get(event["action"], 0) + 1
        if event["action"] == "alloc" and "category" in event:
            categories[event["category"]] = categories.get(event["category"], 0) + event["size"]
    peaks = [max((p[1] for p in snapshot_rules.curves(events)), default=0) for events in snapshot["device_traces"]]
    return {
        "devices": len(snapshot["device_traces"]),
        "segments": len(snapshot["segments"]),
        "actions": actions,
        "categories": categories,
        "peaks": peaks,
        "annotations": len(snapshot["external_annotations"]),
        "origin": snapshot["headroom"],
    }


def main(arguments):
    try:
        snapshot = snapshot_rules.load(arguments[0])
        snapshot_rules.check(snapshot)
    except snapshot_rules.BrokenRule as broken:
        print(f"{arguments[0]}: {broken}", file=sys.stderr)
        return 1
    if "--curves" in arguments:
        for device, events in enumerate(snapshot["device_traces"]):
            for point in snapshot_rules.curves(events):
                print(device, *point)
    print(json.dumps(summary(snapshot)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

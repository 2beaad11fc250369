# SPDX-License-Identifier: Apache-2.0
"""Reads a Chrome trace with Python's JSON parser and checks what viewers rely on.

Usage: check_chrome.py FILE [--counter NAME]

Prints one line of JSON with what is in it; with --counter each value of that counter before that: time in ns, values.
Exit code 1 where a rule is broken.
"""

import json
import sys
from decimal import Decimal


class BrokenRule(Exception):
    pass


def require(holds, *what):
    if not holds:
        raise BrokenRule(" ".join(str(part) for part in what))


def nanoseconds(microseconds):
    scaled = microseconds * 1000
    require(scaled == int(scaled), "finer than a nanosecond:", microseconds)
    return int(scaled)


def check_nesting(spans):
    """Spans of a track lie within each other or beside each other, and come in the order of their begin."""
    last, ends = None, []
    for begin, duration, name in spans:
        require(duration >= 0, "negative duration of", name)
        require(last is None or begin >= last, "a track runs backwards at", name)
        last = begin
        while ends and ends[-1] <= begin:
            ends.pop()
        require(not ends or begin + duration <= ends[-1], "half inside of another:", name)
        ends.append(begin + duration)


def check(document):
    spans, counters, names, instants = {}, {}, {}, {}
    for event in document["traceEvents"]:
        track = (event["pid"], event["tid"])
        require(isinstance(event["name"], str), "a name")
        if event["ph"] == "M":
            names[(event["name"], *track)] = event["args"]
        elif event["ph"] == "X":
            spans.setdefault(track, []).append((nanoseconds(event["ts"]), nanoseconds(event["dur"]), event["name"]))
        elif event["ph"] == "C":
            values = counters.setdefault((event["pid"], event["name"]), [])
            require(not values or nanoseconds(event["ts"]) >= values[-1][0], "a counter runs backwards:", event["name"])
            require(all(isinstance(v, (int, Decimal)) for v in event["args"].values()), "no number in", event)
            values.append((nanoseconds(event["ts"]), event["args"]))
        else:
            require(event["ph"] == "i" and event["s"] in "gpt", "phase", event["ph"])
            instants[event["name"]] = instants.get(event["name"], 0) + 1
    for track, list_of_spans in spans.items():
        require(("thread_name", *track) in names, "a track without a name", track)
        check_nesting(list_of_spans)
    for process in {key[0] for key in list(spans) + list(counters)}:
        require(("process_name", process, 0) in names, "a process without a name", process)
    return spans, counters, names, instants


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        document = json.load(file, parse_float=Decimal)
    try:
        spans, counters, names, instants = check(document)
    except BrokenRule as broken:
        print(f"{arguments[0]}: {broken}", file=sys.stderr)
        return 1
    if "--counter" in arguments:
        wanted = arguments[arguments.index("--counter") + 1]
        for (_, name), values in counters.items():
            for time, series in values if name == wanted else []:
                print(time, *series.values())
    threads = {k[1:]: v["name"] for k, v in names.items() if k[0] == "thread_name"}
    peaks = {n: max(sum(series.values()) for _, series in v) for (_, n), v in counters.items()}
    summary = {
        "spans": {threads[track]: len(found) for track, found in spans.items()},
        "counters": {name: len(values) for (_, name), values in counters.items()},
        "peaks": {name: float(peak) if isinstance(peak, Decimal) else peak for name, peak in peaks.items()},
        "instants": instants,
        "about": document["otherData"],
    }
    print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

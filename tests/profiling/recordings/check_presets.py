# SPDX-License-Identifier: Apache-2.0
"""Exports traces of every preset in every format, imports the files again and compares event by event.

Usage: check_presets.py HEADROOM WORKER [PRESET...]

Of each preset one trial is simulated (on an H100, whatever devices the preset names).

- SQLite: every event with its owner, and the phases, are those of the original.
- snapshot, as pickle and as JSON: every event but changes of owner; each allocation has the owner that its block had last.
- Chrome trace: it has no blocks; both peaks are the original's, to the byte.

torch.cuda._memory_viz of an installed PyTorch draws and summarises each snapshot; where none is installed, that is left out, and
said. Prints a line per trial. Exit code 1 where anything differs.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import memory_viz  # noqa: E402

DEVICE = "sim:h100-80gb"


class Differs(Exception):
    """What was imported is not what was exported."""


def require(holds, *what):
    if not holds:
        raise Differs(" ".join(str(part) for part in what))


class Headroom:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        ended = subprocess.run(
            [self.program, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=self.folder
        )
        if ended.returncode != 0:
            sys.exit(f"headroom {' '.join(map(str, arguments))}: {ended.returncode}\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--format", "json"))

    def export(self, trial, workspace, form, name):
        self.run("trace", "export", trial, workspace, "--as", form, "-o", name)
        return self.folder / name

    def imported(self, file):
        """The id of the only trial of a file, in a workspace of its own, and that workspace."""
        workspace = f"{file.name}.db"
        (trial,) = self.json("trace", "import", file, "--workspace", workspace)["trials"]
        return trial["trial_id"], workspace


def rows(file, query):
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def events_of(file):
    """All events, each with its owner as a tuple of texts."""
    columns = "id, category, module, technique, source, frames"
    owners = {row[0]: row[1:] for row in rows(file, f"SELECT {columns} FROM headroom_owners")}
    found = rows(
        file,
        "SELECT start, action, addr, size, requested_size, stream, owner, previous_owner FROM headroom_device_traces "
        "WHERE track = (SELECT id FROM headroom_tracks WHERE name = 'device') ORDER BY rowid",
    )
    return [(*event[:6], owners.get(event[6]), owners.get(event[7])) for event in found]


def phases_of(file):
    """A trace without phases has no table of them."""
    if not rows(file, "SELECT 1 FROM sqlite_schema WHERE name = 'headroom_phases'"):
        return []
    return rows(file, "SELECT name, step, start, end FROM headroom_phases ORDER BY rowid")


def with_last_owners(events):
    """Without changes of owner; an allocation has its block's last one, a free none."""
    live, kept = {}, []
    for event in events:
        action, address, owner = event[1], event[2], event[6]
        if action == "relabelled":  # a snapshot has no such entries
            kept[live[address]] = (*kept[live[address]][:6], owner)
            continue
        if action == "alloc":
            live[address] = len(kept)
        kept.append((*event[:6], owner if action == "alloc" else None))
    return kept


def require_equal(found, expected, what):
    require(len(found) == len(expected), what, f"{len(found)} events instead of {len(expected)}")
    for place, (ours, theirs) in enumerate(zip(found, expected)):
        require(ours == theirs, what, f"event {place}: {ours} instead of {theirs}")


def peaks_of(headroom, trial, workspace):
    peak = headroom.json("trace", "show", trial, workspace)
    reserved = peak["reserved_peak"]
    return peak["peak"]["total_bytes"], None if reserved is None else reserved["total_bytes"]


def check_sqlite(headroom, original, events):
    file = headroom.export(*headroom.imported(original), "nsys", "again.sqlite")
    require_equal(events_of(file), events, "SQLite")
    require(phases_of(file) == phases_of(original), "SQLite: phases differ")


def check_snapshot(headroom, file, events):
    found = headroom.export(*headroom.imported(file), "nsys", f"{file.name}.sqlite")
    require_equal(with_last_owners(events_of(found)), with_last_owners(events), file.suffix)


def check_trial(headroom, trial, workspace, viewer):
    original = headroom.export(trial, workspace, "nsys", "original.sqlite")
    events = events_of(original)
    require(events, "no events")
    check_sqlite(headroom, original, events)
    pickled = headroom.export(trial, workspace, "pytorch-snapshot", "snapshot.pickle")
    check_snapshot(headroom, pickled, events)
    snapshot = memory_viz.load(pickled)
    text = headroom.folder / "snapshot.json"
    text.write_text(json.dumps(snapshot))
    check_snapshot(headroom, text, events)
    chrome = headroom.export(trial, workspace, "chrome", "trace.json")
    expected = peaks_of(headroom, trial, workspace)
    require(peaks_of(headroom, *headroom.imported(chrome)) == expected, "Chrome: peaks differ from", expected)
    if viewer:
        memory_viz.check(viewer, pickled, snapshot)
    return len(events)


def trials_of(headroom, preset):
    count = next(p["trials"] for p in headroom.json("presets")["presets"] if p["name"] == preset)
    workspace = f"{preset}.db"
    results = headroom.json(
        "run", preset, "--device", DEVICE, "--trace", "--workspace", workspace, "--shard", f"1/{count}"
    )
    return [trial["trial_id"] for trial in results["trials"]], workspace


def main(program, worker, presets):
    os.environ["HEADROOM_WORKER"] = worker
    viewer = memory_viz.find()
    print("torch.cuda._memory_viz: " + (viewer.__file__ if viewer else "left out, no PyTorch is installed"))
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        headroom = Headroom(os.path.abspath(program), Path(name))
        for preset in presets or [p["name"] for p in headroom.json("presets")["presets"]]:
            trials, workspace = trials_of(headroom, preset)
            for trial in trials:
                try:
                    print(f"{preset} {trial[:8]}: {check_trial(headroom, trial, workspace, viewer)} events", flush=True)
                except (Differs, memory_viz.Refused) as problem:
                    failed += 1
                    print(f"{preset} {trial[:8]}: {problem}", flush=True)
                for file in Path(name).glob("*"):
                    if file.name != workspace:
                        file.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))

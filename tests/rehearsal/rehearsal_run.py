# SPDX-License-Identifier: Apache-2.0
"""Starts a command as a rehearsal's supervisor does, on a small card of the tests, and reads what the agent wrote."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SITE = CHECKOUT / "resources" / "rehearsal" / "site"
GIB = 1 << 30

CARD = {
    "name": "Card of the tests", "count": 1, "capabilityMajor": 9, "capabilityMinor": 0, "totalBytes": 24 * GIB,
    "contextBytes": 512 << 20, "hostBytes": 0, "multiprocessors": 132, "threadsPerMultiprocessor": 2048,
    "blocksPerMultiprocessor": 32, "warpSize": 32, "sharedBytesPerBlock": 49152, "sharedBytesPerBlockOptIn": 232448,
    "sharedBytesPerMultiprocessor": 233472, "registersPerBlock": 65536, "registersPerMultiprocessor": 65536,
    "l2Bytes": 52428800, "memoryBusBits": 5120, "clockKilohertz": 1980000, "memoryClockKilohertz": 2619000,
    "ascendingSegments": 0, "kernelSeconds": 2e-6, "bytesPerSecond": 2.8e12, "hostLinkBytesPerSecond": 64e9,
}


class Rehearsal:
    """One command, its end and its records. A context manager: the folder goes with it."""

    def __init__(self, command, steps=3, preloads=None, preloaded="cuda13", card=None, python_path=(), site=SITE,
                 given=None, own_preload=None, **variables):
        self.folder = Path(tempfile.mkdtemp(prefix="rehearsal-"))
        (self.folder / "records").mkdir()
        environment = {**os.environ, "HEADROOM_REHEARSAL": str(self.folder), "HEADROOM_REHEARSAL_STEPS": str(steps),
                       "PYTHONPATH": os.pathsep.join([str(site), *map(str, python_path)])}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if preloads is not None:
            environment.update(self._card(Path(preloads), preloaded, {**CARD, **(card or {})}))
        if own_preload is not None:
            environment["LD_PRELOAD"] += ":" + own_preload
        environment.update(variables)
        self.done = subprocess.run(command, env=environment, input=given, capture_output=True, text=True, timeout=300,
                                   check=False)

    def _card(self, built, preloaded, card):
        links = self.folder / "preloads"
        for version in ("cuda12", "cuda13"):
            (links / version).mkdir(parents=True)
            for library in (built / version).glob("*.so*"):
                (links / version / library.name).symlink_to(library)
        (self.folder / "card").write_text("".join(f"{key} {value}\n" for key, value in card.items()))
        first = sorted(str(library) for library in (links / preloaded).iterdir())
        return {"HEADROOM_CARD": str(self.folder / "card"), "HEADROOM_CARD_PRELOADS": str(links),
                "HEADROOM_CARD_ACCOUNT": str(self.folder / "account"),
                "HEADROOM_CARD_LEDGER": str(self.folder / "ledger"), "LD_PRELOAD": ":".join(first)}

    @property
    def files(self):
        return sorted((self.folder / "records").iterdir())

    @property
    def records(self):
        return [json.loads(line) for path in self.files for line in path.read_text().splitlines()]

    def of(self, kind):
        return [record for record in self.records if record["record"] == kind]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


def main(arguments):
    """python3 rehearsal_run.py LIBRARIES STEPS COMMAND...: by hand, prints the records."""
    with Rehearsal(arguments[2:], steps=int(arguments[1]), preloads=arguments[0]) as run:
        sys.stderr.write(run.done.stdout + run.done.stderr)
        for record in run.records:
            print(json.dumps(record)[:400])
        print("exit code", run.done.returncode, [path.name for path in run.folder.glob("snapshots/*")])


if __name__ == "__main__":
    main(sys.argv[1:])

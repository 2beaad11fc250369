# SPDX-License-Identifier: Apache-2.0
"""Runs a simulated full-size LTX step, exports its trace in every format and checks each file.

Usage: check_exports.py HEADROOM WORKER
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = (
    "run --model ltx-video-2b --set workload.step=forward_backward --checkpointing none --device sim:h100-80gb "
    "--trace --format json"
)
FORMATS = {
    "pytorch-snapshot": "check_snapshot.py",
    "chrome": "check_chrome.py",
    "nsys": "check_nsys.py",
}


def checked_output(command, **options):
    ended = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def exported(program, folder, trial, name):
    """What the checker of a format says of a trial's export."""
    file = os.path.join(folder, name)
    checked_output([program, "trace", "export", trial, "--as", name, "-o", file], cwd=folder)
    print(f"{name}: {os.path.getsize(file)} bytes")
    printed = checked_output([sys.executable, os.path.join(HERE, FORMATS[name]), file])
    return json.loads(printed.splitlines()[-1])


def main(program, worker):
    os.environ["HEADROOM_WORKER"] = worker
    with tempfile.TemporaryDirectory() as folder:
        (trial,) = json.loads(checked_output([program, *RUN.split()], cwd=folder))["trials"]
        peak = trial["memory"]["whole_run_peak"] or trial["memory"]["peak"]
        found = {name: exported(program, folder, trial["trial_id"], name) for name in FORMATS}
    peaks = {
        "pytorch-snapshot, allocated": (found["pytorch-snapshot"]["peaks"][0], peak["allocated_bytes"]),
        "chrome, allocated": (found["chrome"]["peaks"]["allocated"], peak["allocated_bytes"]),
        "chrome, reserved": (found["chrome"]["peaks"]["reserved"], peak["reserved_bytes"]),
        "nsys, device memory": (found["nsys"]["peak"], peak["reserved_bytes"]),
    }
    for what, (exported_peak, recorded_peak) in peaks.items():
        print(f"{what}: {exported_peak}, recorded {recorded_peak}")
    return 0 if all(ours == theirs for ours, theirs in peaks.values()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

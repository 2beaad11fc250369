# SPDX-License-Identifier: Apache-2.0
"""The rooms of Headroom and what each may include: the table of docs/architecture.md in a form that can be checked."""

CORE = ["core/config", "core/protocol", "core/tensor", "core/models", "core/techniques", "core/training"]
PROFILING = ["profiling/trace", "profiling/simulator", "profiling/store", "profiling/interchange"]

# Room -> rooms that it may include; through them it may include theirs.
MAY_INCLUDE = {
    "core/config": [],
    "core/protocol": ["core/config"],
    "core/tensor": ["core/config"],
    "core/models": ["core/tensor"],
    "core/techniques": ["core/models"],
    "core/training": ["core/techniques"],
    "profiling/trace": ["core/config"],
    "profiling/simulator": ["profiling/trace"],
    "profiling/store": ["profiling/trace"],
    "profiling/interchange": ["profiling/trace", "profiling/store"],
    "profiling/collectors": CORE + PROFILING,
    "experiments": ["core/config", "core/protocol", "profiling/trace", "profiling/store", "profiling/simulator"],
    "experiments/figures": ["profiling/trace"],
    "experiments/report": ["experiments", "experiments/figures"],
    "ui/jobs": ["core/config"],
    "ui/look": ["core/config", "experiments/figures"],
    "ui/session": ["experiments/report"],
    "ui/plot": ["ui/jobs", "ui/look", "ui/session", "profiling/store"],
    "ui/timeline": ["ui/plot"],
    "ui/experiment": ["ui/jobs", "ui/look", "experiments"],
    "ui/answer": ["ui/jobs", "ui/look", "experiments"],
    "ui/queue": ["ui/jobs", "ui/look", "experiments"],
    "ui/results": ["ui/jobs", "ui/look", "ui/session", "profiling/store"],
    "ui/window": ["ui/timeline", "ui/experiment", "ui/answer", "ui/queue", "ui/results"],
}
UI_ROOMS = [room for room in MAY_INCLUDE if room.startswith("ui/")]

# These contain LibTorch. What starts in milliseconds must not reach them, whichever way.
TORCH_ROOMS = ["core/tensor", "core/models", "core/techniques", "core/training", "profiling/collectors"]
TORCH_FREE_PROGRAMS = ["app/cli", "app/desktop"]

MAY_INCLUDE["app/cli"] = [room for room in MAY_INCLUDE if room not in TORCH_ROOMS + UI_ROOMS]
MAY_INCLUDE["app/desktop"] = MAY_INCLUDE["app/cli"] + UI_ROOMS
MAY_INCLUDE["app/worker"] = CORE + PROFILING + ["profiling/collectors"]

# Programs have names of their own; every other target is its room with dashes.
PROGRAMS = {"app/cli": "headroom", "app/worker": "headroom-worker", "app/desktop": "headroom-desktop"}

# Headers of others that only some files may include: (header pattern, file patterns that may).
CONFINED_HEADERS = [
    # Found before the general rule for torch: what the precompiled header has no reason to carry.
    (r"torch/version\.h", [r"core/tensor/.+"]),
    (r"c10/core/CPUAllocator\.h", [r"core/tensor/.+"]),
    (r"torch/csrc/autograd/functions/accumulate_grad\.h", [r"core/tensor/.+"]),
    (r"ATen/autocast_mode\.h", [r"core/tensor/.+", r"tests/core/tensor/.+"]),
    (r"ATen/core/CachingHostAllocator\.h", [r"profiling/collectors/.+"]),
    (r"c10/cuda/.+", [r"profiling/collectors/.+"]),
    (r"(torch|ATen|c10|caffe2)/.+", [r"core/tensor/Torch\.h"]),
    (r"(cuda|cupti|nvml|nvToolsExt|nvtx3/|generated_cuda).*", [r"profiling/collectors/.+"]),
    # Other dialogs for files read the files that they list, which takes SQLite's locks away from an open workspace.
    (r"QFileDialog", [r"ui/look/FileDialog\.h"]),
    (r"Q[A-Z]\w*(/.+)?|Qt\w+/.+|q[a-z]+\.h|qcustomplot\.h", [r"ui/.+", r"app/desktop/.+"]),
    (r"(sqlite3|SQLiteCpp/.+)\.h", [r"profiling/(store|interchange)/.+"]),
]

BANNED_WORDS = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
MAX_LINES = 400


def reachable(start, edges):
    """Everything that can be reached from start, itself not counted unless on a cycle."""
    found, waiting = set(), list(edges.get(start, []))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(edges.get(node, []))
    return found


def room_of(path):
    """The room that a repository path belongs to: the longest one that holds it, or None."""
    holding = [room for room in MAY_INCLUDE if path.startswith(room + "/")]
    return max(holding, key=len, default=None)

# SPDX-License-Identifier: Apache-2.0
"""The rooms of Headroom and what each may include: the table of docs/architecture.md in a form that can be checked."""

# Room -> rooms that it may include; through them it may include theirs. A room is a folder with sources. What a folder itself
# holds, its sub-folders stand on; a program's folder holds main() and stands on them.
MAY_INCLUDE = {
    "core/base": [],
    "core/archive": ["core/base"],
    "core/confinement": ["core/base"],
    "core/planning": ["core/base"],
    "core/toml": ["core/base"],
    "core/config": ["core/base"],
    "core/config/models": ["core/config"],
    "core/config/techniques": ["core/config"],
    "core/config/imported": ["core/archive", "core/config/models"],
    "core/config/catalogue": ["core/config/imported", "core/config/techniques"],
    "core/protocol": ["core/config/catalogue"],
    "core/tensor": ["core/config"],
    "core/memory": ["core/tensor"],
    "core/autocast": ["core/memory"],
    "core/recompute": ["core/autocast"],
    "core/weights": ["core/memory"],
    "core/models/layers": ["core/autocast", "core/config/models"],
    "core/models": ["core/models/layers"],
    "core/models/blocks": ["core/models"],
    "core/models/imported": ["core/archive", "core/models", "core/weights", "core/config/catalogue"],
    "core/models/families": ["core/models/blocks", "core/models/imported"],
    "core/techniques": ["core/models", "core/recompute", "core/config/catalogue"],
    "core/techniques/casting": ["core/techniques"],
    "core/techniques/checkpointing": ["core/techniques"],
    "core/techniques/ema": ["core/techniques"],
    "core/techniques/offload": ["core/techniques"],
    "core/techniques/optimizer": ["core/techniques"],
    "core/techniques/split_ffn": ["core/techniques"],
    "core/techniques/stack": [
        "core/techniques/casting", "core/techniques/checkpointing", "core/techniques/ema", "core/techniques/offload",
        "core/techniques/optimizer", "core/techniques/split_ffn", "core/models/families",
    ],
    "core/training": ["core/techniques/stack"],
    "profiling/trace": ["core/config"],
    "profiling/trace/pyramids": ["profiling/trace"],
    "profiling/trace/peaks": ["profiling/trace/pyramids"],
    "profiling/simulator": ["profiling/trace"],
    "profiling/simulator/profiles": ["profiling/simulator", "core/config/catalogue", "core/toml"],
    "profiling/simulator/rules": ["profiling/simulator/profiles"],
    "profiling/simulator/devices": ["profiling/simulator/profiles"],
    "profiling/rehearsal": ["profiling/simulator"],
    "profiling/rehearsal/memory": ["profiling/rehearsal"],
    "profiling/rehearsal/streams": ["profiling/rehearsal/memory"],
    "profiling/rehearsal/kernels": ["profiling/rehearsal/memory"],
    "profiling/rehearsal/api": ["profiling/rehearsal/memory"],
    "profiling/rehearsal/api/blas": ["profiling/rehearsal/api"],
    "profiling/rehearsal/api/dnn": ["profiling/rehearsal/api"],
    "profiling/rehearsal/api/solvers": ["profiling/rehearsal/api"],
    "profiling/rehearsal/api/profiler": ["profiling/rehearsal/api"],
    "profiling/rehearsal/runtime": ["profiling/rehearsal/streams", "profiling/rehearsal/kernels"],
    "profiling/store": ["profiling/trace"],
    "profiling/store/traces": ["profiling/store", "profiling/trace/peaks"],
    "profiling/store/workspace": ["profiling/store/traces"],
    "profiling/interchange": ["profiling/store/workspace"],
    "profiling/recordings/values": ["core/base"],
    "profiling/recordings": ["profiling/recordings/values", "profiling/simulator"],
    "profiling/kernels": ["core/models/layers", "profiling/simulator/rules"],
    "profiling/measurement": ["core/protocol", "core/training", "profiling/kernels", "profiling/trace/peaks"],
    "profiling/collectors": ["profiling/measurement", "profiling/simulator/devices"],
    "profiling/collectors/simulated": ["profiling/collectors"],
    "profiling/collectors/budget": ["core/planning", "profiling/collectors/simulated"],
    "profiling/collectors/cupti": ["profiling/collectors"],
    "profiling/collectors/nvml": ["profiling/collectors"],
    "profiling/collectors/cuda": ["profiling/collectors/cupti", "profiling/collectors/nvml"],
    "profiling/collectors/calibration": ["profiling/collectors/cuda", "profiling/collectors/simulated"],
    "experiments/figures": ["core/config"],
    "experiments/figures/layout": ["experiments/figures"],
    "experiments/figures/drawing": ["experiments/figures/layout"],
    "experiments/figures/svg": ["experiments/figures/drawing"],
    "experiments/figures/tradeoff": ["experiments/figures"],
    "experiments/figures/effects": ["experiments/figures"],
    "experiments/figures/memory": ["experiments/figures", "profiling/trace/peaks"],
    "experiments/spec": ["core/protocol", "core/toml", "profiling/store"],
    "experiments/sweep": ["experiments/spec", "profiling/simulator"],
    "experiments/results": ["experiments/sweep"],
    "experiments/verdict": ["experiments/results", "profiling/simulator/devices", "profiling/trace/peaks"],
    "experiments/archive": ["experiments/verdict", "profiling/store/workspace"],
    "experiments/recordings": ["experiments/archive", "profiling/recordings"],
    "experiments/comparison": ["experiments/recordings", "experiments/report/reading"],
    "experiments/run": ["experiments/archive", "profiling/rehearsal"],
    "experiments/plan": ["core/planning", "experiments/run"],
    "experiments/plan/explanation": ["experiments/plan"],
    "experiments/plan/fill": ["experiments/plan"],
    "experiments/cost": ["experiments/plan", "core/toml"],
    "experiments/handoff": ["experiments/sweep"],
    "experiments/validation": ["experiments/run"],
    "experiments/rehearsal": ["experiments/comparison", "experiments/run", "experiments/rehearsal/isolation"],
    "experiments/rehearsal/ghost": ["core/protocol", "core/toml"],
    "experiments/rehearsal/isolation": ["core/confinement", "experiments/run"],
    "experiments/report": ["experiments/archive", "experiments/figures/memory", "experiments/figures/tradeoff"],
    "experiments/report/reading": ["experiments/report"],
    "experiments/report/effects": ["experiments/report", "experiments/figures/effects"],
    "experiments/report/document": ["experiments/report/effects"],
    "experiments/report/html": ["experiments/report/document", "experiments/figures/svg"],
    "experiments/report/formats": ["experiments/report/html"],
    "ui/docks": [],
    "ui/compare": ["ui/timeline", "experiments/verdict"],
    "ui/comparing": ["ui/compare", "ui/results", "ui/runs"],
    "ui/jobs": [],
    "ui/look": ["experiments/figures"],
    "ui/session": ["experiments/report"],
    "ui/figures": ["ui/look", "experiments/figures/svg", "profiling/store"],
    "ui/series": ["ui/figures"],
    "ui/plot": ["ui/jobs", "ui/series", "ui/session"],
    "ui/pictures": ["ui/plot", "experiments/report/formats"],
    "ui/timeline": ["ui/plot", "experiments/report/reading"],
    "ui/segments": ["ui/timeline"],
    "ui/spec": ["ui/jobs", "experiments/sweep", "profiling/simulator/profiles"],
    "ui/experiment": ["ui/look", "ui/spec"],
    "ui/answer": ["ui/jobs", "ui/look", "experiments/plan"],
    "ui/effects": ["ui/plot", "experiments/report/effects"],
    "ui/plan": ["ui/answer", "ui/plot", "experiments/cost", "experiments/handoff", "experiments/plan/explanation", "experiments/plan/fill"],
    "ui/rehearse": ["ui/answer"],
    "ui/start": ["ui/answer", "ui/rehearse"],
    "ui/runs": ["ui/jobs", "experiments/run"],
    "ui/queue": ["ui/look", "ui/runs"],
    "ui/results": ["ui/jobs", "ui/look", "ui/session", "experiments/report/reading", "experiments/report/formats"],
    "ui/recordings": ["ui/results", "experiments/recordings"],
    "ui/printing": ["ui/figures", "ui/jobs", "ui/session", "experiments/report/reading", "experiments/report/formats"],
    "ui/window": ["ui/answer", "ui/compare", "ui/comparing", "ui/docks", "ui/effects", "ui/experiment", "ui/pictures", "ui/plan", "ui/printing", "ui/queue",
                  "ui/recordings", "ui/rehearse", "ui/results", "ui/segments", "ui/start", "ui/timeline"],
    "app/cli/output": ["experiments/figures", "experiments/results"],
    "app/cli/run": ["app/cli/output", "experiments/cost"],
    "app/cli/commands": ["app/cli/run", "experiments/handoff", "experiments/rehearsal/ghost", "experiments/report/reading", "experiments/report/formats", "experiments/validation"],
    "app/cli/trace": ["app/cli/commands", "experiments/comparison", "profiling/interchange"],
    "app/cli/plan": ["app/cli/commands", "experiments/handoff", "experiments/plan/fill"],
    "app/cli/rehearse": ["app/cli/commands", "experiments/plan/fill", "experiments/rehearsal"],
    "app/cli": ["app/cli/plan", "app/cli/rehearse", "app/cli/trace"],
    "app/desktop": ["ui/window"],
    "app/worker": ["core/confinement", "profiling/collectors/budget", "profiling/collectors/calibration", "profiling/store/traces"],
}

# These contain LibTorch. What starts in milliseconds must not reach them, whichever way.
TORCH_FOLDERS = ["core/tensor", "core/memory", "core/autocast", "core/recompute", "core/weights", "core/models", "core/techniques",
                 "core/training", "profiling/kernels", "profiling/measurement", "profiling/collectors"]
TORCH_FREE_PROGRAMS = ["app/cli", "app/desktop"]

# Programs have names of their own; every other target is its folder with dashes. Sub-folders without a list of sources are
# part of the library of the folder above.
PROGRAMS = {"app/cli": "headroom", "app/worker": "headroom-worker", "app/desktop": "headroom-desktop"}

# What tests share. Room -> rooms that it may include; through them it may include theirs. The half without LibTorch must not
# reach it: its users start in milliseconds.
TEST_SUPPORT = {
    "tests/support": ["core/config/catalogue"],
    "tests/support/torch": ["tests/support", "core/training"],
}

# Headers of others that only some files may include: (header pattern, file patterns that may).
CONFINED_HEADERS = [
    # Found before the general rule for torch: what the precompiled header has no reason to carry.
    (r"torch/version\.h", [r"core/tensor/.+"]),
    (r"c10/core/CPUAllocator\.h", [r"core/memory/.+"]),
    (r"torch/csrc/autograd/functions/accumulate_grad\.h", [r"core/memory/.+"]),
    (r"ATen/autocast_mode\.h", [r"core/autocast/.+", r"tests/core/autocast/.+"]),
    (r"ATen/core/CachingHostAllocator\.h", [r"profiling/collectors/.+"]),
    (r"c10/cuda/.+", [r"profiling/collectors/.+"]),
    (r"(torch|ATen|c10|caffe2)/.+", [r"core/tensor/Torch\.h"]),
    (r"(cuda|cupti|nvml|nvToolsExt|nvtx3/|generated_cuda|driver_types).*", [r"profiling/collectors/.+", r"profiling/rehearsal/.+", r"tests/profiling/rehearsal/.+"]),
    # What a file says is shown, not run: one place starts programs.
    (r"boost/process/.+", [r"experiments/run/WorkerProcess\.cpp"]),
    (r"QProcess|QDesktopServices", []),
    # Other dialogs for files read the files that they list, which takes SQLite's locks away from an open workspace.
    (r"QFileDialog", [r"ui/look/FileDialog\.h"]),
    (r"Q[A-Z]\w*(/.+)?|Qt\w+/.+|q[a-z]+\.h|qcustomplot\.h", [r"ui/.+", r"app/desktop/.+"]),
    (r"toml\+\+/.+", [r"core/toml/.+"]),
    (r"(sqlite3|SQLiteCpp/.+)\.h", [r"profiling/(store|interchange|recordings)/.+"]),
]

# What people are told of quantities: each of these texts is written by one function, declared in one of these headers.
QUANTITY_HEADERS = ["core/base/Numbers.h", "core/base/Quantities.h"]
# Names that such a text had where it was written once more.
FORMER_QUANTITY_TEXTS = ["percent", "rate", "rateText", "roughDuration", "shortAmount"]
# Texts whose home is where their subject is.
SINGLE_TEXTS = ["mostlyText", "outcomeCounts"]
# What starts programs, beside the headers that are confined above, and where it may: what a user asks for is run there.
STARTING_CALLS = r"(?<![\w.>])(?:std::|::)?(system|popen|fork|vfork|posix_spawnp?|exec[lv]p?e?)\("
STARTING_ROOMS = ["experiments/rehearsal/isolation"]
# People read speeds in one unit: steps/s.
BANNED_TEXTS = [r"\bit/s\b", r"\bs/it\b"]

BANNED_WORDS = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
MAX_LINES = 400
MAX_FILES = 40


def reachable(start, edges):
    """Everything that can be reached from start, itself not counted unless on a cycle."""
    found, waiting = set(), list(edges.get(start, []))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(edges.get(node, []))
    return found


def folder_of(path):
    """The folder that a repository path lies in."""
    return path.rpartition("/")[0]


def room_of(path):
    """The room that a repository path belongs to: its folder, or None where that is no room."""
    folder = folder_of(path)
    return folder if folder in MAY_INCLUDE else None


def is_within(room, folders):
    """Whether a room is one of these folders or lies in one."""
    return any(room == folder or room.startswith(folder + "/") for folder in folders)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `headroom ghost` writes with what transformers and diffusers themselves write and load.

    python tests/ghost/compare_ghosts.py build/release/bin/headroom [--weights small|published|both] [NAME...]

For each small model of small_models.py the library builds it and saves it; the ghost of its configuration has to have the
same tensors, shapes and types in the same files, and the library has to load it with no key missing, unexpected or of
another shape. For each published model the library builds it on the meta device and counts its parameters, and loads the
ghost there in the same way.

No part of CI: it needs torch, transformers (tried: 4.57, 5.24), diffusers (0.35, 0.42) and safetensors in this Python.
Without names every model is compared. The last line says how many passed.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left behind in the checkout

import torch

from published_models import PUBLISHED
from small_models import SMALL

SHARD = 60_000  # bytes: small models have a few files, too


def header(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        return {name: (entry["dtype"], tuple(entry["shape"])) for name, entry in json.loads(file.read(size)).items() if name != "__metadata__"}


def files_of(folder):
    return {path.name: header(path) for path in sorted(folder.glob("*.safetensors"))}


def tensors_of(files):
    return {name: entry for tensors in files.values() for name, entry in tensors.items()}


def make_ghost(headroom, source, folder, *options):
    command = [headroom, "ghost", str(source), "-o", str(folder), "--format", "json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def class_of(name, library):
    module = __import__(library)
    return getattr(module, name)


def load(cls, folder, library):
    options = {"output_loading_info": True}
    if library == "transformers":
        options["dtype" if int(__import__(library).__version__.split(".")[0]) >= 5 else "torch_dtype"] = "auto"
    _, info = cls.from_pretrained(folder, **options)
    return [f"{kind}: {sorted(map(str, info[kind]))[:4]}" for kind in ("missing_keys", "unexpected_keys", "mismatched_keys") if info[kind]]


def named(names):
    return f"{len(names)} ({', '.join(sorted(names)[:4])})"


def differences(real, ghost):
    """Sentences on how two checkpoints' files differ."""
    theirs, ours = tensors_of(real), tensors_of(ghost)
    if theirs.keys() - ours.keys():
        yield f"lacking: {named(theirs.keys() - ours.keys())}"
    if ours.keys() - theirs.keys():
        yield f"too many: {named(ours.keys() - theirs.keys())}"
    for name in sorted(theirs.keys() & ours.keys()):
        if theirs[name] != ours[name]:
            yield f"{name} is {theirs[name]}, the ghost's {ours[name]}"
    if theirs == ours and {f: set(t) for f, t in real.items()} != {f: set(t) for f, t in ghost.items()}:
        yield f"other files: {[len(t) for t in real.values()]} and {[len(t) for t in ghost.values()]} tensors"


def compare_small(headroom, name, case, folder):
    cls = class_of(case["class"], case["library"])
    model = cls._from_config(cls.config_class(**case["config"])) if case["library"] == "transformers" else cls(**case["config"])
    model.to(torch.bfloat16 if case["library"] == "transformers" else torch.float32)
    if case["library"] == "transformers":
        model.config.dtype = torch.bfloat16
    model.save_pretrained(folder / "real", max_shard_size=SHARD)
    make_ghost(headroom, folder / "real" / "config.json", folder / "ghost", "--shards", str(SHARD))
    yield from differences(files_of(folder / "real"), files_of(folder / "ghost"))
    yield from load(cls, folder / "ghost", case["library"])
    yield from tokenizer_problems(folder / "ghost", model)


def tokenizer_problems(folder, model):
    if not (folder / "tokenizer.json").exists():
        return
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    size = getattr(model.config, "vocab_size", None)
    if size is not None and len(tokenizer) != size:
        yield f"the tokenizer has {len(tokenizer)} tokens, the model {size}"
    for role in ("bos", "eos", "pad"):
        said = getattr(model.config, f"{role}_token_id", None)
        first = said[0] if isinstance(said, list) and said else said
        if isinstance(first, int) and 0 <= first < (size or 0) and getattr(tokenizer, f"{role}_token_id") != first:
            yield f"{role} is {getattr(tokenizer, f'{role}_token_id')}, not {first}"


def compare_published(headroom, name, case, folder):
    cls = class_of(case["class"], case["library"])
    (folder / "config.json").write_text(json.dumps(case["config"]))
    answer = make_ghost(headroom, folder / "config.json", folder / "ghost")
    with torch.device("meta"):
        if case["library"] == "transformers":
            config = cls.config_class.from_pretrained(folder)
            model = cls._from_config(config)
        else:
            model = cls.from_config(case["config"])
    expected = sum(parameter.numel() for parameter in model.parameters())  # a tied weight is one
    if answer["parameters"] != expected:
        yield f"{answer['parameters']:,} parameters, not {expected:,}"
    if case.get("published_parameters", answer["parameters"]) != answer["parameters"]:
        yield f"{answer['parameters']:,} parameters, published are {case['published_parameters']:,}"
    if answer["disk_bytes"] > 32 << 20:
        yield f"takes {answer['disk_bytes']:,} bytes"
    if case["library"] == "transformers":
        with torch.device("meta"):
            yield from load(cls, folder / "ghost", case["library"])


def compare(kind, function, cases, wanted, headroom):
    passed = compared = 0
    for name, case in cases.items():
        if wanted and name not in wanted:
            continue
        try:
            class_of(case["class"], case["library"])
        except AttributeError:
            print(f"{kind} {name}: this version of {case['library']} has no {case['class']}")
            continue
        compared += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                problems = list(function(headroom, name, case, Path(folder)))
            except Exception as error:  # each model is judged by itself
                problems = [f"{type(error).__name__}: {error}"[:600]]
                if wanted:
                    traceback.print_exc()
        passed += not problems
        print(f"{kind} {name}: {'; '.join(problems) if problems else 'ok'}", flush=True)
    return passed, compared


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("headroom")
    parser.add_argument("--weights", choices=["small", "published", "both"], default="both")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    import transformers

    transformers.logging.set_verbosity_error()
    headroom = shutil.which(arguments.headroom) or arguments.headroom
    passed = compared = 0
    for kind, function, cases in (("small", compare_small, SMALL), ("published", compare_published, PUBLISHED)):
        if arguments.weights in (kind, "both"):
            ok, all_of_them = compare(kind, function, cases, set(arguments.names), headroom)
            passed, compared = passed + ok, compared + all_of_them
    print(f"{passed} of {compared} passed")
    return passed != compared


if __name__ == "__main__":
    sys.exit(main())

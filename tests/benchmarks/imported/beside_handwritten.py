#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captured models beside Headroom's own of the same families: peaks of every technique.

    beside_handwritten.py capture FOLDER [NAME…] [--small]                writes FOLDER/NAME.pt2; needs torch, transformers, diffusers
    beside_handwritten.py table FOLDER [NAME…] [--small] [--program P]    simulates both and prints their peaks

Upstream's classes are built from the fields of the catalogue (`headroom models NAME`), with the inputs that Headroom makes, all sizes
fixed. An archive that is there already is not written again. --small: two to four narrow blocks each, in folders of their own, so
that weights do not dwarf what lives between operators.
"""
import argparse
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from full_size import boundless

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DEVICE = "sim:h100-80gb"
# Peaks of training may differ by half a percent, those of inference by one.
MOST = {"train": 0.5, "inference": 1.0}
LORA = ["--trainable", "lora:16", "--optimizer", "adamw"]
CASES = [
    ("train", []),
    ("train", ["--checkpointing", "all"]),
    ("train", ["--checkpointing", "every:2"]),
    ("train", ["--checkpointing", "ops"]),
    ("train", ["--checkpointing", "all+offload"]),
    ("train", ["--optimizer", "adamw"]),
    ("train", ["--optimizer", "adamw", "--checkpointing", "all", "--ema", "host"]),
    ("train", [*LORA]),
    ("train", [*LORA, "--checkpointing", "all"]),
    ("train", [*LORA, "--casting", "e4m3", "--checkpointing", "all"]),
    ("train", [*LORA, "--offload", "block:1"]),
    ("train", ["--split-ffn", "4:recompute"]),
    ("train", ["--split-ffn", "tokens:128"]),
    ("train", ["--attention", "math"]),
    ("train", ["--attention", "efficient"]),
    ("train", ["--ema", "device"]),
    ("train", ["--loss-readback", "every_step", "--input-transfer", "pinned"]),
    ("train", [*LORA, "--casting", "e5m2:block", "--checkpointing", "every:2"]),
    ("inference", []),
    ("inference", ["--casting", "e4m3"]),
    ("inference", ["--casting", "e4m3:group"]),
    ("inference", ["--casting", "e4m3:block"]),
    ("inference", ["--casting", "e4m3:model"]),
    ("inference", ["--offload", "block:1"]),
    ("inference", ["--offload", "block:1+stream"]),
    ("inference", ["--offload", "model"]),
    ("inference", ["--offload", "leaf"]),
    ("inference", ["--split-ffn", "4"]),
    ("inference", ["--attention", "math"]),
]
DIFFUSION = "to_q,to_k,to_v,to_out.0"
LANGUAGE = "q_proj,k_proj,v_proj,o_proj"


def ltx_inputs(torch, fields, sizes):
    frames, rows, columns = (sizes["frames"] - 1) // 8 + 1, sizes["height"] // 32, sizes["width"] // 32
    batch, text = sizes["batch"], sizes["text_tokens"]
    return {"hidden_states": halves(torch, batch, frames * rows * columns, fields["in_channels"]),
        "encoder_hidden_states": halves(torch, batch, text, fields["caption_channels"]),
        "timestep": torch.zeros(batch, dtype=torch.long),
        "encoder_attention_mask": torch.ones(batch, text, dtype=torch.bool), "num_frames": frames, "height": rows, "width": columns}


def flux_inputs(torch, fields, sizes):
    tokens, batch, text = sizes["height"] // 16 * (sizes["width"] // 16), sizes["batch"], sizes["text_tokens"]
    return {"hidden_states": halves(torch, batch, tokens, fields["in_channels"]),
        "encoder_hidden_states": halves(torch, batch, text, fields["joint_attention_dim"]),
        "pooled_projections": halves(torch, batch, fields["pooled_projection_dim"]), "timestep": halves(torch, batch),
        "img_ids": torch.zeros(tokens, 3), "txt_ids": torch.zeros(text, 3), "guidance": torch.zeros(batch)}


def wan_inputs(torch, fields, sizes):
    frames, batch = (sizes["frames"] - 1) // 4 + 1, sizes["batch"]
    return {"hidden_states": halves(torch, batch, fields["in_channels"], frames, sizes["height"] // 8, sizes["width"] // 8),
        "timestep": torch.zeros(batch, dtype=torch.long),
        "encoder_hidden_states": halves(torch, batch, sizes["text_tokens"], fields["text_dim"])}


def cogvideox_inputs(torch, fields, sizes):
    frames, rows, columns = (sizes["frames"] - 1) // 4 + 1, sizes["height"] // 8, sizes["width"] // 8
    batch = sizes["batch"]
    inputs = {"hidden_states": halves(torch, batch, frames, fields["in_channels"], rows, columns),
        "encoder_hidden_states": halves(torch, batch, sizes["text_tokens"], fields["text_embed_dim"]),
        "timestep": torch.zeros(batch, dtype=torch.long)}
    if fields["use_rotary_positional_embeddings"]:
        tokens = frames * (rows // fields["patch_size"]) * (columns // fields["patch_size"])
        inputs["image_rotary_emb"] = tuple(torch.zeros(tokens, fields["attention_head_dim"]) for _ in range(2))
    return inputs


def token_inputs(torch, _, sizes):
    return {"input_ids": torch.zeros(sizes["batch"], sizes["sequence_length"], dtype=torch.long)}


def halves(torch, *sizes):
    return torch.zeros(*sizes, dtype=torch.bfloat16)


# Of each model: its package and class, its inputs, and the Linears that get adapters on both sides.
MODELS = {
    "ltx-video-2b": ("diffusers", "LTXVideoTransformer3DModel", ltx_inputs, DIFFUSION),
    "flux-dev": ("diffusers", "FluxTransformer2DModel", flux_inputs, DIFFUSION),
    "wan-2.1-1.3b": ("diffusers", "WanTransformer3DModel", wan_inputs, DIFFUSION),
    "cogvideox-2b": ("diffusers", "CogVideoXTransformer3DModel", cogvideox_inputs, DIFFUSION),
    "cogvideox-5b": ("diffusers", "CogVideoXTransformer3DModel", cogvideox_inputs, DIFFUSION),
    "llama-3-8b": ("transformers", "LlamaForCausalLM", token_inputs, LANGUAGE),
    "t5-v1.1-xxl": ("transformers", "T5EncoderModel", token_inputs, "q,k,v,o"),
}
SIZES = {"llama-3-8b": {"sequence_length": 4096}}
SMALL = {
    "ltx-video-2b": {"num_layers": 3, "num_attention_heads": 8, "cross_attention_dim": 512, "caption_channels": 512},
    "flux-dev": {"num_layers": 2, "num_single_layers": 2, "num_attention_heads": 4, "joint_attention_dim": 512},
    "wan-2.1-1.3b": {"num_layers": 3, "num_attention_heads": 4, "ffn_dim": 1408, "text_dim": 512},
    "cogvideox-2b": {"num_layers": 3, "num_attention_heads": 8, "text_embed_dim": 512},
    "cogvideox-5b": {"num_layers": 3, "num_attention_heads": 8, "text_embed_dim": 512},
    "llama-3-8b": {"num_hidden_layers": 4, "hidden_size": 256, "intermediate_size": 688, "num_attention_heads": 8,
        "num_key_value_heads": 4, "vocab_size": 1024},
    "t5-v1.1-xxl": {"num_layers": 4, "d_model": 512, "d_ff": 1024, "num_heads": 8, "vocab_size": 1024},
}


def chosen(names):
    unknown = [name for name in names if name not in MODELS]
    if unknown:
        sys.exit(f"beside_handwritten.py: error: found {', '.join(unknown)}; valid is {', '.join(MODELS)}")
    return names or list(MODELS)


def catalogued(program, name, small):
    """Fields and sizes of a model of the catalogue; `small`: other values of fields."""
    told = json.loads(subprocess.run([program, "models", name, "--format", "json"], capture_output=True, text=True, check=True).stdout)
    model = (told.get("models") or [told])[0]
    values = lambda fields: {field["name"]: field["default"] for field in fields}
    return {**values(model["fields"]), **small.get(name, {})}, {**values(model["shapes"]), **SIZES.get(name, {})}


def upstream(torch, name, fields):
    import importlib

    package, class_name, _, _ = MODELS[name]
    model_class = getattr(importlib.import_module(package), class_name)
    with torch.device("meta"):
        if package == "transformers":
            config = model_class.config_class(**{key: value for key, value in fields.items() if value is not None and key != "weights"})
            config.use_cache = False
            return model_class._from_config(config, dtype=torch.bfloat16)
        accepted = inspect.signature(model_class.__init__).parameters
        return model_class(**{key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
            if key in accepted and value is not None})


def capture(folder, names, program, small):
    sys.path.insert(0, str(ROOT / "resources/capture"))
    import headroom_capture
    import torch

    for name in chosen(names):
        archive = folder / f"{name}.pt2"
        if archive.exists():
            continue
        fields, sizes = catalogued(program, name, small)
        model = upstream(torch, name, fields)
        if MODELS[name][0] == "diffusers":
            headroom_capture._cast(model, torch.bfloat16)
        with torch.device("meta"):
            inputs = MODELS[name][2](torch, fields, sizes)
        headroom_capture.capture(model.train(), (), inputs, archive, "fixed")
        print(f"{name}: {sum(parameter.numel() for parameter in model.parameters()):,} parameters", flush=True)


def peaks(program, arguments, resources):
    """Peak allocated and reserved, or what was wrong."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "run", "--device", DEVICE, "--dtype", "bfloat16", *arguments, "--workspace", folder + "/w.db",
            "--format", "json"], capture_output=True, text=True, env={**os.environ, "HEADROOM_RESOURCES": str(resources)})
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1].split("error: ", 1)[-1]
    trial = json.loads(done.stdout)["trials"][0]
    if trial["outcome"] != "completed":
        return f"{trial['outcome']}: {trial['reason']}"
    return trial["memory"]["peak"]["allocated_bytes"], trial["memory"]["peak"]["reserved_bytes"]


def described(techniques):
    pairs = zip(techniques[::2], techniques[1::2])
    return ", ".join(f"{flag[2:]} {value}" for flag, value in pairs) or "none"


def names_of_modules(name, techniques):
    options = []
    if "lora:16" in techniques:
        options += ["--set", f"trainable.target_modules={json.dumps(MODELS[name][3].split(','))}"]
    return options


def row(name, step, techniques, imported, own):
    begin = f"| {name} | {step}, {described(techniques)} | "
    if isinstance(imported, str) or isinstance(own, str):
        same = isinstance(imported, str) and isinstance(own, str)
        return begin + ("both refused: " if same else "") + f"{imported} | {own} | | |"
    allocated, reserved = (100 * (a / b - 1) for a, b in zip(imported, own))
    mark = "" if abs(allocated) <= MOST[step] else " (!)"
    return begin + f"{imported[0]:,} | {own[0]:,} | {allocated:+.3f} %{mark} | {reserved:+.2f} % |"


def table(folder, names, program, small):
    print("| model | step and techniques | captured: peak allocated | hand-written | difference | reserved |\n|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        large = boundless(pathlib.Path(place))
        for name in chosen(names):
            archive = folder / f"{name}.pt2"
            if not archive.exists():
                continue
            _, sizes = catalogued(program, name, small)
            of_model = [("workload", sizes), ("model", small.get(name, {}))]
            own_sizes = [word for kind, values in of_model for key in values for word in ("--set", f"{kind}.{key}={json.dumps(values[key])}")]
            for step, techniques in CASES:
                both = ["--step", step, *techniques, *names_of_modules(name, techniques), "--set", "workload.loss=mean", "--set", "workload.output=released"]
                imported = peaks(program, ["--model", archive, *both], large)
                own = peaks(program, ["--model", name, *own_sizes, *both], large)
                print(row(name, step, techniques, imported, own), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["capture", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--small", action="store_const", const=SMALL, default={})
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/headroom"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.what == "capture":
        capture(arguments.folder, arguments.names, arguments.program, arguments.small)
    else:
        table(arguments.folder, arguments.names, arguments.program, arguments.small)


if __name__ == "__main__":
    main()

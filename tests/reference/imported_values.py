#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Archives of torch.export for tests of imported models, and what Python computes with them.

    imported_values.py [NAME]            compares what it computes with the files in imported/ and says what differs
    imported_values.py --write [NAME]    writes imported/NAME.pt2 and imported/NAME.json

Needs torch, diffusers and transformers, and says so and ends well where one is missing: nothing of Headroom runs this.
Archives are those of resources/capture/headroom_capture.py, made small: parameters have no values, since those and the
floating-point inputs are those of the fill rule (ReferenceFill.h); source traces keep file and line of the innermost frame, and
of the innermost one outside of torch; entries are compressed. The loss is the mean of the squared first output.

Of each model: elements and norm of the output and of every gradient, buffers after one step of training, and bytes that autograd
holds when the forward ends, in storages that are no parameter, buffer, input or output.
"""

import json
import pathlib
import sys
import tempfile
import zipfile
import zlib

FOLDER = pathlib.Path(__file__).with_name("imported")
CAPTURE = pathlib.Path(__file__).parents[2] / "resources" / "capture"
sys.path[:0] = [str(FOLDER), str(CAPTURE), str(FOLDER.parent)]
SEED = 7
FIRST_INPUT_SEED = 9001
RELATIVE = 1e-5

try:
    import diffusers
    import torch
    import transformers
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

import headroom_capture
import imported_people as people
from torch._export.serde.serialize import serialize
from autocast_values import Saved, fill_parameters, filled


class Inputs:
    """Inputs by name, in the form in which the file tells them."""

    def __init__(self):
        self.seed = FIRST_INPUT_SEED
        self.told = {}

    def normal(self, name, *shape):
        self.told[name] = {"shape": list(shape), "dtype": "float32", "fill_seed": self.seed}
        self.seed += 1
        return filled(shape, self.seed - 1)

    def tokens(self, name, vocabulary, *shape):
        values = torch.arange(torch.Size(shape).numel()).reshape(shape) * 7 % vocabulary
        return self.values(name, values)

    def values(self, name, tensor):
        self.told[name] = {"shape": list(tensor.shape), "dtype": str(tensor.dtype)[6:], "values": tensor.flatten().tolist()}
        return tensor

    def number(self, name, value):
        self.told[name] = {"number": value}
        return value


# ---- models ---------------------------------------------------------------------------------------------------------


def ltx_video(inputs):
    model = diffusers.LTXVideoTransformer3DModel(in_channels=4, out_channels=4, num_attention_heads=2,
        attention_head_dim=8, num_layers=2, caption_channels=12, cross_attention_dim=16)
    return model, {"hidden_states": inputs.normal("hidden_states", 2, 24, 4),
        "encoder_hidden_states": inputs.normal("encoder_hidden_states", 2, 5, 12),
        "timestep": inputs.values("timestep", torch.tensor([500.0, 37.0])),
        "encoder_attention_mask": inputs.values("encoder_attention_mask", torch.ones(2, 5, dtype=torch.long)),
        "num_frames": inputs.number("num_frames", 2), "height": inputs.number("height", 3),
        "width": inputs.number("width", 4), "return_dict": False}


def flux(inputs, guided=True):
    model = diffusers.FluxTransformer2DModel(in_channels=4, num_layers=2, num_single_layers=2, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=12, pooled_projection_dim=10, guidance_embeds=guided, axes_dims_rope=(4, 4, 8))
    places = torch.cartesian_prod(torch.zeros(1), torch.arange(3.0), torch.arange(4.0))
    given = {"hidden_states": inputs.normal("hidden_states", 2, 12, 4),
        "encoder_hidden_states": inputs.normal("encoder_hidden_states", 2, 5, 12),
        "pooled_projections": inputs.normal("pooled_projections", 2, 10),
        "timestep": inputs.values("timestep", torch.tensor([0.5, 0.037])), "img_ids": inputs.values("img_ids", places),
        "txt_ids": inputs.values("txt_ids", torch.zeros(5, 3))}
    if guided:
        given["guidance"] = inputs.values("guidance", torch.tensor([3.5, 1.0]))
    return model, {**given, "return_dict": False}


# As FLUX.1-schnell: without guidance.
def flux_schnell(inputs):
    return flux(inputs, guided=False)


def wan(inputs):
    model = diffusers.WanTransformer3DModel(num_attention_heads=2, attention_head_dim=12, in_channels=4, out_channels=4,
        text_dim=16, freq_dim=32, ffn_dim=40, num_layers=2, rope_max_seq_len=32)
    return model, {"hidden_states": inputs.normal("hidden_states", 2, 4, 2, 6, 8),
        "timestep": inputs.values("timestep", torch.tensor([500, 37])),
        "encoder_hidden_states": inputs.normal("encoder_hidden_states", 2, 5, 16), "return_dict": False}


# As the 2B: positions are added. As the 5B: those of the video are rotary, and given.
def cogvideox(inputs, rotary=False):
    model = diffusers.CogVideoXTransformer3DModel(num_attention_heads=2, attention_head_dim=16, in_channels=4, out_channels=4,
        time_embed_dim=10, text_embed_dim=12, num_layers=2, sample_width=8, sample_height=6, sample_frames=5,
        max_text_seq_length=5, use_rotary_positional_embeddings=rotary)
    given = {"hidden_states": inputs.normal("hidden_states", 2, 2, 4, 6, 8),
        "encoder_hidden_states": inputs.normal("encoder_hidden_states", 2, 5, 12),
        "timestep": inputs.values("timestep", torch.tensor([500, 37]))}
    if rotary:
        given["image_rotary_emb"] = tuple(inputs.normal(f"image_rotary_emb_{part}", 24, 16) for part in range(2))
    return model, {**given, "return_dict": False}


def cogvideox_rotary(inputs):
    return cogvideox(inputs, rotary=True)


def llama(inputs):
    config = transformers.LlamaConfig(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, vocab_size=48, rms_norm_eps=1e-5, use_cache=False, attn_implementation="sdpa",
        tie_word_embeddings=False, max_position_embeddings=64)
    return transformers.LlamaForCausalLM(config), {"input_ids": inputs.tokens("input_ids", 48, 2, 6)}


def unet(inputs):
    model = diffusers.UNet2DConditionModel(sample_size=8, block_out_channels=(8, 16), layers_per_block=1,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
        cross_attention_dim=12, attention_head_dim=4, norm_num_groups=4)
    return model, {"sample": inputs.normal("sample", 2, 4, 8, 8),
        "timestep": inputs.values("timestep", torch.tensor([500, 37])),
        "encoder_hidden_states": inputs.normal("encoder_hidden_states", 2, 5, 12), "return_dict": False}


def gpt2(inputs):
    config = transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, vocab_size=48, n_positions=32, use_cache=False,
        attn_implementation="sdpa")
    return transformers.GPT2LMHeadModel(config), {"input_ids": inputs.tokens("input_ids", 48, 2, 6)}


def t5(inputs):
    config = transformers.T5Config(vocab_size=48, d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4,
        relative_attention_num_buckets=8, relative_attention_max_distance=16, dropout_rate=0.0,
        feed_forward_proj="gated-gelu", use_cache=False)
    return transformers.T5ForConditionalGeneration(config), {"input_ids": inputs.tokens("input_ids", 48, 2, 6),
        "decoder_input_ids": inputs.tokens("decoder_input_ids", 48, 2, 4)}


def t5_encoder(inputs):
    config = transformers.T5Config(vocab_size=48, d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4,
        relative_attention_num_buckets=8, relative_attention_max_distance=16, dropout_rate=0.0,
        feed_forward_proj="gated-gelu", use_cache=False)
    return transformers.T5EncoderModel(config), {"input_ids": inputs.tokens("input_ids", 48, 2, 6)}


def resnet(inputs):
    return people.ResNet(), (inputs.normal("images", 4, 3, 16, 16),)


def tied(inputs):
    return people.Tied(), (inputs.tokens("tokens", 40, 2, 6),)


def regions(inputs):
    return people.Regions(), (inputs.normal("hidden", 4, 8),)


def losing(inputs):
    return people.Losing(), (inputs.tokens("tokens", 24, 2, 6), inputs.tokens("labels", 24, 2, 6))


def deep(inputs):
    return people.Deep(), (inputs.normal("hidden", 2, 6, 8),)


MODELS = {"ltx-video": ltx_video, "families/flux": flux, "families/wan": wan, "families/cogvideox": cogvideox,
    "families/flux-schnell": flux_schnell, "families/cogvideox-rotary": cogvideox_rotary,
    "families/t5-encoder": t5_encoder, "llama": llama, "unet": unet, "gpt2": gpt2, "t5": t5, "resnet": resnet, "tied": tied,
    "regions": regions, "losing": losing, "deep": deep}


# Name -> model, how it is captured, what a refusal has to name.
REFUSALS = {
    "custom-operator": (people.CustomOperator, {}, ["people.twice"]),
    "own-backward": (people.OwnBackward, {}, ["StraightThrough", "people.py"]),
    "conditional": (people.Conditional, {}, ["cond", "people.py"]),
    "by-value": (people.ByValue, {}, ["people.py"]),
    "evaluation": (people.Plain, {"training": False}, ["train"]),
    "fixed-sizes": (people.Plain, {"dynamic_shapes": "fixed"}, ["dynamic_shapes"]),
    "other-schema": (people.Plain, {"major": 9}, ["9", "8"]),
    "bare": (people.Plain, {"is_bare": True}, ["headroom_capture.py"]),
    "old-layout": (people.Plain, {"is_old": True}, ["2.7", "headroom_capture.py"]),
    "outer-autocast": (people.Plain, {"autocast": torch.bfloat16}, ["autocast", "bfloat16"]),
}

# The capture runs them without values, which they ask for.
WITHOUT_LIFETIMES = ("conditional", "by-value")


# ---- archives -------------------------------------------------------------------------------------------------------


def short_trace(trace):
    """File and line of the innermost frame, and of the innermost one outside of torch before it."""
    frames = [line.strip() for line in trace.splitlines() if line.strip().startswith('File "')]
    kept = []
    for frame in reversed(frames):
        path, rest = frame[6:].split('"', 1)
        parts = pathlib.PurePath(path).parts
        inside = parts[parts.index("site-packages"):] if "site-packages" in parts else parts[-1:]
        kept.insert(0, f'File "{"/".join(inside)}"{rest}')
        if "torch" not in inside:
            break
    return "\n".join(kept)


def shorten(graph):
    for node in graph["nodes"]:
        node["metadata"].pop("torch_fn", None)
        if "stack_trace" in node["metadata"]:
            node["metadata"]["stack_trace"] = short_trace(node["metadata"]["stack_trace"])
        for argument in node["inputs"]:
            if "as_graph" in argument["arg"]:
                shorten(argument["arg"]["as_graph"]["graph"])


def made_small(path, target, major=None):
    """Writes the archive without parameters' values and source text, compressed, always with the same bytes."""
    with zipfile.ZipFile(path) as archive:
        entries = {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}
    model = json.loads(entries["models/model.json"])
    shorten(model["graph_module"]["graph"])
    model["graph_module"]["metadata"] = {}
    model["graph_module"]["module_call_graph"] = []
    if major:
        model["schema_version"]["major"] = major
    entries["models/model.json"] = json.dumps(model, separators=(",", ":")).encode()
    for entry in json.loads(entries["data/weights/model_weights_config.json"])["config"].values():
        if entry["is_param"]:
            entries[f"data/weights/{entry['path_name']}"] = b""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(entries):
            if not name.startswith((".data/", "data/sample_inputs")):
                archive.writestr(zipfile.ZipInfo(f"{target.stem}/{name}", (2026, 1, 1, 0, 0, 0)), entries[name],
                    zipfile.ZIP_DEFLATED)


def without_traces(program):
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)
    return program


def in_old_layout(target, program):
    """The files of torch.export.save in torch 2.6; of those with pickles, which nobody reads, the names alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in (("serialized_exported_program.json", serialize(program).exported_program),
                ("serialized_state_dict.pt", b""), ("serialized_constants.pt", b""), ("serialized_example_inputs.pt", b""),
                ("version", b"8.2")):
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


def exported(name, target, model, args, kwargs, major=None, is_bare=False, is_old=False, autocast=None, **how):
    if is_old:
        return in_old_layout(target, without_traces(torch.export.export(model, args, kwargs, strict=False)))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / target.name
        if is_bare:
            torch.export.save(torch.export.export(model, args, kwargs, strict=False), path)
        else:
            with torch.autocast("cpu", autocast, enabled=autocast is not None):
                notes = headroom_capture.capture(model, args, kwargs, path, **how)
            if notes["lifetimes"] is None and name not in WITHOUT_LIFETIMES:
                raise RuntimeError(f"{name}: no lifetimes: {notes['lifetimes_problem']}")
        made_small(path, target, major)


# ---- values ---------------------------------------------------------------------------------------------------------


def described(tensor):
    values = tensor.detach().contiguous()
    flat = values.double().flatten()
    places = sorted({0, 1, flat.numel() // 2, flat.numel() - 1} & set(range(flat.numel())))
    return {"shape": list(values.shape), "l2": flat.norm().item(), "elements": {str(i): flat[i].item() for i in places},
        "crc32": zlib.crc32(values.reshape(-1).view(torch.uint8).numpy().tobytes())}


def tensors_in(values):
    return [item for item in torch.utils._pytree.tree_leaves(values) if isinstance(item, torch.Tensor)]


def step_of(model, args, kwargs):
    """One forward and backward in training mode, after the seed."""
    saved = Saved()
    torch.manual_seed(SEED)
    with torch.autograd.graph.saved_tensors_hooks(saved.pack, lambda held: held.tensor):
        result = model(*args, **kwargs)
        output = next(item for item in tensors_in(result) if item.is_floating_point())
        held = saved.bytes_without([*model.parameters(), *model.buffers(), *tensors_in((args, kwargs)), output])
        loss = output if output.dim() == 0 else output.float().square().mean()
    loss.backward()
    gradients = {name: described(parameter.grad) for name, parameter in model.named_parameters() if parameter.grad is not None}
    return {"output": described(output), "loss": loss.item(), "saved_bytes": held, "gradients": gradients,
        "buffers": {name: described(buffer) for name, buffer in model.named_buffers()}}


def split(given):
    return (given, {}) if isinstance(given, tuple) else ((), given)


def model_case(name, target):
    torch.manual_seed(0)
    inputs = Inputs()
    model, given = MODELS[name](inputs)
    args, kwargs = split(given)
    model.train()
    fill_parameters(model)
    exported(name, target, model, args, kwargs)
    return {"source": versions(), "class": type(model).__name__, "parameters": sum(p.numel() for p in model.parameters()),
        "tensors": len(list(model.parameters())), "seed": SEED, "inputs": inputs.told, "train": step_of(model, args, kwargs)}


def refusal_case(name, target):
    build, how, names = REFUSALS[name]
    model = build().train(how.get("training", True))
    exported(name, target, model, (filled((4, 8), FIRST_INPUT_SEED),), {},
        **{key: value for key, value in how.items() if key != "training"})
    return {"source": versions(), "class": type(model).__name__, "refusal_names": names}


def versions():
    return (f"Computed by imported_values.py with torch {torch.__version__.split('+')[0]}, diffusers {diffusers.__version__} and "
            f"transformers {transformers.__version__} on the CPU.")


def case(name, target):
    return model_case(name, target) if name in MODELS else refusal_case(name, target)


def differs(found, expected):
    if isinstance(found, dict):
        return found.keys() != expected.keys() or any(
            differs(found[key], expected[key]) for key in found if key not in ("crc32", "source"))
    if isinstance(found, float):
        return abs(found - expected) > RELATIVE * max(1.0, abs(expected))
    return found != expected


def main(arguments):
    names = [name for name in arguments if name != "--write"] or [*MODELS, *REFUSALS]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            is_written = "--write" in arguments
            target = (FOLDER if is_written else pathlib.Path(folder)) / f"{name}.pt2"
            target.parent.mkdir(exist_ok=True)
            result = case(name, target)
            place = FOLDER / f"{name}.json"
            if is_written:
                place.write_text(json.dumps(result, indent=1) + "\n")
            elif differs(result, json.loads(place.read_text())):
                wrong.append(name)
    print("\n".join(["differs: " + name for name in wrong] or [f"{len(names)} archives"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

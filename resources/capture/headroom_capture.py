#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a PyTorch model as an archive that Headroom runs, simulates and optimises.

Needs torch 2.6 or newer and nothing else; --transformers and --diffusers need those packages. Weights are not needed:
a model built under torch.device("meta") is exported from its shapes alone.

    import headroom_capture
    headroom_capture.capture(model, args, kwargs, "model.pt2")

    python headroom_capture.py --transformers FOLDER_OR_REPO --sequence 4096 -o llama.pt2
    python headroom_capture.py --diffusers FOLDER_OR_REPO --subfolder transformer -o ltx.pt2

Beside the graph that torch.export writes, the archive gets what the graph does not say: tied weights, whether the model
was in training mode, functions whose own backward the export loses, autocast around the call, classes of blocks, and
when each tensor object dies in eager Python (extra/headroom.json, schema headroom.capture/1).
"""

import argparse
import bisect
import contextlib
import difflib
import inspect
import json
import operator
import os
import sys
import traceback
import warnings
import weakref

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

SCHEMA = "headroom.capture/1"


class CaptureError(Exception):
    """What kept a model from being captured, with what to do."""


# ---- what happens while the model runs ------------------------------------------------------------------------------


def _asks_for_value(function, args):
    return function is torch.ops.aten._local_scalar_dense.default and args[0].device.type == "meta"


class _Clock(TorchDispatchMode):
    """Numbers the ops that run, and notes after which one each of their results' Python objects dies."""

    def __init__(self):
        super().__init__()
        self.ops = []  # name and shapes of results
        self.died = {}  # (op, result) -> number of ops that had begun when the object died

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        index = len(self.ops)
        self.ops.append(None)
        result = self._answer(function, args) if _asks_for_value(function, args) else function(*args, **(kwargs or {}))
        results = result if isinstance(result, (tuple, list)) else [result]
        tensors = [item for item in results if isinstance(item, torch.Tensor)]
        self.ops[index] = (str(function), tuple(tuple(tensor.shape) for tensor in tensors))
        for place, item in enumerate(results):
            if isinstance(item, torch.Tensor):
                weakref.finalize(item, self._note, (index, place))
        return result

    @staticmethod
    def _answer(function, args):
        """A model that looks at a value, which a meta tensor does not have, asks whether its input is an ordinary one."""
        if args[0].dtype == torch.bool:
            return True
        raise CaptureError("the model reads the value of a tensor, which the meta device does not have")

    def _note(self, key):
        self.died[key] = len(self.ops)


class _Functions:
    """While it is entered, notes every torch.autograd.Function that is applied."""

    def __init__(self):
        self.applied = {}

    def __enter__(self):
        self._apply = torch.autograd.Function.__dict__["apply"]
        real, applied = self._apply, self.applied

        def noted(cls, *args, **kwargs):
            frame = next((f for f in reversed(traceback.extract_stack()[:-1]) if "/torch/" not in f.filename), None)
            name = f"{cls.__module__}.{cls.__qualname__}"
            applied.setdefault(name, f"{os.path.basename(frame.filename)}:{frame.lineno}" if frame else None)
            return real.__get__(None, cls)(*args, **kwargs)

        torch.autograd.Function.apply = classmethod(noted)
        return self

    def __exit__(self, *_):
        torch.autograd.Function.apply = self._apply


class _Nodes(torch.fx.Interpreter):
    """Runs an exported graph and notes which ops each node ran."""

    def __init__(self, module, clock):
        super().__init__(module)
        self.clock = clock
        self.ran = []  # node's name, first op, op after the last one

    def run_node(self, node):
        begin = len(self.clock.ops)
        result = super().run_node(node)
        if node.op == "call_function":
            self.ran.append((node, begin, len(self.clock.ops)))
        return result


# ---- lifetimes ------------------------------------------------------------------------------------------------------


def _values(program, args, kwargs):
    """What the graph's placeholders stand for, in their order."""
    flat = pytree.tree_leaves((tuple(args), dict(kwargs)))
    kinds = torch.export.graph_signature.InputKind
    values = []
    for spec in program.graph_signature.input_specs:
        if spec.kind == kinds.USER_INPUT:
            values.append(flat.pop(0))
        elif spec.target in program.state_dict:
            values.append(program.state_dict[spec.target])
        else:
            values.append(program.constants[spec.target])
    return values


def _of_eager(eager, graph):
    """For ops of the graph's run, the same op of the eager run."""
    if eager == graph:
        return {index: index for index in range(len(eager))}
    found = {}
    for block in difflib.SequenceMatcher(None, eager, graph, autojunk=False).get_matching_blocks():
        found.update({block.b + step: block.a + step for step in range(block.size)})
    return found


def _lifetimes(model, program, args, kwargs):
    """Name of a value -> name of the node before which its Python object dies; "" where it outlives the graph."""
    with torch.no_grad():
        eager = _Clock()
        with eager:
            kept = model(*args, **kwargs)
        graph = _Clock()
        nodes = _Nodes(program.graph_module, graph)
        with graph:
            nodes.run(*_values(program, args, kwargs))
    del kept
    to_eager = _of_eager(eager.ops, graph.ops)
    to_graph = {place: index for index, place in to_eager.items()}
    mapped = sorted(to_graph)
    begins = [begin for _, begin, _ in nodes.ran]
    died_before = {}

    def node_at(death):
        """The first node whose op runs after the object's death."""
        place = bisect.bisect_left(mapped, death)
        if place == len(mapped):
            return ""
        op = to_graph[mapped[place]]
        node = nodes.ran[bisect.bisect_right(begins, op) - 1][0]
        return node.name

    for node, begin, end in nodes.ran:
        if end <= begin or end - 1 not in to_eager:
            continue
        made = to_eager[end - 1]
        items = [user for user in node.users if user.target is operator.getitem]
        outputs = [(user.name, user.args[1]) for user in items] if items else [(node.name, 0)]
        for name, place in outputs:
            if (made, place) in eager.died:
                died_before[name] = node_at(eager.died[(made, place)])
            else:
                died_before[name] = ""
    if len(to_eager) < 0.9 * len(graph.ops):
        raise CaptureError(f"{len(graph.ops) - len(to_eager)} of {len(graph.ops)} ops of the graph do not run in eager "
                           "Python in this order")
    return died_before


# ---- capture --------------------------------------------------------------------------------------------------------


def _automatic_shapes(args, kwargs):
    """Every dimension of every tensor free where the model lets it be: sizes 0 and 1 are fixed by torch.export."""

    def free(value):
        if isinstance(value, torch.Tensor):
            return {dim: torch.export.Dim.AUTO for dim in range(value.dim()) if value.shape[dim] > 1}
        if isinstance(value, int) and not isinstance(value, bool):
            return torch.export.Dim.AUTO
        return None

    return pytree.tree_map(free, tuple(args)), pytree.tree_map(free, dict(kwargs))


def _named_shapes(model, args, kwargs):
    """The automatic shapes by the names of the forward's arguments."""
    by_args, by_kwargs = _automatic_shapes(args, kwargs)
    names = list(inspect.signature(model.forward).parameters)
    return {**dict(zip(names, by_args)), **by_kwargs}


def _asked(shapes):
    asked = {}
    for name, dims in (shapes or {}).items() if isinstance(shapes, dict) else []:
        if isinstance(dims, dict):
            asked[name] = sorted(int(dim) for dim, what in dims.items() if what is not None)
        elif isinstance(dims, (tuple, list)):
            asked[name] = [dim for dim, what in enumerate(dims) if what is not None]
    return asked


def _tied(model):
    first, tied = {}, {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        tied.setdefault(first.setdefault(id(parameter), name), []).append(name)
    return {name: names[1:] for name, names in tied.items() if len(names) > 1}


def _autocast():
    for device in ("cuda", "cpu"):
        if torch.is_autocast_enabled(device):
            return {"device": device, "dtype": str(torch.get_autocast_dtype(device)).removeprefix("torch.")}
    return None


def _versions():
    versions = {"python": sys.version.split()[0], "torch": torch.__version__}
    for name in ("transformers", "diffusers"):
        if name in sys.modules:
            versions[name] = sys.modules[name].__version__
    return versions


def _device_of(model):
    parameter = next(iter(model.parameters()), None)
    return parameter.device.type if parameter is not None else "cpu"


def capture(model, args=(), kwargs=None, path="model.pt2", dynamic_shapes="auto", blocks=None, lifetimes=True,
            attention=None):
    """Exports `model`, called as model(*args, **kwargs), to `path`, and returns the notes.

    dynamic_shapes: as torch.export.export has it; "auto": every dimension that the model leaves free (an example size of
    1 is fixed: give at least 2); None: all sizes fixed. blocks: paths of the repeated blocks, if they are not the
    elements of a numbered list. lifetimes: run the model once more to see when its tensors die; on the meta device that
    takes no memory. attention: what the caller changed ("causal").
    """
    kwargs = dict(kwargs or {})
    shapes = _named_shapes(model, args, kwargs) if dynamic_shapes == "auto" else dynamic_shapes
    with _Functions() as functions, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = _exported(model, args, kwargs, shapes, dynamic_shapes == "auto")
    notes = {"schema": SCHEMA, "versions": _versions(),
             "model": f"{type(model).__module__}.{type(model).__qualname__}", "training": model.training,
             "autocast": _autocast(), "exported_on": _device_of(model), "attention": attention,
             "block_classes": sorted(getattr(model, "_no_split_modules", None) or []),
             "blocks": list(blocks) if blocks else None, "tied": _tied(model),
             "frozen": [name for name, parameter in model.named_parameters() if not parameter.requires_grad],
             "autograd_functions": [{"name": name, "source": source} for name, source in functions.applied.items()],
             "free_dimensions_asked": _asked(shapes)}
    if lifetimes:
        try:
            deaths = _lifetimes(model, program, args, kwargs)
            notes["lifetimes"] = {"train": deaths, "inference": deaths}
        except Exception as error:  # the archive is of use without them
            notes["lifetimes"] = None
            notes["lifetimes_problem"] = f"{type(error).__name__}: {error}"[:500]
    torch.export.save(program, path, extra_files={"headroom.json": json.dumps(notes)})
    return notes


def _exported(model, args, kwargs, shapes, is_automatic):
    try:
        return torch.export.export(model, tuple(args), kwargs, dynamic_shapes=shapes, strict=False)
    except Exception:
        if not is_automatic:
            raise
    # A model may not let any size be free: its sizes are then those of the example.
    return torch.export.export(model, tuple(args), kwargs, strict=False)


# ---- models of packages ---------------------------------------------------------------------------------------------


def _package(name):
    try:
        return __import__(name)
    except ImportError as error:
        raise CaptureError(f"the package {name} cannot be imported ({error}): pip install {name}") from error


def _make_causal(model):
    """No mask is built and attention is told that it is causal, as where the model runs on its own without padding."""
    import transformers

    def causal(module, query, key, value, mask, dropout=0.0, scaling=None, is_causal=None, **_):
        shared = query.shape[1] != key.shape[1]
        result = torch.nn.functional.scaled_dot_product_attention(
            query, key, value, attn_mask=None, dropout_p=dropout, scale=scaling, is_causal=True, enable_gqa=shared)
        return result.transpose(1, 2).contiguous(), None

    transformers.AttentionInterface.register("headroom_causal", causal)
    transformers.AttentionMaskInterface.register("headroom_causal", lambda *_, **__: None)
    model.set_attn_implementation("headroom_causal")


def _transformers_model(where, dtype):
    transformers = _package("transformers")
    config = transformers.AutoConfig.from_pretrained(where)
    names = [name for name in (getattr(config, "architectures", None) or []) if hasattr(transformers, name)]
    with torch.device("meta"):
        if names:
            return getattr(transformers, names[0])._from_config(config, dtype=dtype)
        return transformers.AutoModelForCausalLM.from_config(config, dtype=dtype)


def _transformers_inputs(model, batch, sequence, dtype):
    config = model.config
    name = model.main_input_name
    if name == "pixel_values":
        vision = getattr(config, "vision_config", config)
        size = getattr(vision, "image_size", 224)
        height, width = size if isinstance(size, (tuple, list)) else (size, size)
        inputs = {"pixel_values": torch.zeros(batch, getattr(vision, "num_channels", 3), height, width, dtype=dtype)}
        if "input_ids" in inspect.signature(model.forward).parameters:
            inputs["input_ids"] = torch.zeros(batch, config.text_config.max_position_embeddings, dtype=torch.long)
        return inputs
    if name == "input_features":
        frames = 2 * config.max_source_positions
        return {name: torch.zeros(batch, config.num_mel_bins, frames, dtype=dtype),
                "decoder_input_ids": torch.zeros(batch, min(sequence, config.max_target_positions), dtype=torch.long)}
    inputs = {"input_ids": torch.zeros(batch, sequence, dtype=torch.long)}
    if config.is_encoder_decoder:
        inputs["decoder_input_ids"] = torch.zeros(batch, sequence, dtype=torch.long)
    return inputs


def _from_transformers(arguments, dtype):
    model = _transformers_model(arguments.transformers, dtype)
    with torch.device("meta"):
        inputs = _transformers_inputs(model, arguments.batch, arguments.sequence, dtype)
    parameters = inspect.signature(model.forward).parameters
    if "use_cache" in parameters:
        model.config.use_cache = False
    is_causal = type(model).__name__.endswith(("ForCausalLM", "LMHeadModel")) and not arguments.masks
    attention = None
    if is_causal:
        with contextlib.suppress(Exception):  # a model with attention of its own keeps it
            _make_causal(model)
            attention = "causal"
    return model, inputs, attention


def _diffusers_inputs(model, arguments, dtype):
    config, batch = model.config, arguments.batch
    name = type(model).__name__
    text = arguments.text_tokens
    height, width = arguments.height // 8, arguments.width // 8

    def zeros(*sizes):
        return torch.zeros(*sizes, dtype=dtype)

    if name == "UNet2DConditionModel":
        wide = config.cross_attention_dim
        inputs = {"sample": zeros(batch, config.in_channels, height, width), "timestep": zeros(batch),
                  "encoder_hidden_states": zeros(batch, text, wide[0] if isinstance(wide, (tuple, list)) else wide)}
        if config.addition_embed_type == "text_time":
            pooled = config.projection_class_embeddings_input_dim - 6 * config.addition_time_embed_dim
            inputs["added_cond_kwargs"] = {"text_embeds": zeros(batch, pooled), "time_ids": zeros(batch, 6)}
        return inputs
    if name == "LTXVideoTransformer3DModel":
        frames, rows, columns = (arguments.frames - 1) // 8 + 1, arguments.height // 32, arguments.width // 32
        return {"hidden_states": zeros(batch, frames * rows * columns, config.in_channels),
                "encoder_hidden_states": zeros(batch, text, config.caption_channels), "timestep": zeros(batch),
                "encoder_attention_mask": torch.ones(batch, text, dtype=torch.long), "num_frames": frames,
                "height": rows, "width": columns}
    if name == "SD3Transformer2DModel":
        return {"hidden_states": zeros(batch, config.in_channels, height, width),
                "encoder_hidden_states": zeros(batch, text, config.joint_attention_dim),
                "pooled_projections": zeros(batch, config.pooled_projection_dim), "timestep": zeros(batch)}
    if name == "PixArtTransformer2DModel":
        return {"hidden_states": zeros(batch, config.in_channels, height, width),
                "encoder_hidden_states": zeros(batch, text, config.caption_channels), "timestep": zeros(batch),
                "added_cond_kwargs": {"resolution": zeros(batch, 2), "aspect_ratio": zeros(batch, 1)}}
    if name == "FluxTransformer2DModel":
        tokens = (height // 2) * (width // 2)
        inputs = {"hidden_states": zeros(batch, tokens, config.in_channels),
                  "encoder_hidden_states": zeros(batch, text, config.joint_attention_dim),
                  "pooled_projections": zeros(batch, config.pooled_projection_dim), "timestep": zeros(batch),
                  "img_ids": zeros(tokens, 3), "txt_ids": zeros(text, 3)}
        return {**inputs, "guidance": zeros(batch)} if config.guidance_embeds else inputs
    if name == "HunyuanVideoTransformer3DModel":
        frames = (arguments.frames - 1) // 4 + 1
        return {"hidden_states": zeros(batch, config.in_channels, frames, height, width),
                "timestep": torch.zeros(batch, dtype=torch.long),
                "encoder_hidden_states": zeros(batch, text, config.text_embed_dim),
                "encoder_attention_mask": torch.ones(batch, text, dtype=torch.long),
                "pooled_projections": zeros(batch, config.pooled_projection_dim), "guidance": zeros(batch)}
    if name == "MochiTransformer3DModel":
        frames = (arguments.frames - 1) // 6 + 1
        return {"hidden_states": zeros(batch, config.in_channels, frames, height, width),
                "encoder_hidden_states": zeros(batch, text, config.text_embed_dim), "timestep": zeros(batch),
                "encoder_attention_mask": torch.ones(batch, text, dtype=torch.bool)}
    if name == "WanTransformer3DModel":
        frames = (arguments.frames - 1) // 4 + 1
        return {"hidden_states": zeros(batch, config.in_channels, frames, height, width),
                "timestep": torch.zeros(batch, dtype=torch.long),
                "encoder_hidden_states": zeros(batch, text, config.text_dim)}
    raise CaptureError(f"no example inputs are known for {name}: build the model in Python under torch.device(\"meta\") "
                       "and call headroom_capture.capture(model, args, kwargs, \"model.pt2\")")


def _from_diffusers(arguments, dtype):
    diffusers = _package("diffusers")
    folder = arguments.diffusers
    if os.path.isdir(folder):
        file = os.path.join(folder, arguments.subfolder or "", "config.json")
    else:
        from huggingface_hub import hf_hub_download
        file = hf_hub_download(folder, "config.json", subfolder=arguments.subfolder)
    try:
        with open(file, encoding="utf-8") as stream:
            config = json.load(stream)
    except OSError as error:
        raise CaptureError(f"{file} cannot be read ({error.strerror}): valid is the folder of one model, such as that of "
                           "--subfolder transformer or unet") from error
    name = config.get("_class_name", "")
    if not hasattr(diffusers, name):
        raise CaptureError(f"{file}: _class_name is \"{name}\", which diffusers {diffusers.__version__} does not have")
    with torch.device("meta"):
        model = getattr(diffusers, name).from_config(config).to(dtype)
        return model, _diffusers_inputs(model, arguments, dtype), None


# ---- command line ---------------------------------------------------------------------------------------------------


def _arguments(given):
    parser = argparse.ArgumentParser(
        prog="headroom_capture.py", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__.split("\n")[0],
        epilog="examples:\n"
               "  python headroom_capture.py --transformers meta-llama/Llama-3.1-8B --sequence 4096 -o llama.pt2\n"
               "  python headroom_capture.py --diffusers Lightricks/LTX-Video --subfolder transformer -o ltx.pt2\n\n"
               "A folder with config.json works without network. Any other model: three lines of Python,\n"
               "  with torch.device(\"meta\"): model = MyModel(); inputs = (torch.zeros(2, 128, dtype=torch.long),)\n"
               "  headroom_capture.capture(model, inputs, path=\"model.pt2\")")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--transformers", metavar="REPO_OR_FOLDER", help="a model of the package transformers")
    source.add_argument("--diffusers", metavar="REPO_OR_FOLDER", help="a model of the package diffusers")
    parser.add_argument("--subfolder", metavar="NAME", help="of a diffusers pipeline: transformer, unet")
    parser.add_argument("-o", "--output", metavar="FILE.pt2", default="model.pt2", help="default model.pt2")
    parser.add_argument("--dtype", default="bfloat16", choices=["float32", "bfloat16", "float16"],
                        help="of the weights (default bfloat16)")
    parser.add_argument("--batch", type=int, default=2, metavar="N", help="of the example (default 2; 1 would be fixed)")
    parser.add_argument("--sequence", type=int, default=1024, metavar="N", help="tokens of the example (default 1024)")
    parser.add_argument("--text-tokens", type=int, default=128, metavar="N", help="of a diffusion model (default 128)")
    parser.add_argument("--height", type=int, default=512, metavar="PIXELS", help="default 512")
    parser.add_argument("--width", type=int, default=768, metavar="PIXELS", help="default 768")
    parser.add_argument("--frames", type=int, default=49, metavar="N", help="of a video model (default 49)")
    parser.add_argument("--eval", action="store_true", help="export in evaluation mode: inference alone")
    parser.add_argument("--static", action="store_true", help="fix all sizes to the example's")
    parser.add_argument("--masks", action="store_true", help="keep the mask that a language model builds itself")
    return parser.parse_args(given)


def main(given=None):
    arguments = _arguments(given)
    dtype = getattr(torch, arguments.dtype)
    try:
        build = _from_transformers if arguments.transformers else _from_diffusers
        model, inputs, attention = build(arguments, dtype)
        model.eval() if arguments.eval else model.train()
        notes = capture(model, (), inputs, arguments.output, None if arguments.static else "auto", attention=attention)
    except CaptureError as error:
        print(f"headroom_capture.py: error: {error}", file=sys.stderr)
        return 1
    count = sum(parameter.numel() for parameter in model.parameters())
    print(f"{arguments.output}: {notes['model']}, {count:,} parameters, "
          f"{os.path.getsize(arguments.output) / 1e6:.1f} MB, " + ("training" if model.training else "evaluation"))
    if notes.get("lifetimes") is None:
        print(f"remark: when tensors die could not be seen: {notes.get('lifetimes_problem')}")
    for function in notes["autograd_functions"]:
        print(f"remark: the export loses the backward of {function['name']} ({function['source']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

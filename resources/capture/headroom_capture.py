#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a PyTorch model as an archive that Headroom runs, simulates and optimises.

Needs torch 2.6 or newer and nothing else; --transformers and --diffusers need those packages. Weights are not needed:
a model built under torch.device("meta") is exported from its shapes alone.

    import headroom_capture
    headroom_capture.capture(model, args, kwargs, "model.pt2")

    python headroom_capture.py --transformers FOLDER_OR_REPO --sequence 4096 -o llama.pt2
    python headroom_capture.py --diffusers FOLDER_OR_REPO --subfolder transformer -o ltx.pt2

Beside the graph that torch.export writes, the archive gets what the graph does not say: tied tensors, whether the model
was in training mode, functions whose own backward the export loses, autocast around the call, classes of blocks, and
when each tensor object dies in eager Python (extra/headroom.json, schema headroom.capture/1).
"""

import argparse
import bisect
import collections
import contextlib
import difflib
import gc
import inspect
import json
import operator
import os
import random
import re
import socket
import sys
import time
import traceback
import urllib.parse
import urllib.request
import warnings
import weakref
import zipfile

SCHEMA = "headroom.capture/1"
OLDEST_TORCH = (2, 6)


class CaptureError(Exception):
    """What kept a model from being captured, with what to do."""


def _torch_version(text):
    return tuple(int(part) for part in text.split("+")[0].split(".")[:2])


try:
    import torch
    import torch.fx.experimental.symbolic_shapes
    from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
    from torch.utils import _pytree as pytree
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError as missing:
    sys.exit(f"headroom_capture.py: error: torch cannot be imported ({missing}): pip install torch")
if _torch_version(torch.__version__) < OLDEST_TORCH:
    sys.exit(f"headroom_capture.py: error: found torch {torch.__version__}; valid is 2.6 or newer: pip install -U torch")


# ---- the model as eager Python runs it ------------------------------------------------------------------------------

LIBRARIES = ("transformers", "diffusers")
TRACING_QUESTIONS = ("is_tracing", "is_torchdynamo_compiling", "is_torchdynamo_exporting")


def _place(skipped):
    """File and line of the innermost frame outside of this file and of the packages in `skipped`."""
    for frame in reversed(traceback.extract_stack()):
        parts = frame.filename.split(os.sep)
        if frame.filename != __file__ and not any(part in skipped for part in parts):
            return frame
    return None


def _line(frame):
    return f"{os.path.basename(frame.filename)}:{frame.lineno}" if frame else None


def _is_of_library(frame):
    return frame is not None and any(name in frame.filename.split(os.sep) for name in LIBRARIES)


class _Answers:
    """Answers to `if tensor:` where a library asks whether its input is an ordinary one (nothing padded, nothing packed),
    which a tensor without values cannot tell. A question of the person's own model is not answered."""

    def __init__(self):
        self.given = {}  # file and line -> answer

    def of_asker(self, contains=False):
        """contains: whether it is asked for a value among others (a padding token), of which there is none."""
        frame = _place(("torch",))
        if not _is_of_library(frame):
            raise CaptureError(f"{_line(frame)}: \"{(frame.line or '').strip()}\" branches on the value of a tensor, which an "
                               "export does not have; valid is a forward whose branches depend on shapes alone")
        answer = not contains and "any(" not in (frame.line or "")
        self.given[_line(frame)] = answer
        return answer


class _AsEager:
    """While it is entered, transformers and diffusers take the branches that they take outside of an export, so that no
    mask is built where attention is told that it is causal."""

    def __init__(self, answers):
        self.answers = answers
        self.replaced = []

    def __enter__(self):
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] in LIBRARIES:
                is_cache = name == "transformers.pytorch_utils"  # whose decorator asks whether it may keep results
                for question in TRACING_QUESTIONS:
                    if callable(vars(module).get(question)):
                        self._replace(module, question, lambda *_, answer=is_cache, **__: answer)
        self._replace(torch.Tensor, "__bool__", _answering(self.answers, torch.Tensor.__bool__))
        self._replace(torch.Tensor, "item", _told(self.answers, torch.Tensor.item))
        self._replace(torch.Tensor, "__contains__", _containing(self.answers, torch.Tensor.__contains__))
        for owner, draw in _draws():
            self._replace(owner, draw, _drawing(self.answers, getattr(owner, draw)))
        self._replace(torch.autocast, "__init__", _autocast_anywhere(torch.autocast.__init__))
        if not torch.cuda.is_available():  # a region for CUDA stays one where there is no GPU
            self._replace(torch.cuda.amp.common, "amp_definitely_not_available", lambda: False)
            self._replace(torch.cuda, "is_bf16_supported", lambda *_, **__: True)
        return self

    def _replace(self, owner, name, value):
        self.replaced.append((owner, name, vars(owner).get(name)))
        setattr(owner, name, value)

    def __exit__(self, *_):
        for owner, name, value in reversed(self.replaced):
            if value is None:
                delattr(owner, name)
            else:
                setattr(owner, name, value)


def _answering(answers, real):
    def answered(tensor):
        has_values = tensor.device.type != "meta" and not isinstance(tensor, FakeTensor)
        return real(tensor) if has_values else answers.of_asker()

    return answered


def _told(answers, real):
    """`mask.any().item()` of a library is a question, too."""

    def told(tensor):
        is_question = tensor.dtype == torch.bool and (tensor.device.type == "meta" or isinstance(tensor, FakeTensor))
        return answers.of_asker() if is_question and _is_of_library(_place(("torch",))) else real(tensor)

    return told


def _containing(answers, real):
    def contained(tensor, element):
        has_values = tensor.device.type != "meta" and not isinstance(tensor, FakeTensor)
        return real(tensor, element) if has_values else answers.of_asker(contains=True)

    return contained


def _draws():
    """Functions with which libraries draw a number of their own, between 0 and 1."""
    numpy = sys.modules.get("numpy")
    owners = [(torch, ("rand",)), (random, ("random", "uniform"))]
    owners += [(numpy.random, ("rand", "random", "uniform"))] if numpy else []
    return [(owner, name) for owner, names in owners for name in names]


def _drawing(answers, real):
    """In training mode a library may drop a layer where the number that it draws is small (LayerDrop). The graph is the
    one of a step that drops none, whatever is drawn."""

    def drawn(*args, **kwargs):
        is_one = not kwargs and args in ((), (0, 1), (0.0, 1.0), ([],), ((),))
        frame = _place(("torch", "numpy")) if is_one else None
        if not _is_of_library(frame):
            return real(*args, **kwargs)
        answers.given[_line(frame)] = False
        return 1.0

    return drawn


def _autocast_anywhere(real):
    """A region for the device of its input, which is meta here, is one for CUDA there."""

    def made(region, device_type, *args, **kwargs):
        real(region, "cuda" if device_type == "meta" else device_type, *args, **kwargs)

    return made


class _Functions:
    """While it is entered, notes every torch.autograd.Function that is applied."""

    def __init__(self):
        self.applied = {}

    def __enter__(self):
        self._apply = torch.autograd.Function.__dict__["apply"]
        real, applied = self._apply, self.applied

        def noted(cls, *args, **kwargs):
            # What torch applies itself is taken apart without loss: a checkpoint's recomputation is Headroom's.
            if cls.__module__.split(".")[0] != "torch":
                applied.setdefault(f"{cls.__module__}.{cls.__qualname__}", _line(_place(("torch",))))
            return real.__get__(None, cls)(*args, **kwargs)

        torch.autograd.Function.apply = classmethod(noted)
        return self

    def __exit__(self, *_):
        torch.autograd.Function.apply = self._apply


# ---- lifetimes ------------------------------------------------------------------------------------------------------


def _is_of_export(function, args, result):
    """Of x[:, :, 1], eager Python slices only what is not taken as a whole. With free sizes an export slices all. And the
    number of x[mask] = 1 comes about in another way there."""
    name = str(function)
    return name in ("aten.scalar_tensor.default", "aten.lift_fresh.default", "aten.lift_fresh_copy.default") or (
        name in ("aten.slice.Tensor", "aten.alias.default") and args[0].shape == result.shape)


class _Clock(TorchDispatchMode):
    """Numbers the ops that run, and notes how many had begun when the Python object of each result died."""

    def __init__(self):
        super().__init__()
        self.ops = []  # name and shapes of results
        self.of_export = set()  # those that eager Python may not have
        self.died = {}  # (op, result) -> number of ops that had begun
        self._makers = {}  # id of a living tensor -> (op, result)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        index = len(self.ops)
        self.ops.append(None)
        result = function(*args, **(kwargs or {}))
        results = result if isinstance(result, (tuple, list)) else [result]
        shapes = tuple(tuple(item.shape) for item in results if isinstance(item, torch.Tensor))
        if shapes:
            self.ops[index] = (str(function), shapes)
            if _is_of_export(function, args, result):
                self.of_export.add(index)
        else:
            self.ops.pop()  # an assertion that the export has put in
        for place, item in enumerate(results):
            # What works in place returns an object that another op has made.
            if isinstance(item, torch.Tensor) and id(item) not in self._makers:
                self._makers[id(item)] = (index, place)
                weakref.finalize(item, self._note, id(item))
        return result

    def maker(self, tensor):
        return self._makers.get(id(tensor))

    def _note(self, identity):
        self.died[self._makers.pop(identity)] = len(self.ops)


class _Nodes(torch.fx.Interpreter):
    """Runs an exported graph and notes which ops each node ran, and which op made each value. Values and nodes of a
    subgraph are named "SUBGRAPH.NAME"."""

    def __init__(self, module, clock, scope="", found=None):
        super().__init__(module)
        self.clock, self.scope = clock, scope
        self.ran, self.made = found or ([], [])  # (scope, name, first op), (scope, name, op and result)

    def get_attr(self, target, args, kwargs):
        value = super().get_attr(target, args, kwargs)
        if not isinstance(value, torch.fx.GraphModule):
            return value
        inner = f"{self.scope}{target}."
        return lambda *values: _Nodes(value, self.clock, inner, (self.ran, self.made)).run(*values)

    def run_node(self, node):
        begin, place = len(self.clock.ops), len(self.ran)
        result = super().run_node(node)
        if node.op == "call_function":
            if node.target is not operator.getitem:
                self.ran.insert(place, (self.scope, node.name, begin))
            for name, item in _named(node, result):
                if maker := self.clock.maker(item):
                    self.made.append((self.scope, name, maker))
        return result


def _named(node, result):
    """Names of a node's tensors in the archive; elements of a list have their getitem's, and others a made-up one."""
    if isinstance(result, torch.Tensor):
        yield node.name, result
    elif isinstance(result, (tuple, list)):
        taken = {user.args[1] for user in node.users if user.target is operator.getitem}
        for place, item in enumerate(result):
            if place not in taken and isinstance(item, torch.Tensor):
                yield f"{node.name}_unused_{place}", item


class _StandIns:
    """What takes the place of a model's tensors and inputs while it runs without their values."""

    def __init__(self, model, program, args, kwargs):
        self.model, self.program = model, program
        own = {**dict(model.named_parameters(remove_duplicate=False)), **dict(model.named_buffers(remove_duplicate=False))}
        tensors = [*own.values(), *(item for item in pytree.tree_leaves((args, kwargs)) if isinstance(item, torch.Tensor))]
        self.is_meta = all(tensor.device.type == "meta" for tensor in tensors)
        if self.is_meta:
            self.mode, replace = contextlib.nullcontext(), lambda value: value
        else:
            self.mode = FakeTensorMode(allow_non_fake_inputs=True)
            replace = lambda value: self.mode.from_tensor(value) if isinstance(value, torch.Tensor) else value
        replaced = {id(tensor): replace(tensor) for tensor in own.values()}  # ties stay
        self.own = {name: replaced[id(tensor)] for name, tensor in own.items()}
        self.constants = {name: replace(value) for name, value in program.constants.items()}
        self.args, self.kwargs = pytree.tree_map(replace, (tuple(args), dict(kwargs)))

    def eager(self):
        if self.is_meta:
            return self.model(*self.args, **self.kwargs)
        once = {f"{path}.{name}" if path else name for path, module in self.model.named_modules()
                for name in (*module._parameters, *module._buffers)}  # a module at two places changes its tensors once
        own = {name: tensor for name, tensor in self.own.items() if name in once}
        return torch.func.functional_call(self.model, own, self.args, self.kwargs, tie_weights=False)

    def placeholders(self):
        """What the graph's placeholders stand for, in their order."""
        flat = pytree.tree_leaves((self.args, self.kwargs))
        kinds = torch.export.graph_signature.InputKind
        for spec in self.program.graph_signature.input_specs:
            if spec.kind == kinds.USER_INPUT:
                yield flat.pop(0)
            else:
                yield self.own[spec.target] if spec.target in self.own else self.constants[spec.target]


def _without_autocast():
    regions = contextlib.ExitStack()
    for device in ("cuda", "cpu"):
        regions.enter_context(torch.autocast(device, enabled=False))
    return regions


def _without_view_tracking():
    """A tensor dies with its variable, though there are views of it: with another kernel than the capture saw, what looks like
    a view is a copy. Where it is a view, it holds the memory by itself."""
    return torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView))


@contextlib.contextmanager
def _no_collection():
    """Objects die when their last reference goes; when the collector of cycles runs is chance."""
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _of_eager(eager, graph):
    """For ops of the graph's run, the same op of the eager run; and the number of those that have none."""
    if eager.ops == graph.ops:
        return {index: index for index in range(len(eager.ops))}, 0
    ours, theirs = ([index for index in range(len(clock.ops)) if index not in clock.of_export] for clock in (eager, graph))
    found = {}
    for block in difflib.SequenceMatcher(None, [eager.ops[index] for index in ours], [graph.ops[index] for index in theirs],
                                         autojunk=False).get_matching_blocks():
        found.update({theirs[block.b + step]: ours[block.a + step] for step in range(block.size)})
    return found, len(theirs) - len(found)


class _Deaths:
    """Places deaths of the eager run among the nodes of the graph."""

    def __init__(self, nodes, to_eager):
        self.ran = nodes.ran
        self.begins = [begin for _, _, begin in nodes.ran]
        self.to_graph = {place: index for index, place in to_eager.items()}
        self.mapped = sorted(self.to_graph)

    def node_at(self, death):
        """The first node that runs after the death, "SUBGRAPH.NAME" within a subgraph; "" where the graph has ended."""
        place = bisect.bisect_left(self.mapped, death)
        if place == len(self.mapped):
            return ""
        scope, name, _ = self.ran[bisect.bisect_right(self.begins, self.to_graph[self.mapped[place]]) - 1]
        return scope + name


def _lifetimes(model, program, args, kwargs):
    """Name of a value -> name of the node before which its Python object dies; "" where it outlives the graph."""
    stand_ins = _StandIns(model, program, args, kwargs)
    eager, graph = _Clock(), _Clock()
    with torch.no_grad(), _without_view_tracking(), _without_autocast(), stand_ins.mode, _no_collection():
        with eager:
            kept = stand_ins.eager()
        died = dict(eager.died)
        del kept
        nodes = _Nodes(program.graph_module, graph)
        with graph:
            nodes.run(*stand_ins.placeholders())
    to_eager, without = _of_eager(eager, graph)
    if without > 0.1 * len(graph.ops):
        raise CaptureError(f"{without} of {len(graph.ops)} ops of the graph do not run in eager Python in this order")
    deaths = _Deaths(nodes, to_eager)
    died_before = {}
    for scope, name, (op, place) in nodes.made:
        if op in to_eager:
            death = died.get((to_eager[op], place))
            died_before[scope + name] = "" if death is None else deaths.node_at(death)
    return died_before


# ---- shapes ---------------------------------------------------------------------------------------------------------


def _free(value, which):
    if isinstance(value, torch.Tensor):
        dims = range(min(value.dim(), 1) if which == "first" else value.dim())
        return {dim: torch.export.Dim.AUTO for dim in dims if value.shape[dim] > 1} or None
    return torch.export.Dim.AUTO if which == "tensors and numbers" and type(value) is int else None


def _automatic_shapes(model, args, kwargs, which="tensors and numbers"):
    """Every size of every argument free where the model lets it be, or the first one of each tensor alone; torch.export
    fixes those of 0 and 1."""
    given = inspect.signature(model.forward).bind(*args, **kwargs).arguments
    return pytree.tree_map(lambda value: _free(value, which), dict(given))


@contextlib.contextmanager
def _named_keywords(model, args, kwargs):
    """torch 2.11 takes no shapes of arguments that a forward has as **kwargs: while this is entered, they are its own."""
    signature, real = inspect.signature(model.forward), model.forward
    loose = [name for name, parameter in signature.parameters.items() if parameter.kind is parameter.VAR_KEYWORD]
    extra = signature.bind(*args, **kwargs).arguments.get(loose[0]) if loose else None
    if not extra:
        yield
        return

    def forward(*args, **kwargs):
        return real(*args, **kwargs)

    own = [parameter for name, parameter in signature.parameters.items() if name not in loose]
    named = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in extra]
    forward.__signature__ = signature.replace(parameters=own + named)
    was_own = "forward" in vars(model)
    model.forward = forward
    try:
        yield
    finally:
        if was_own:
            model.forward = real
        else:
            del model.forward


def _is_free(size):
    return isinstance(size, torch.SymInt) and not str(size).isdigit()  # a fixed one is a symbol that stands for a number


def _free_sizes(program):
    """What stayed free, for people: {"input_ids": [0, 1]}."""
    kinds = torch.export.graph_signature.InputKind
    user = {spec.arg.name for spec in program.graph_signature.input_specs if spec.kind == kinds.USER_INPUT}
    free = {}
    for node in program.graph.nodes:
        value = node.meta.get("val") if node.op == "placeholder" and node.name in user else None
        if _is_free(value):
            free[node.name] = []
        elif isinstance(value, torch.Tensor):
            dims = [dim for dim, size in enumerate(value.shape) if _is_free(size)]
            free.update({node.name: dims} if dims else {})
    return free


# ---- notes ----------------------------------------------------------------------------------------------------------


def _tied(model, program):
    """Name -> other names of the same tensor, of those that the archive has."""
    known = {*program.state_dict, *program.constants}
    first, tied = {}, {}
    for name, tensor in (*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)):
        if name in known:
            tied.setdefault(first.setdefault(id(tensor), name), []).append(name)
    return {name: names[1:] for name, names in tied.items() if len(names) > 1}


def _autocast():
    for device in ("cuda", "cpu"):
        if torch.is_autocast_enabled(device):
            return {"device": device, "dtype": str(torch.get_autocast_dtype(device)).removeprefix("torch.")}
    return None


def _versions():
    versions = {"python": sys.version.split()[0], "torch": torch.__version__}
    for name in (*LIBRARIES, "peft"):
        if name in sys.modules:
            versions[name] = sys.modules[name].__version__
    return versions


def _block_classes(model):
    """Of what its class says must stay together, what the model has more than one of: an embedding is no block."""
    counts = collections.Counter(type(module).__name__ for module in model.modules())
    return sorted(name for name in getattr(model, "_no_split_modules", None) or [] if counts[name] > 1)


def _kept_from_casting(model):
    """What diffusers' enable_layerwise_casting leaves as it is, on top of its general patterns: searched in module paths."""
    kept = (getattr(model, name, None) or () for name in ("_keep_in_fp32_modules", "_skip_layerwise_casting_patterns"))
    return list(dict.fromkeys(pattern for patterns in kept for pattern in patterns))


def _device_of(model):
    for tensor in (*model.parameters(), *model.buffers()):
        return tensor.device.type
    return "cpu"


def _attention_of(program):
    """"causal" if every attention is told so and none has a mask; "mask" if one has; None without any."""
    found = None
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else []:
            if node.op == "call_function" and "scaled_dot_product_attention" in str(node.target):
                given = dict(zip(("query", "key", "value", "attn_mask", "dropout_p", "is_causal"), node.args)) | node.kwargs
                if given.get("attn_mask") is not None:
                    return "mask"
                found = "causal" if given.get("is_causal") else found or "full"
    return found


# ---- the archive ----------------------------------------------------------------------------------------------------


def _innermost(trace):
    """Of a stack trace the frame of the line that a person wrote: torch's own modules and functions call others."""
    frames = re.findall(r'File "[^"\n]*", line \d+, in [^\n]*', trace)
    written = [frame for frame in frames if not re.match(r'File "(<|(.*/)?torch/nn/|.*-packages/torch/)', frame)]
    return (written or frames or [trace])[-1]


def _shorten_traces(module):
    """Leaves each node one line of its stack trace. Whole ones are a third of a large archive, and name folders."""
    for part in module.modules():
        for node in part.graph.nodes if isinstance(part, torch.fx.GraphModule) else ():
            if isinstance(node.meta.get("stack_trace"), str):
                node.meta["stack_trace"] = _innermost(node.meta["stack_trace"])


def _save(program, path, notes):
    _shorten_traces(program.graph_module)
    extra = {"headroom.json": json.dumps(notes)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(program, path, extra_files=extra)
    with zipfile.ZipFile(path) as archive:
        is_current = any(name.endswith("/models/model.json") for name in archive.namelist())
    if not is_current:  # torch 2.6 and 2.7 have files of their own
        _write_archive(program, path, extra)


def _write_archive(program, path, extra):
    """The files that torch.export.save writes from 2.8 on."""
    from torch._export.serde.serialize import serialize

    root = os.path.splitext(os.path.basename(path))[0]
    model = json.loads(serialize(program).exported_program)
    model.setdefault("torch_version", torch.__version__)
    _name_nodes(model["graph_module"]["graph"], program.graph_module)
    with zipfile.ZipFile(path, "w") as archive:
        for kind, folder, prefix, tensors in (("weights", "data/weights", "weight", program.state_dict),
                                              ("constants", "data/constants", "tensor", program.constants)):
            config = {}
            for place, (name, tensor) in enumerate(tensors.items()):
                if not isinstance(tensor, torch.Tensor):
                    raise CaptureError(f"{name}: found a {type(tensor).__name__}; torch {torch.__version__} cannot save it, "
                                       "torch 2.8 or newer can")
                file = f"{prefix}_{place}"
                config[name] = {"path_name": file, "is_param": isinstance(tensor, torch.nn.Parameter), "use_pickle": False,
                                "tensor_meta": _tensor_meta(tensor)}
                archive.writestr(f"{root}/{folder}/{file}", _raw(tensor))
            archive.writestr(f"{root}/{folder}/model_{kind}_config.json", json.dumps({"config": config}))
        archive.writestr(f"{root}/models/model.json", json.dumps(model))
        for name, text in extra.items():
            archive.writestr(f"{root}/extra/{name}", text)
        archive.writestr(f"{root}/archive_format", "pt2")
        archive.writestr(f"{root}/archive_version", "0")
        archive.writestr(f"{root}/byteorder", sys.byteorder)


def _name_nodes(graph, module):
    """Gives the nodes of a serialized graph the names that newer versions write."""
    called = [node for node in module.graph.nodes if node.op == "call_function" and node.target is not operator.getitem]
    if len(called) != len(graph["nodes"]):
        raise CaptureError(f"torch {torch.__version__} writes {len(graph['nodes'])} of {len(called)} nodes: torch 2.8 or newer")
    for node, written in zip(called, graph["nodes"]):
        written["name"] = node.name
        for argument in written["inputs"]:
            inner = argument["arg"].get("as_graph")
            if inner:
                _name_nodes(inner["graph"], module.get_submodule(inner["name"]))


def _tensor_meta(tensor):
    from torch._export.serde.serialize import _TORCH_TO_SERIALIZE_DTYPE

    return {"dtype": int(_TORCH_TO_SERIALIZE_DTYPE[tensor.dtype]), "sizes": [{"as_int": size} for size in tensor.shape],
            "requires_grad": tensor.requires_grad, "device": {"type": tensor.device.type, "index": tensor.device.index},
            "strides": [{"as_int": stride} for stride in tensor.contiguous().stride()], "storage_offset": {"as_int": 0},
            "layout": 7}


def _raw(tensor):
    if tensor.device.type == "meta":
        return b""
    return bytes(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())


# ---- capture --------------------------------------------------------------------------------------------------------


def capture(model, args=(), kwargs=None, path="model.pt2", dynamic_shapes=None, *, blocks=None, lifetimes=True,
            patience=120):
    """Exports `model`, called as model(*args, **kwargs), to the archive `path`, and returns the notes that it got.

    model: a torch.nn.Module in the mode in which it is to run: model.train() for training steps. Best built under
        torch.device("meta"), with inputs made there too: nothing is computed, and no weights are needed.
    dynamic_shapes: as torch.export.export has it. None: every size is free that the model leaves free; an example size
        of 1 is fixed, so give at least 2. "fixed": all sizes are those of the example.
    blocks: paths of the repeated blocks (["encoder.0", "encoder.1"]), where they are no elements of a numbered list.
    lifetimes: run the model once more, without values, to see when its tensors die.
    patience: seconds of processor time that torch.export may take with every size free; then only the first size of
        each tensor is, and then none. None: as long as it takes.

    Raises CaptureError where the model cannot be exported, with the line that keeps it from it.
    """
    kwargs = dict(kwargs or {})
    _check(model, args, kwargs, path, blocks)
    _gather_on_meta(model)
    answers, functions = _Answers(), _Functions()
    with _AsEager(answers), functions, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program, problem = _exported(model, tuple(args), kwargs, dynamic_shapes, patience)
        deaths, unseen = _deaths_of(model, program, args, kwargs) if lifetimes else (None, "not asked for")
    notes = {"schema": SCHEMA, "versions": _versions(),
             "model": f"{type(model).__module__}.{type(model).__qualname__}", "training": model.training,
             "autocast": _autocast(), "exported_on": _device_of(model), "attention": _attention_of(program),
             "block_classes": _block_classes(model), "kept_from_casting": _kept_from_casting(model),
             "blocks": list(blocks) if blocks else None, "tied": _tied(model, program),
             "frozen": [name for name, parameter in model.named_parameters() if not parameter.requires_grad],
             "autograd_functions": [{"name": name, "source": source} for name, source in functions.applied.items()],
             "assumed": [{"source": source, "answer": answer} for source, answer in answers.given.items()],
             "free_dimensions": _free_sizes(program), "fixed_because": problem,
             "lifetimes": {"inference": deaths} if deaths is not None else None, "lifetimes_problem": unseen}
    _save(program, path, notes)
    return notes


def _check(model, args, kwargs, path, blocks):
    if not isinstance(model, torch.nn.Module):
        raise CaptureError(f"found a {type(model).__name__}; valid is a torch.nn.Module (of a pipeline: its transformer or unet)")
    if not isinstance(args, (tuple, list)):
        raise CaptureError(f"args: found a {type(args).__name__}; valid is a tuple of what the forward gets: (x,)")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise CaptureError(f"{path}: there is no folder {folder}")
    if not os.fspath(path).endswith(".pt2"):
        raise CaptureError(f"{path}: valid is a file name that ends in .pt2")
    try:
        inspect.signature(model.forward).bind(*args, **kwargs)
    except TypeError as error:
        raise CaptureError(f"{type(model).__name__}.forward{inspect.signature(model.forward)}: {error}") from error
    known = dict(model.named_modules())
    for block in blocks or []:
        if block not in known:
            raise CaptureError(f"blocks: the model has no module \"{block}\"; valid are paths of model.named_modules()")


def _gather_on_meta(model):
    """Beside weights on meta there are no others: some classes make one on the CPU in any context (torch.Tensor(size))."""
    if not any(parameter.device.type == "meta" for parameter in model.parameters()):
        return
    moved = {}
    for module in model.modules():
        for own in (module._parameters, module._buffers):
            for name, tensor in own.items():
                if tensor is not None and tensor.device.type != "meta":
                    if id(tensor) not in moved:
                        there = tensor.detach().to("meta")
                        moved[id(tensor)] = torch.nn.Parameter(there, tensor.requires_grad) \
                            if isinstance(tensor, torch.nn.Parameter) else there
                    own[name] = moved[id(tensor)]


SHAPE_WORK = {"ShapeEnv": ("evaluate_expr", "_maybe_evaluate_static", "simplify"), "_ShapeGuardPrinter": ("doprint",),
              "DimConstraints": ("add",)}


@contextlib.contextmanager
def _patience(seconds):
    """Ends an export whose free sizes take longer: between two expressions, as a signal would leave torch in pieces."""
    if seconds is None:
        yield
        return
    end = time.process_time() + seconds

    def watched(real):
        def watching(*args, **kwargs):
            if time.process_time() > end:
                raise CaptureError(f"torch.export took more than {seconds:g} s of processor time with sizes free (patience)")
            return real(*args, **kwargs)

        for attribute in ("cache_clear", "cache_info"):  # torch empties the caches of some of them
            if hasattr(real, attribute):
                setattr(watching, attribute, getattr(real, attribute))
        return watching

    shapes = torch.fx.experimental.symbolic_shapes
    places = [(getattr(shapes, owner), name) for owner, names in SHAPE_WORK.items() if hasattr(shapes, owner)
              for name in names if name in vars(getattr(shapes, owner))]
    replaced = [(owner, name, vars(owner)[name]) for owner, name in places]
    for owner, name, real in replaced:
        setattr(owner, name, watched(real))
    try:
        yield
    finally:
        for owner, name, real in replaced:
            setattr(owner, name, real)


def _exported(model, args, kwargs, dynamic_shapes, patience):
    """The program, and why sizes are fixed although they were to be free."""
    if dynamic_shapes == "fixed":
        return _export(model, args, kwargs, None), "asked for"
    if dynamic_shapes is not None:
        return _export(model, args, kwargs, dynamic_shapes), None
    reasons = []
    for which in ("tensors and numbers", "tensors", "first"):
        try:
            with _patience(patience), _named_keywords(model, args, kwargs):
                return _export(model, args, kwargs, _automatic_shapes(model, args, kwargs, which)), "; ".join(reasons) or None
        except CaptureError as error:
            if str(error) not in reasons:
                reasons.append(str(error))
    # A model may not let any size be free: its sizes are then those of the example.
    return _export(model, args, kwargs, None), reasons[-1]


def _export(model, args, kwargs, shapes):
    try:
        return torch.export.export(model, args, kwargs, dynamic_shapes=shapes, strict=False)
    except CaptureError:
        raise
    except Exception as error:
        raise CaptureError(_explained(error)) from error


def _explained(error):
    """The first lines of what torch.export says, which may be long, and where in the person's model it happened."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__)
           if "torch" not in frame.filename.split(os.sep) and frame.filename != __file__ and frame.filename[:1] != "<"]
    place = f"{_line(own[-1])}: \"{own[-1].line}\": " if own else ""
    lines = [line for line in str(error).splitlines() if line.strip()]
    text = " ".join(lines[:2])[:400] or type(error).__name__
    hint = ""
    if "Cache'> in output" in text:
        return "the forward returns a cache of keys and values, which no export has; valid is kwargs={..., \"use_cache\": False}"
    if "data-dependent" in str(error) or "GuardOnDataDependent" in type(error).__name__:
        hint = "; a size or a branch depends on values, which an export does not have"
    elif "Constraints violated" in str(error):
        hint = "; valid is torch.export.Dim.AUTO, which frees what the model leaves free"
    return f"{place}torch.export: {text}{hint}"


def _deaths_of(model, program, args, kwargs):
    try:
        return _lifetimes(model, program, args, kwargs), None
    except Exception as error:  # the archive is of use without them
        text = str(error).splitlines() or [""]
        return None, f"{type(error).__name__}: {text[0].split(' and mode <')[0][:300]}"


# ---- models of packages ---------------------------------------------------------------------------------------------


def _package(name):
    try:
        return __import__(name)
    except ImportError as error:
        raise CaptureError(f"the package {name} cannot be imported ({error}): pip install {name}") from error


def _config_of(where, subfolder):
    """A configuration file as an object, and its path."""
    file = os.path.join(where, subfolder or "", "config.json")
    if not os.path.isdir(where):
        if os.path.exists(where) or where.startswith((".", "/", "~")) or where.count("/") > 1:
            raise CaptureError(f"{where}: there is no such folder; valid is a folder with config.json, or OWNER/NAME on the hub")
        file = _downloaded(where, subfolder)
    try:
        with open(file, encoding="utf-8") as stream:
            return json.load(stream), file
    except OSError as error:
        raise CaptureError(f"{file} cannot be read ({error.strerror}); valid is the folder of one model (of a pipeline: "
                           "--subfolder transformer or --subfolder unet)") from error
    except ValueError as error:
        raise CaptureError(f"{file}: {error}; valid is JSON") from error


def _downloaded(where, subfolder):
    """The configuration file of a repository, from the hub's cache where the hub cannot be reached."""
    hub = _package("huggingface_hub")
    unreached = _unreached(os.environ.get("HF_ENDPOINT") or "https://huggingface.co")
    try:
        return hub.hf_hub_download(where, "config.json", subfolder=subfolder, local_files_only=unreached is not None)
    except Exception as error:
        why = unreached or " ".join(str(error).split()) or type(error).__name__
        raise CaptureError(f"{where}: its config.json cannot be fetched ({why}); valid is OWNER/NAME on the hub that "
                           "this machine may read, or a folder with config.json") from error


def _unreached(endpoint, seconds=5):
    """Why no connection to a server can be made, or None: the hub's client goes on trying for a minute."""
    server = urllib.parse.urlsplit(endpoint)
    if urllib.request.getproxies().get(server.scheme) or urllib.request.getproxies().get("all"):
        return None  # the proxy knows where it is
    try:
        socket.create_connection((server.hostname, server.port or (80 if server.scheme == "http" else 443)), seconds).close()
    except OSError as error:
        return f"{server.hostname} cannot be reached: {error.strerror or error}"
    return None


def _transformers_model(arguments, dtype):
    config, file = _config_of(arguments.transformers, arguments.subfolder)
    transformers = _package("transformers")
    names = [arguments.model_class] if arguments.model_class else config.get("architectures") or []
    found = [name for name in names if hasattr(transformers, name)]
    if names and not found:
        raise CaptureError(f"{file}: architectures: transformers {transformers.__version__} has no {names[0]}: build the model "
                           "in Python and call headroom_capture.capture")
    if not names:
        raise CaptureError(f"{file}: has no \"architectures\", which name the class: --class LlamaForCausalLM, for example")
    model_class = getattr(transformers, found[0])
    try:
        config = model_class.config_class.from_dict(config)
    except Exception as error:
        raise CaptureError(f"{file}: {error}") from error
    with torch.device("meta"):
        return model_class._from_config(config, dtype=dtype)


def _image_size(config):
    vision = getattr(config, "vision_config", config)
    size = getattr(vision, "image_size", 224)
    height, width = size if isinstance(size, (tuple, list)) else (size, size)
    return getattr(vision, "num_channels", 3), height, width


def _transformers_inputs(model, arguments, dtype):
    config, batch, sequence = model.config, arguments.batch, arguments.sequence
    text = getattr(config, "text_config", None) or config
    longest = getattr(text, "max_position_embeddings", None) or getattr(text, "n_positions", None)
    tokens = torch.zeros(batch, min(sequence, longest) if longest else sequence, dtype=torch.long)
    name = model.main_input_name
    accepted = inspect.signature(model.forward).parameters
    if name == "input_features":
        frames = 2 * config.max_source_positions
        return {name: torch.zeros(batch, config.num_mel_bins, frames, dtype=dtype),
                "decoder_input_ids": torch.zeros(batch, min(sequence, config.max_target_positions), dtype=torch.long)}
    if name not in ("input_ids", "pixel_values"):
        raise CaptureError(f"no example inputs are known for {type(model).__name__}, whose main input is {name}: build it in "
                           "Python under torch.device(\"meta\") and call headroom_capture.capture(model, args, kwargs, path)")
    inputs = {"input_ids": tokens} if "input_ids" in accepted else {}
    if "pixel_values" in accepted and (name == "pixel_values" or hasattr(config, "vision_config")):
        inputs["pixel_values"] = torch.zeros(batch, *_image_size(config), dtype=dtype)
    if getattr(config, "is_encoder_decoder", False) and "decoder_input_ids" in accepted:
        inputs["decoder_input_ids"] = torch.zeros_like(tokens)
    return inputs


def _from_transformers(arguments, dtype):
    model = _transformers_model(arguments, dtype)
    for module in model.modules():  # a decoder within has a copy of its own
        for config in (getattr(module, "config", None), getattr(getattr(module, "config", None), "text_config", None)):
            if config is not None:
                config.use_cache = False  # a step of training keeps none
    with torch.device("meta"):
        return model, _transformers_inputs(model, arguments, dtype)


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
    config, file = _config_of(arguments.diffusers, arguments.subfolder)
    diffusers = _package("diffusers")
    name = arguments.model_class or config.get("_class_name", "")
    if not name or not hasattr(diffusers, name):
        raise CaptureError(f"{file}: _class_name is \"{name}\", which diffusers {diffusers.__version__} does not have"
                           if name else f"{file}: has no \"_class_name\": --class UNet2DConditionModel, for example")
    with torch.device("meta"):
        model = getattr(diffusers, name).from_config(config)
        _cast(model, dtype)
        return model, _diffusers_inputs(model, arguments, dtype)


def _cast(model, dtype):
    """As from_pretrained(torch_dtype=...) does it: buffers, and what the class keeps in float32, stay as they are."""
    kept = getattr(model, "_keep_in_fp32_modules", None) or ()
    for name, parameter in model.named_parameters():
        if not any(part in kept for part in name.split(".")):
            parameter.data = parameter.data.to(dtype)


# ---- command line ---------------------------------------------------------------------------------------------------


def _count(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"found {text}; valid is a whole number of 1 or more")
    return int(text)


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
    source.add_argument("--transformers", metavar="FOLDER_OR_REPO", help="a model of the package transformers")
    source.add_argument("--diffusers", metavar="FOLDER_OR_REPO", help="a model of the package diffusers")
    parser.add_argument("--subfolder", metavar="NAME", help="of a pipeline: transformer, unet, text_encoder")
    parser.add_argument("--class", dest="model_class", metavar="NAME",
                        help="the model's class, where the configuration does not say it or another one is wanted")
    parser.add_argument("-o", "--output", metavar="FILE.pt2", default="model.pt2", help="default model.pt2")
    parser.add_argument("--dtype", default="bfloat16", choices=["float32", "bfloat16", "float16"],
                        help="of the weights (default bfloat16)")
    parser.add_argument("--batch", type=_count, default=2, metavar="N", help="of the example (default 2; 1 would be fixed)")
    parser.add_argument("--sequence", type=_count, default=1024, metavar="N", help="tokens of the example (default 1024)")
    parser.add_argument("--text-tokens", type=_count, default=128, metavar="N", help="of a diffusion model (default 128)")
    parser.add_argument("--height", type=_count, default=512, metavar="PIXELS", help="of a diffusion model (default 512)")
    parser.add_argument("--width", type=_count, default=768, metavar="PIXELS", help="default 768")
    parser.add_argument("--frames", type=_count, default=49, metavar="N", help="of a video model (default 49)")
    parser.add_argument("--eval", action="store_true", help="export in evaluation mode: for inference alone")
    parser.add_argument("--patience", type=float, default=120, metavar="SECONDS",
                        help="processor time that torch.export may take with sizes free, before fewer are (default 120; 0: any)")
    parser.add_argument("--static", action="store_true", help="fix all sizes to the example's")
    return parser.parse_args(given)


def _report(model, path, notes):
    count = sum(parameter.numel() for parameter in model.parameters())
    mode = "training" if notes["training"] else "evaluation mode, for inference alone"
    print(f"{path}: {notes['model'].split('.')[-1]}, {count:,} parameters, {os.path.getsize(path) / 1e6:.1f} MB, {mode}")
    free = ", ".join(".".join([name, *map(str, dims[:1])]) if len(dims) < 2 else f"{name}.{{{','.join(map(str, dims))}}}"
                     for name, dims in notes["free_dimensions"].items())
    print(f"free sizes: {free or 'none'}")
    if notes["fixed_because"]:
        print(f"remark: {'other' if free else 'all'} sizes are fixed: {notes['fixed_because']}")
    if notes["lifetimes"] is None:
        print(f"remark: when tensors die could not be seen: {notes['lifetimes_problem']}")
    for function in notes["autograd_functions"]:
        print(f"remark: the export loses the backward of {function['name']} ({function['source']}): inference alone is exact")


def main(given=None):
    arguments = _arguments(given)
    try:
        build = _from_transformers if arguments.transformers else _from_diffusers
        model, inputs = build(arguments, getattr(torch, arguments.dtype))
        model.eval() if arguments.eval else model.train()
        notes = capture(model, (), inputs, arguments.output, "fixed" if arguments.static else None,
                        patience=arguments.patience or None)
    except CaptureError as error:
        print(f"headroom_capture.py: error: {error}", file=sys.stderr)
        return 1
    _report(model, arguments.output, notes)
    return 0


if __name__ == "__main__":
    sys.exit(main())

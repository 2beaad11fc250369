#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What upstream's models do under torch.autocast on the CPU, for tests/core/models/families/AutocastReferenceTest.cpp.

    autocast_values.py            compares what it computes with autocast.json and says what differs
    autocast_values.py --write    writes autocast.json

Needs torch, diffusers and transformers, and says so and ends well where one is missing: nothing of Headroom runs this.
Parameters and inputs are those of the fill rule (ReferenceFill.h), the loss is the mean of the squared output in float32.

Of each case: elements and norm of the output, norms of gradients; every cast (`_to_copy`) of the forward between float32 and
16 bits by its types, with how many there were and of how many elements; bytes that autograd holds when the forward ends, weights, inputs and the output left
out.
"""

import json
import pathlib
import sys

PLACE = pathlib.Path(__file__).with_name("autocast.json")
SEEDS = {"hidden": 9001, "text": 9002, "pooled": 9003, "cosines": 9006, "sines": 9007}
RELATIVE = 2e-2

try:
    import diffusers
    import numpy
    import torch
    import transformers
    from diffusers.models.attention import FeedForward
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils._python_dispatch import TorchDispatchMode
    from transformers.integrations import sdpa_attention
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)


# transformers hands LibTorch's attention the key and value heads as they are; before version 5, and still with a mask, it
# copies them for their query heads. Which of the two a case is of is in its model's name.
upstreams_sharing = sdpa_attention.use_gqa_in_sdpa


def unit(count, seed):
    """The rule's numbers in [0, 1), integers modulo 2^32."""
    with numpy.errstate(over="ignore"):
        h = numpy.arange(count, dtype=numpy.uint32) * numpy.uint32(2654435761)
        h = h + numpy.uint32(40503 * seed + 12345 & 0xFFFFFFFF)
        for shift, factor in ((16, 2246822519), (13, 3266489917)):
            h = (h ^ (h >> numpy.uint32(shift))) * numpy.uint32(factor)
        h ^= h >> numpy.uint32(16)
    return h.astype(numpy.float64) / 4294967296.0


def filled(shape, seed, amplitude=1.0, offset=0.0):
    count = int(numpy.prod(shape))
    values = offset + amplitude * (2.0 * unit(count, seed) - 1.0)
    return torch.from_numpy(values.astype(numpy.float32)).reshape(shape)


def fill_parameters(model):
    named = dict(model.named_parameters())
    with torch.no_grad():
        for seed, name in enumerate(sorted(named, key=lambda text: text.encode())):
            parameter = named[name]
            vector = parameter.dim() == 1
            amplitude = 0.2 if vector else 1.5 / (parameter.numel() / parameter.shape[0]) ** 0.5
            offset = 1.0 if vector and name.endswith("weight") else 0.0
            parameter.copy_(filled(tuple(parameter.shape), seed, amplitude, offset))


class Stack(torch.nn.Module):
    """ffn-stack: diffusers' feed-forwards, one after the other."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(
            FeedForward(16, mult=4, activation_fn=kind) for kind in ("geglu", "geglu"))

    def forward(self, hidden_states):
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        return hidden_states


def ltx_video():
    model = diffusers.LTXVideoTransformer3DModel(in_channels=4, out_channels=4, num_attention_heads=2,
        attention_head_dim=8, num_layers=2, caption_channels=12, cross_attention_dim=16)
    return model, {"hidden_states": filled((2, 24, 4), SEEDS["hidden"]),
        "encoder_hidden_states": filled((2, 5, 12), SEEDS["text"]), "timestep": torch.tensor([500.0, 37.0]),
        "encoder_attention_mask": None, "num_frames": 2, "height": 3, "width": 4}


def flux():
    model = diffusers.FluxTransformer2DModel(in_channels=4, num_layers=2, num_single_layers=2, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=12, pooled_projection_dim=10, guidance_embeds=True,
        axes_dims_rope=(4, 4, 8))
    ids = torch.zeros(12, 3)
    ids[:, 1] = torch.arange(12) // 4
    ids[:, 2] = torch.arange(12) % 4
    return model, {"hidden_states": filled((2, 12, 4), SEEDS["hidden"]),
        "encoder_hidden_states": filled((2, 5, 12), SEEDS["text"]),
        "pooled_projections": filled((2, 10), SEEDS["pooled"]), "timestep": torch.tensor([0.5, 0.037]),
        "img_ids": ids, "txt_ids": torch.zeros(5, 3), "guidance": torch.full((2,), 3.5)}


def wan():
    model = diffusers.WanTransformer3DModel(num_attention_heads=2, attention_head_dim=12, in_channels=4,
        out_channels=4, text_dim=16, freq_dim=32, ffn_dim=40, num_layers=2, rope_max_seq_len=32)
    return model, {"hidden_states": filled((2, 4, 2, 6, 8), SEEDS["hidden"]),
        "encoder_hidden_states": filled((2, 5, 16), SEEDS["text"]), "timestep": torch.tensor([500.0, 37.0])}


def cogvideox():
    model = diffusers.CogVideoXTransformer3DModel(num_attention_heads=2, attention_head_dim=16, in_channels=4,
        out_channels=4, time_embed_dim=10, text_embed_dim=12, num_layers=2, sample_width=8, sample_height=6,
        sample_frames=5, max_text_seq_length=5, use_rotary_positional_embeddings=True)
    return model, {"hidden_states": filled((2, 2, 4, 6, 8), SEEDS["hidden"]),
        "encoder_hidden_states": filled((2, 5, 12), SEEDS["text"]), "timestep": torch.tensor([500.0, 37.0]),
        "image_rotary_emb": (filled((24, 16), SEEDS["cosines"]), filled((24, 16), SEEDS["sines"]))}


def llama(shared=4):
    config = transformers.LlamaConfig(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=shared, vocab_size=48, rms_norm_eps=1e-5, use_cache=False, attn_implementation="sdpa",
        tie_word_embeddings=False)
    return transformers.LlamaForCausalLM(config), {"input_ids": torch.arange(12).reshape(2, 6) * 7 % 48}


def t5_encoder():
    config = transformers.T5Config(vocab_size=48, d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4,
        relative_attention_num_buckets=8, relative_attention_max_distance=16, dropout_rate=0.0,
        feed_forward_proj="gated-gelu", attn_implementation="sdpa")
    return transformers.T5EncoderModel(config), {"input_ids": torch.arange(12).reshape(2, 6) * 7 % 48}


def ffn_stack():
    return Stack(), {"hidden_states": filled((2, 8, 16), SEEDS["hidden"])}


MODELS = {"ffn-stack-tiny": ffn_stack, "ltx-video-tiny": ltx_video, "flux-tiny": flux, "wan-tiny": wan,
    "cogvideox-tiny": cogvideox, "llama-tiny": llama, "llama-tiny/2": lambda: llama(2),
    "llama-tiny/2/repeat_kv": lambda: llama(2), "t5-v1.1-tiny": t5_encoder}
FLOATING = ("hidden_states", "encoder_hidden_states", "pooled_projections")


def in_dtype(model, inputs, dtype):
    """As from_pretrained(torch_dtype=...) has it: what upstream keeps in float32, and buffers, stay as they are.
    transformers keeps it for float16 alone."""
    buffers = {name: value.clone() for name, value in model.named_buffers()}
    kept = getattr(model, "_keep_in_fp32_modules", None) or []
    if isinstance(model, transformers.PreTrainedModel) and dtype is not torch.float16:
        kept = []
    for name, parameter in model.named_parameters():
        if not any(part in kept for part in name.split(".")):
            parameter.data = parameter.data.to(dtype)
    for name, value in model.named_buffers():
        value.data = buffers[name]
    return {name: value.to(dtype) if name in FLOATING else value for name, value in inputs.items()}


class Casts(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.found = {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        counted = {torch.float32, torch.bfloat16, torch.float16}
        if func is torch.ops.aten._to_copy.default and result.dtype != args[0].dtype and {
                result.dtype, args[0].dtype} <= counted:
            key = f"{args[0].dtype}>{result.dtype}".replace("torch.", "")
            entry = self.found.setdefault(key, [0, 0])
            entry[0] += 1
            entry[1] += result.numel()
        return result


class Held:
    """One tensor that autograd holds."""

    def __init__(self, tensor):
        self.tensor = tensor


class Saved:
    def __init__(self):
        import weakref
        self.held = weakref.WeakSet()

    def pack(self, tensor):
        held = Held(tensor)
        self.held.add(held)
        return held

    def bytes_without(self, tensors):
        left_out = {tensor.untyped_storage().data_ptr() for tensor in tensors}
        storages = {h.tensor.untyped_storage().data_ptr(): h.tensor.untyped_storage().nbytes() for h in self.held}
        return sum(size for place, size in storages.items() if place not in left_out)


def tensors_of(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, tuple):
            yield from tensors_of(value)


def case(name, dtype, autocast):
    torch.manual_seed(0)
    # The number of key and value heads, where it is not the default, and whether they are copied for their query heads.
    model_name, shared, repeated = (name.split("/") + [None, None])[:3]
    sdpa_attention.use_gqa_in_sdpa = (lambda *arguments: False) if repeated else upstreams_sharing
    model, inputs = MODELS[name]()
    model.train()
    fill_parameters(model)
    inputs = in_dtype(model, inputs, getattr(torch, dtype))
    saved, casts = Saved(), Casts()
    options = {} if isinstance(model, Stack) else {"return_dict": False}
    with sdpa_kernel(SDPBackend.MATH), torch.autograd.graph.saved_tensors_hooks(saved.pack, lambda h: h.tensor), casts:
        with torch.autocast("cpu", getattr(torch, autocast)):
            output = model(**inputs, **options)
            output = output[0] if isinstance(output, tuple) else output
            counted = {key: list(entry) for key, entry in casts.found.items()}
            held = saved.bytes_without([*model.parameters(), *tensors_of(inputs.values()), output])
            loss = output.float().square().mean()
    loss.backward()
    gradients = {n: p.grad.double().norm().item() for n, p in model.named_parameters() if p.grad is not None}
    flat = output.detach().double().flatten()
    places = sorted({0, 1, flat.numel() // 2, flat.numel() - 1})
    largest = sorted(gradients, key=gradients.get)[-6:]
    return {"model": model_name, "key_value_heads": int(shared) if shared else None, "repeat_kv": bool(repeated),
        "dtype": dtype, "autocast": autocast, "output_dtype": str(output.dtype)[6:],
        "elements": {str(i): flat[i].item() for i in places}, "output_l2": flat.norm().item(), "loss": loss.item(),
        "gradient_norm": sum(g * g for g in gradients.values()) ** 0.5,
        "gradient_l2": {n: gradients[n] for n in sorted(largest)},
        "gradient_dtypes": sorted({str(p.grad.dtype)[6:] for p in model.parameters() if p.grad is not None}),
        "casts": {key: counted[key] for key in sorted(counted)}, "saved_bytes": held}


def lists():
    """Names of the ops that LibTorch's autocast has kernels for; one of CUDA's library alone is left out."""
    return {key: sorted({name for name in torch._C._dispatch_get_registrations_for_dispatch_key(key)
            if name.startswith("aten::") and name != "aten::_cudnn_rnn"})
        for key in ("AutocastCPU", "AutocastCUDA")}


def all_cases():
    for name in MODELS:
        for dtype, autocast in (("float32", "bfloat16"), ("float32", "float16"), ("bfloat16", "bfloat16"),
                ("float16", "float16")):
            yield case(name, dtype, autocast)


def differs(found, expected):
    if isinstance(found, dict):
        return found.keys() != expected.keys() or any(differs(found[key], expected[key]) for key in found)
    if isinstance(found, float):
        return abs(found - expected) > RELATIVE * max(1.0, abs(expected))
    return found != expected


def main(arguments):
    result = {"source": f"Computed by autocast_values.py with torch {torch.__version__.split('+')[0]}, diffusers "
            f"{diffusers.__version__} and transformers {transformers.__version__} on the CPU.",
        "ops": lists(), "cases": list(all_cases())}
    if "--write" in arguments:
        PLACE.write_text(json.dumps(result, indent=1) + "\n")
        return 0
    stored = json.loads(PLACE.read_text())
    wrong = [f"{c['model']}, {c['dtype']} under {c['autocast']}" for c, e in zip(result["cases"], stored["cases"])
        if differs(c, e)]
    if result["ops"] != stored["ops"]:
        wrong.append("ops of LibTorch's lists")
    print("\n".join(["differs: " + text for text in wrong] or [f"{len(result['cases'])} cases agree"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""The step of a model of the catalogue as a script of the field makes it, with the library's own class and random weights.

    headroom rehearse --device h100-80gb -- python step.py CASE     # CASE: JSON, as scripts/same-step gives it
"""

import inspect
import json
import sys

import torch

CUDA = torch.device("cuda")


def llama(upstream, fields, shapes):
    import transformers
    fields = dict(fields)
    scaling = {"rope_theta": fields.pop("rope_theta"), "rope_type": "default"}
    config = transformers.LlamaConfig(**fields, rope_parameters=scaling)
    ids = torch.randint(fields["vocab_size"], (shapes["batch"], shapes["sequence_length"]), device=CUDA)
    return lambda: transformers.LlamaForCausalLM(config), {"input_ids": ids, "labels": ids, **upstream}


def t5_encoder(upstream, fields, shapes):
    import transformers
    config = transformers.T5Config(**fields)
    ids = torch.randint(fields["vocab_size"], (shapes["batch"], shapes["sequence_length"]), device=CUDA)
    return lambda: transformers.T5EncoderModel(config), {"input_ids": ids, **upstream}


def of_diffusers(name, fields):
    import diffusers
    made = getattr(diffusers, name)
    known = inspect.signature(made).parameters
    return lambda: made(**{key: value for key, value in fields.items() if key in known and value is not None})


def ltx_video(_, fields, shapes):
    grid = {"num_frames": (shapes["frames"] - 1) // 8 + 1, "height": shapes["height"] // 32, "width": shapes["width"] // 32}
    tokens = grid["num_frames"] * grid["height"] * grid["width"]
    batch, text = shapes["batch"], shapes["text_tokens"]
    fields = {**fields, "cross_attention_dim": fields["num_attention_heads"] * fields["attention_head_dim"]}
    return of_diffusers("LTXVideoTransformer3DModel", fields), {
        "hidden_states": torch.randn(batch, tokens, fields["in_channels"], device=CUDA),
        "encoder_hidden_states": torch.randn(batch, text, fields["caption_channels"], device=CUDA),
        "encoder_attention_mask": torch.randint(2, (batch, text), device=CUDA, dtype=torch.bool),
        "timestep": torch.randint(1000, (batch,), device=CUDA), **grid}


def flux(_, fields, shapes):
    tokens = (shapes["height"] // 16) * (shapes["width"] // 16)
    batch, text = shapes["batch"], shapes["text_tokens"]
    real = {"device": CUDA, "dtype": torch.float32}
    return of_diffusers("FluxTransformer2DModel", fields), {
        "hidden_states": torch.randn(batch, tokens, fields["in_channels"], device=CUDA),
        "encoder_hidden_states": torch.randn(batch, text, fields["joint_attention_dim"], device=CUDA),
        "pooled_projections": torch.randn(batch, fields["pooled_projection_dim"], device=CUDA),
        "timestep": torch.rand(batch, device=CUDA), "img_ids": torch.zeros(tokens, 3, **real),
        "txt_ids": torch.zeros(text, 3, **real), "guidance": torch.full((batch,), 3.5, **real)}


def wan(_, fields, shapes):
    extent = (shapes["frames"] - 1) // 4 + 1, shapes["height"] // 8, shapes["width"] // 8
    batch = shapes["batch"]
    return of_diffusers("WanTransformer3DModel", fields), {
        "hidden_states": torch.randn(batch, fields["in_channels"], *extent, device=CUDA),
        "encoder_hidden_states": torch.randn(batch, shapes["text_tokens"], fields["text_dim"], device=CUDA),
        "timestep": torch.randint(1000, (batch,), device=CUDA)}


def cogvideox(_, fields, shapes):
    frames, height, width = (shapes["frames"] - 1) // 4 + 1, shapes["height"] // 8, shapes["width"] // 8
    batch = shapes["batch"]
    inputs = {
        "hidden_states": torch.randn(batch, frames, fields["in_channels"], height, width, device=CUDA),
        "encoder_hidden_states": torch.randn(batch, shapes["text_tokens"], fields["text_embed_dim"], device=CUDA),
        "timestep": torch.randint(1000, (batch,), device=CUDA)}
    if fields["use_rotary_positional_embeddings"]:
        tokens = frames * (height // 2) * (width // 2)
        inputs["image_rotary_emb"] = tuple(torch.zeros(tokens, fields["attention_head_dim"], device=CUDA, dtype=torch.float32)
                                           for _ in range(2))
    return of_diffusers("CogVideoXTransformer3DModel", fields), inputs


def made(make):
    """On the card in bfloat16, but for what the library keeps in float32 when it loads a checkpoint in bfloat16."""
    with CUDA:
        model = make().train()
    kept = set(getattr(model, "_keep_in_fp32_modules", None) or ()) if type(model).__module__.startswith("diffusers") else set()
    for name, parameter in model.named_parameters():
        if kept & set(name.split(".")):
            parameter.data = parameter.data.float()
    return model


def loss_of(model, inputs, target):
    output = model(**inputs)
    if "labels" in inputs:
        return output.loss
    if not target:
        target.append(torch.randn_like(output[0]))
    return (output[0] - target[0]).square().mean()


def main(case):
    torch.set_default_dtype(torch.bfloat16)
    make, inputs = globals()[case["family"].replace("-", "_")](case["options"], case["fields"], case["shapes"])
    model, target = made(make), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
    for _ in range(case["steps"]):
        optimizer.zero_grad()
        loss = loss_of(model, inputs, target)
        loss.backward()
        optimizer.step()
        del loss
    peaks = torch.cuda.memory_stats()
    print(*(peaks[f"{what}_bytes.all.peak"] for what in ("requested", "allocated", "reserved")))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

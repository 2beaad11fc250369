# SPDX-License-Identifier: Apache-2.0
"""The training step that mem-run-estimator measured on an H100 (github.com/sanketpurandare/mem-run-estimator, e2955a1):
batches made on the card, SDPA without its mathematical form, Adam, five steps, float16 as default, by autocast, or not at all."""

import argparse
from contextlib import nullcontext

# Imported here, as the measured program did: under torch.device("cuda") an import can multiply on the card.
import timm
import timm.optim
import torch
from torch.distributed._composable import checkpoint
from torch.distributed._tools import MemTracker, RuntimeEstimator  # noqa: F401
from torch.nn.attention import SDPBackend, sdpa_kernel
from transformers import (AutoModelForCausalLM, CLIPModel, GemmaConfig, GemmaForCausalLM, GPT2Config,  # noqa: F401
                          LlamaConfig, LlamaForCausalLM)

CHECKPOINTED = {
    "gpt2-large": {"GPT2Block"},
    "llama-3.2-1b": {"LlamaMLP", "LlamaRMSNorm"},
    "gemma-2b": {"GemmaMLP", "GemmaRMSNorm"},
    "convnextv2_huge.fcmae_ft_in22k_in1k_512": {"GlobalResponseNormMlp"},
    "vit_huge_patch14_clip_224.laion2b_ft_in12k_in1k": {"Block"},
}
FUSED = [SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=CHECKPOINTED, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--size", type=int, required=True, help="tokens of a sequence, or pixels of a side")
    parser.add_argument("--precision", choices=["FP", "MP", "HP"], default="FP")
    parser.add_argument("--checkpoint", action="store_true")
    parser.add_argument("--steps", type=int, default=5)
    return parser.parse_args()


def configuration(name):
    """As the published config.json of the model has it."""
    if name == "gpt2-large":
        return GPT2Config(n_embd=1280, n_layer=36, n_head=20)
    if name == "llama-3.2-1b":
        scaling = {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                   "original_max_position_embeddings": 8192}
        return LlamaConfig(vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16,
                           num_attention_heads=32, num_key_value_heads=8, head_dim=64, max_position_embeddings=131072,
                           rms_norm_eps=1e-5, rope_theta=500000.0, rope_scaling=scaling, tie_word_embeddings=True,
                           bos_token_id=128000, eos_token_id=128009)
    return GemmaConfig(vocab_size=256000, hidden_size=2048, intermediate_size=16384, num_hidden_layers=18,
                       num_attention_heads=8, num_key_value_heads=1, head_dim=256, max_position_embeddings=8192)


def language_model(options, dtype, device):
    config = configuration(options.model)
    with device:
        model = AutoModelForCausalLM.from_config(config).to(dtype=dtype)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, weight_decay=1e-4, eps=1e-6)

    def batch():
        shape = (options.batch, options.size)
        return [torch.randint(0, config.vocab_size, shape, device=device) for _ in range(2)]

    return model, optimizer, batch, lambda inputs: model(input_ids=inputs[0], labels=inputs[1]).loss


def image_model(options, dtype, device):
    with device:
        model = timm.create_model(options.model, pretrained=False).to(dtype=dtype)
    optimizer = timm.optim.create_optimizer_v2(model, opt="adam")

    def batch():
        images = torch.randn((options.batch, 3, options.size, options.size), dtype=dtype, device=device)
        return images, torch.randint(0, model.default_cfg["num_classes"], (options.batch,), device=device)

    def loss_of(inputs):
        output = model(inputs[0])
        return torch.nn.functional.cross_entropy(output, inputs[1]), output  # the measured step holds its output, too

    return model, optimizer, batch, loss_of


def train_step(optimizer, batch, loss_of, autocast):
    inputs = batch()
    with sdpa_kernel(FUSED):
        with autocast:
            loss = loss_of(inputs)
        (loss[0] if isinstance(loss, tuple) else loss).backward()
        optimizer.step()
        optimizer.zero_grad()


def main():
    options = parsed()
    dtype = torch.float16 if options.precision == "HP" else torch.float32
    torch.set_default_dtype(dtype)
    device = torch.device("cuda:0")
    kind = image_model if options.model.startswith(("convnext", "vit")) else language_model
    model, optimizer, batch, loss_of = kind(options, dtype, device)
    if options.checkpoint:
        for module in model.modules():
            if type(module).__name__ in CHECKPOINTED[options.model]:
                checkpoint(module, preserve_rng_state=False)
    model.train()
    autocast = torch.autocast(device_type="cuda:0") if options.precision == "MP" else nullcontext()
    for _ in range(options.steps):
        train_step(optimizer, batch, loss_of, autocast)
    statistics = torch.cuda.memory_stats()
    print(statistics["active_bytes.all.peak"], statistics["reserved_bytes.all.peak"])


main()

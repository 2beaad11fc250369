#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what `headroom settings` writes against the real packages, on the CPU, with tiny models.

    python tests/handoff/check.py build/release/bin/headroom [NAME...]

No part of CI: it needs torch, diffusers, transformers, accelerate, peft, torchtitan 0.2 and simpletuner 3.1 in this Python.
Without names every check runs; one whose package is missing counts as failed. The last line says how many passed.
"""

import sys
import tempfile
import traceback
from pathlib import Path

import torch

sys.dont_write_bytecode = True  # nothing is left behind in the checkout

from generated import counting_checkpoint, fields_of, lacking, module_of, settings

CHECKS = {}


def check(function):
    CHECKS[function.__name__] = function
    return function


def tiny_ltx(dtype=torch.float32):
    from diffusers import LTXVideoTransformer3DModel
    import inspect

    known = inspect.signature(LTXVideoTransformer3DModel.__init__).parameters
    torch.manual_seed(0)
    values = {name: value for name, value in fields_of("ltx-video-tiny").items() if name in known and value is not None}
    values["cross_attention_dim"] = values["num_attention_heads"] * values["attention_head_dim"]
    return LTXVideoTransformer3DModel(**values).to(dtype)


def ltx_batch(model, dtype):
    config = model.config
    return dict(hidden_states=torch.randn(1, 8, config.in_channels, dtype=dtype),
                encoder_hidden_states=torch.randn(1, 4, config.caption_channels, dtype=dtype),
                timestep=torch.tensor([500.0]), encoder_attention_mask=torch.ones(1, 4, dtype=torch.long),
                num_frames=2, height=2, width=2, rope_interpolation_scale=(1.0, 1.0, 1.0), return_dict=False)


def loss_of(model, batch):
    return model(**batch)[0].float().square().mean()


def gradients(model):
    return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


@check
def diffusers_lora_casting_checkpointing_ema():
    document = settings("diffusers", "--model", "ltx-video-tiny", "--trainable", "lora:4", "--casting", "e4m3",
                        "--checkpointing", "every:2", "--optimizer", "adamw:foreach", "--ema", "host", "--dtype", "bfloat16",
                        "--set", "workload.accumulate=2", "--set", "workload.clip_grad_norm=0.5",
                        "--set", "trainable.alpha=8")
    names = module_of(document)
    calls = counting_checkpoint(names)
    model = names["prepare"](tiny_ltx(torch.bfloat16))
    blocks = len(model.transformer_blocks)
    lora = [module for module in model.modules() if hasattr(module, "lora_A") and len(module.lora_A)]
    assert lora and all(m.r["default"] == 4 and m.scaling["default"] == 2 for m in lora)
    assert {p.dtype for p in names["trained"](model)} == {torch.bfloat16}
    assert all("lora_" in name for name, p in model.named_parameters() if p.requires_grad)
    stored = model.transformer_blocks[0].ff.net[2].weight
    assert stored.dtype == torch.float8_e4m3fn, stored.dtype
    optimizer = names["make_optimizer"](model)
    assert type(optimizer) is torch.optim.AdamW and optimizer.defaults["foreach"] and not optimizer.defaults["fused"]
    ema = names["make_ema"](model)
    before = [p.detach().clone() for p in names["trained"](model)]
    names["update"](model, optimizer, [ltx_batch(model, torch.bfloat16)] * 2, loss_of, ema)
    assert len(calls) == 2 * ((blocks + 1) // 2), (len(calls), blocks)
    assert all(call["use_reentrant"] is False for call in calls)
    assert any(not torch.equal(a, b) for a, b in zip(before, names["trained"](model)))
    assert ema.optimization_step == 1 and ema.shadow_params[0].device.type == "cpu"
    assert lacking(document) == {"techniques.ema"}, lacking(document)


@check
def diffusers_plain_checkpointing_has_the_switch():
    names = module_of(settings("diffusers", "--model", "ltx-video-tiny", "--checkpointing", "all", "--dtype", "float32"))
    model = names["prepare"](tiny_ltx())
    assert model.is_gradient_checkpointing
    names["update"](model, names["make_optimizer"](model), [ltx_batch(model, torch.float32)], loss_of)


@check
def diffusers_ops_and_attention_keep_gradients():
    model = tiny_ltx()
    batch = ltx_batch(model, torch.float32)
    loss_of(model, batch).backward()
    plain = gradients(model)
    model.zero_grad()
    names = module_of(settings("diffusers", "--model", "ltx-video-tiny", "--checkpointing", "ops:mm/2+offload", "--attention",
                               "math", "--step", "forward_backward", "--dtype", "float32"))
    calls = counting_checkpoint(names)
    model = names["prepare"](model)
    names["update"](model, [batch], loss_of)
    assert len(calls) == len(model.transformer_blocks) and all("context_fn" in call for call in calls)
    for name, gradient in gradients(model).items():
        torch.testing.assert_close(gradient, plain[name], rtol=1e-4, atol=1e-6)


@check
def diffusers_group_offload_in_inference():
    document = settings("diffusers", "--model", "ltx-video-tiny", "--offload", "block:1", "--dtype", "float32")
    model = tiny_ltx()
    batch = ltx_batch(model, torch.float32)
    with torch.no_grad():
        plain = model(**batch)[0]
    names = module_of(document)
    model = names["prepare"](model)
    assert any("group_offloading" in hook for module in model.modules() for hook in
               getattr(getattr(module, "_diffusers_hook", None), "hooks", {}))
    torch.testing.assert_close(names["infer"](model, **batch)[0], plain)


@check
def autograd_keeps_what_a_forward_has_used():
    """Why offload is lacking in training: weights that a hook moves away stay where the graph has them."""
    layer = torch.nn.Linear(4, 4).requires_grad_(False)
    hidden = torch.randn(2, 4, requires_grad=True)
    out = layer(hidden)
    used = layer.weight.detach().clone()
    layer.weight.data = torch.zeros(4, 4)  # as a hook does that brings the host's bytes back
    out.sum().backward()
    torch.testing.assert_close(hidden.grad[0], used.sum(0))
    assert "techniques.offload" in lacking(
        settings("diffusers", "--model", "ltx-video-tiny", "--trainable", "lora:4", "--offload", "block:1"))


def tiny_llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=4, num_attention_heads=4,
                                        num_key_value_heads=2, vocab_size=64))


class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        tokens = (torch.arange(16) + index) % 64
        return {"input_ids": tokens, "labels": tokens}


def trained_once(names, model):
    with tempfile.TemporaryDirectory() as folder:
        trainer = names["make_trainer"](names["prepare"](model), folder, train_dataset=Tokens())
        trainer.args.max_steps = 1
        trainer.args.report_to = []
        trainer.args.save_strategy = "no"
        trainer.train()
    return trainer


@check
def transformers_switch_and_arguments():
    document = settings("transformers", "--model", "llama-tiny", "--trainable", "lora:4", "--checkpointing", "all", "--optimizer",
                        "adamw:foreach", "--dtype", "float32", "--batch", "2", "--set", "workload.accumulate=3",
                        "--set", "workload.clip_grad_norm=0.5", "--set", "workload.autocast=bfloat16",
                        "--set", "optimizer.lr=0.002")
    trainer = trained_once(module_of(document), tiny_llama())
    arguments = trainer.args
    assert arguments.per_device_train_batch_size == 2 and arguments.gradient_accumulation_steps == 3
    assert arguments.max_grad_norm == 0.5 and arguments.bf16 and not arguments.fp16
    optimizer = getattr(trainer.optimizer, "optimizer", trainer.optimizer)
    assert type(optimizer) is torch.optim.AdamW and optimizer.defaults["foreach"] and optimizer.defaults["lr"] == 0.002
    layers = trainer.model.base_model.model.model.layers
    assert all(layer.gradient_checkpointing for layer in layers)
    assert {name.split(".")[-3] for name, p in trainer.model.named_parameters() if p.requires_grad} == {"lora_A", "lora_B"}
    assert not lacking(document), lacking(document)


@check
def transformers_some_blocks():
    names = module_of(settings("transformers", "--model", "llama-tiny", "--checkpointing", "blocks:1", "--optimizer", "sgd",
                               "--dtype", "float32", "--batch", "4"))
    calls = counting_checkpoint(names)
    trainer = trained_once(names, tiny_llama())
    assert len(calls) == 1 and not trainer.args.gradient_checkpointing, len(calls)
    assert type(getattr(trainer.optimizer, "optimizer", trainer.optimizer)) is torch.optim.SGD


def torchtitan_job(*arguments):
    from torchtitan.config import ConfigManager

    document = settings("torchtitan", *arguments)
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(document["text"])
        file.flush()
        return ConfigManager().parse_args(["--job.config_file", file.name]), document


class Layers(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        self.layers = torch.nn.ModuleDict({str(i): torch.nn.Linear(4, 4, bias=False) for i in range(count)})


def wrapped_layers(job, count=8):
    from torchtitan.distributed import activation_checkpoint

    activation_checkpoint._layer_sac_count = 0
    model = Layers(count)
    if job.activation_checkpoint.mode != "none":
        activation_checkpoint.apply_ac(model, job.activation_checkpoint, op_sac_save_list={torch.ops.aten.mm.default})
    return [int(name) for name, layer in model.layers.items() if "CheckpointWrapper" in type(layer).__name__]


@check
def torchtitan_reads_the_file():
    job, document = torchtitan_job("--model", "llama-3-8b", "--optimizer", "adamw:fused", "--checkpointing", "ops:mm/2",
                                   "--dtype", "float32", "--batch", "2", "--sequence-length", "4096", "--set",
                                   "workload.accumulate=4", "--set", "workload.autocast=bfloat16", "--set",
                                   "workload.clip_grad_norm=1.0", "--set", "optimizer.lr=0.0003")
    assert (job.model.name, job.model.flavor) == ("llama3", "8B")
    import torchtitan
    flavors = Path(torchtitan.__file__).parent / "models" / "llama3" / "__init__.py"
    assert f'"{job.model.flavor}": TransformerModelArgs(' in flavors.read_text()
    training = job.training
    assert (training.local_batch_size, training.global_batch_size, training.seq_len) == (2, 8, 4096)
    assert (training.dtype, training.mixed_precision_param, training.max_norm) == ("float32", "bfloat16", 1.0)
    assert (job.optimizer.name, job.optimizer.implementation, job.optimizer.lr) == ("AdamW", "fused", 0.0003)
    policy = job.activation_checkpoint
    assert (policy.mode, policy.selective_ac_option, policy.early_stop) == ("selective", "op", True)
    assert policy.per_op_sac_force_recompute_mm_shapes_by_fqns == []
    assert wrapped_layers(job) == list(range(8))
    assert not lacking(document), lacking(document)


@check
def torchtitan_counts_layers_from_one():
    base = ("--model", "llama-3-8b", "--optimizer", "adamw", "--dtype", "bfloat16")
    job, document = torchtitan_job(*base, "--checkpointing", "every:4@3")
    assert wrapped_layers(job) == [3, 7] and not lacking(document)
    job, document = torchtitan_job(*base, "--checkpointing", "every:4")
    assert wrapped_layers(job) == [3, 7] and "techniques.checkpointing" in lacking(document)
    assert wrapped_layers(torchtitan_job(*base, "--checkpointing", "all")[0]) == list(range(8))
    assert wrapped_layers(torchtitan_job(*base)[0]) == []


class Stack(torch.nn.Module):
    """The names of ffn-stack, with layers of our own."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(
            torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 8)) for _ in range(5))

    def forward(self, hidden):
        for layer in self.layers:
            hidden = hidden + layer(hidden)
        return hidden


def stack_loss(model, batch):
    return model(batch).square().mean()


@check
def pytorch_policies_keep_gradients():
    for policy in ("all", "every:2", "skip:0", "ops", "all+offload"):
        torch.manual_seed(0)
        model, batch = Stack(), torch.randn(4, 8)
        stack_loss(model, batch).backward()
        plain = gradients(model)
        model.zero_grad()
        names = module_of(settings("pytorch", "--model", "ffn-stack", "--checkpointing", policy, "--step", "forward_backward"))
        calls = counting_checkpoint(names)
        names["update"](names["prepare"](model), [batch], stack_loss)
        expected = {"every:2": 3, "skip:0": 4}.get(policy, 5)
        assert len(calls) == expected, (policy, len(calls))
        for name, gradient in gradients(model).items():
            torch.testing.assert_close(gradient, plain[name])


@check
def pytorch_update_ema_and_readback():
    names = module_of(settings("pytorch", "--model", "ffn-stack", "--optimizer", "adamw", "--ema", "host:cpu", "--set",
                               "workload.accumulate=2", "--loss-readback", "every_step", "--set", "workload.autocast=bfloat16",
                               "--set", "ema.update_after_step=1", "--set", "workload.gradients=zero"))
    torch.manual_seed(0)
    model = names["prepare"](Stack())
    optimizer, ema = names["make_optimizer"](model), names["make_ema"](model)
    batches = [torch.randn(4, 8), torch.randn(4, 8)]
    for step in range(4):
        shadow = ema.module.layers[0][0].weight.clone()
        loss = names["update"](model, optimizer, batches, stack_loss, ema)
        weight = model.layers[0][0].weight
        grown = step - 1
        kept = min((1 + grown) / (10 + grown), 0.9999) if grown > 0 else 0
        torch.testing.assert_close(ema.module.layers[0][0].weight, shadow + (1 - kept) * (weight - shadow))
        assert loss > 0 and model.layers[0][0].weight.grad.abs().sum() > 0
    assert not optimizer.defaults["foreach"] and not optimizer.defaults["fused"]


@check
def accelerate_accumulates():
    document = settings("accelerate", "--model", "ffn-stack", "--optimizer", "sgd", "--checkpointing", "every:2", "--set",
                        "workload.accumulate=2", "--set", "workload.clip_grad_norm=0.001", "--set", "optimizer.lr=1.0")
    names = module_of(document)
    accelerator = names["make_accelerator"]()
    assert accelerator.gradient_accumulation_steps == 2 and accelerator.mixed_precision == "no"
    torch.manual_seed(0)
    model = names["prepare"](Stack())
    calls = counting_checkpoint(names)
    model, optimizer = accelerator.prepare(model, names["make_optimizer"](model))
    before = torch.cat([p.detach().flatten() for p in model.parameters()])
    names["update"](accelerator, model, optimizer, [torch.randn(4, 8).to(accelerator.device)] * 2, stack_loss)
    moved = torch.cat([p.detach().flatten() for p in model.parameters()]) - before
    assert abs(moved.norm().item() - 0.001) < 1e-5, moved.norm()  # one clipped update, not two
    assert len(calls) == 6


def simpletuner_parser():
    """Its parser imports what all model families need; what is missing of that (audio, text) is stood in for."""
    import importlib
    from unittest.mock import MagicMock

    for _ in range(40):
        try:
            return importlib.import_module("simpletuner.helpers.configuration.cmd_args").get_argument_parser
        except ModuleNotFoundError as error:
            if error.name.startswith("simpletuner"):
                raise
            sys.modules[error.name] = MagicMock()
    raise ImportError("SimpleTuner lacks more than its models' packages")


@check
def simpletuner_reads_the_file():
    import tomllib

    document = settings("simpletuner", "--model", "flux-dev", "--trainable", "lora:16", "--optimizer", "adamw",
                        "--checkpointing", "every:2", "--offload", "block:2+stream", "--ema", "host:cpu", "--batch", "2",
                        "--set", "workload.accumulate=4", "--set", "workload.clip_grad_norm=0.5", "--set", "ema.interval=3")
    from simpletuner.helpers.configuration.cli_utils import mapping_to_cli_args

    get_argument_parser = simpletuner_parser()
    given = mapping_to_cli_args(tomllib.loads(document["text"]))
    given += ["--output_dir=out", "--data_backend_config=data.json"]  # every run of SimpleTuner needs these of its own
    parser = get_argument_parser()
    for action in parser._actions:
        if action.dest == "model_family":
            action.choices = None  # families whose packages are missing here are none
    arguments, unknown = parser.parse_known_args(given)
    assert not unknown, unknown
    expected = dict(model_family="flux", model_type="lora", mixed_precision="bf16", optimizer="torch-adamw",
                    gradient_checkpointing=True, enable_group_offload=True, group_offload_type="block_level", use_ema=True,
                    ema_device="cpu", ema_cpu_only=True, ema_foreach_disable=True)
    numbers = dict(lora_rank=16, train_batch_size=2, gradient_accumulation_steps=4, max_grad_norm=0.5,
                   gradient_checkpointing_interval=2, group_offload_blocks_per_group=2, ema_update_interval=3,
                   learning_rate=0.001, ema_decay=0.9999)
    for name, value in {**expected, **numbers}.items():
        found = getattr(arguments, name)
        assert (float(found) if name in numbers else found) == value, (name, found)


def main():
    chosen = sys.argv[2:] or list(CHECKS)
    failed = []
    for name in chosen:
        try:
            CHECKS[name]()
            print("passed ", name, flush=True)
        except Exception:
            failed.append(name)
            print("FAILED ", name, flush=True)
            traceback.print_exc()
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Four steps of transformers' Trainer, then the script's own peaks."""

import sys
import tempfile

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

KINDS = {
    "full": {}, "evaluated": {"eval_strategy": "steps", "eval_steps": 2, "save_strategy": "steps", "save_steps": 2},
    "half": {"fp16": True, "gradient_accumulation_steps": 2}, "lora": {"gradient_checkpointing": True},
    "8bit": {"optim": "paged_adamw_8bit"},
}


def model_of(kind):
    model = LlamaForCausalLM(LlamaConfig(hidden_size=256, intermediate_size=512, num_hidden_layers=2, vocab_size=1024,
                                         num_attention_heads=4, num_key_value_heads=2))
    if kind != "lora":
        return model
    from peft import LoraConfig, get_peft_model

    model = get_peft_model(model, LoraConfig(target_modules="all-linear"))
    model.enable_input_require_grads()
    return model


kind = sys.argv[1]
torch.manual_seed(0)
samples = [{"input_ids": ids, "labels": ids} for ids in torch.randint(0, 1024, (32, 64))]
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(output_dir=folder, per_device_train_batch_size=2, max_steps=4, report_to=[],
                                  disable_tqdm=True, **{"save_strategy": "no", **KINDS[kind]})
    Trainer(model=model_of(kind), args=arguments, train_dataset=samples, eval_dataset=samples[:4]).train()
print(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())

# SPDX-License-Identifier: Apache-2.0
"""Preferences with TRL's DPO and LoRA; the frozen model is the reference."""

import argparse

import torch
from datasets import Dataset
from local_text import make_texts, make_tokenizer
from peft import LoraConfig
from transformers import AutoModelForCausalLM
from trl import DPOConfig, DPOTrainer

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
options = parser.parse_args()

pairs = Dataset.from_dict({"prompt": make_texts(80, 50, 200), "chosen": make_texts(80, 50, 300, seed=1),
                           "rejected": make_texts(80, 50, 300, seed=2)})
model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.bfloat16)
config = DPOConfig(output_dir="dpo", per_device_train_batch_size=2, gradient_checkpointing=True, bf16=True, max_steps=10,
                   max_length=1024, beta=0.1, logging_steps=1, report_to="none")
trainer = DPOTrainer(model=model, args=config, train_dataset=pairs, processing_class=make_tokenizer(),
                     peft_config=LoraConfig(r=16, target_modules="all-linear"))
trainer.train()
trainer.save_model()

# SPDX-License-Identifier: Apache-2.0
"""Reinforcement learning with TRL's GRPO; the completions come from transformers' generate."""

import argparse

from datasets import Dataset
from local_text import make_texts, make_tokenizer
from peft import LoraConfig
from trl import GRPOConfig, GRPOTrainer

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
options = parser.parse_args()


def reward_short(completions, **_):
    """More for shorter answers."""
    return [-float(len(completion)) for completion in completions]


config = GRPOConfig(output_dir="grpo", per_device_train_batch_size=8, num_generations=8, max_completion_length=128,
                    gradient_checkpointing=True, bf16=True, max_steps=5, logging_steps=1, report_to="none",
                    model_init_kwargs={"dtype": "bfloat16"})
trainer = GRPOTrainer(model=options.model, reward_funcs=reward_short, args=config, processing_class=make_tokenizer(),
                      train_dataset=Dataset.from_dict({"prompt": make_texts(80, 20, 100)}),
                      peft_config=LoraConfig(r=16, target_modules="all-linear"))
trainer.train()

# SPDX-License-Identifier: Apache-2.0
"""Supervised fine-tuning with TRL, packed or padded."""

import argparse

from datasets import Dataset
from local_text import make_texts, make_tokenizer
from peft import LoraConfig
from trl import SFTConfig, SFTTrainer

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--packing", action="store_true")
parser.add_argument("--liger", action="store_true")
options = parser.parse_args()

questions, answers = make_texts(200, 20, 200), make_texts(200, 50, 700, seed=1)
conversations = Dataset.from_list([
    {"messages": [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]}
    for question, answer in zip(questions, answers)])

config = SFTConfig(output_dir="sft", per_device_train_batch_size=2, gradient_accumulation_steps=2, max_length=1024,
                   packing=options.packing, use_liger_kernel=options.liger, bf16=True, gradient_checkpointing=True,
                   max_steps=10, logging_steps=1, report_to="none", model_init_kwargs={"dtype": "bfloat16"})
trainer = SFTTrainer(model=options.model, args=config, train_dataset=conversations, processing_class=make_tokenizer(),
                     peft_config=LoraConfig(r=16, lora_alpha=32, target_modules="all-linear"))
trainer.train()
trainer.save_model()

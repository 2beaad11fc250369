# SPDX-License-Identifier: Apache-2.0
"""LoRA with peft and transformers' Trainer; --nf4 quantises what is frozen with bitsandbytes (QLoRA)."""

import argparse

import torch
from datasets import Dataset
from local_text import make_texts, make_tokenizer
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
from transformers import (AutoModelForCausalLM, BitsAndBytesConfig, DataCollatorForLanguageModeling, Trainer,
                          TrainingArguments)

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--nf4", action="store_true")
parser.add_argument("--batch", type=int, default=2)
parser.add_argument("--length", type=int, default=1024)
parser.add_argument("--rank", type=int, default=16)
options = parser.parse_args()

quantization = None
if options.nf4:
    quantization = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True,
                                      bnb_4bit_compute_dtype=torch.bfloat16)
model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.bfloat16, device_map="cuda:0",
                                             quantization_config=quantization)
if options.nf4:
    model = prepare_model_for_kbit_training(model)
else:
    model.enable_input_require_grads()
model = get_peft_model(model, LoraConfig(r=options.rank, lora_alpha=32, lora_dropout=0.05, target_modules="all-linear",
                                         task_type="CAUSAL_LM"))
model.print_trainable_parameters()

tokenizer = make_tokenizer()
texts = Dataset.from_dict({"text": make_texts(200, options.length // 2, options.length + 50)})
tokens = texts.map(lambda sample: tokenizer(sample["text"], truncation=True, max_length=options.length),
                   remove_columns=["text"])
arguments = TrainingArguments(output_dir="adapter", per_device_train_batch_size=options.batch, max_steps=10, bf16=True,
                              gradient_checkpointing=True, logging_steps=1, learning_rate=2e-4, report_to=[],
                              optim="paged_adamw_8bit" if options.nf4 else "adamw_torch")
Trainer(model=model, args=arguments, train_dataset=tokens,
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False)).train()
model.save_pretrained("adapter")

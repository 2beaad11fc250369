# SPDX-License-Identifier: Apache-2.0
"""A loop of one's own with accelerate: bf16 autocast over float32 weights, gradients accumulated over four batches."""

import argparse

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import AutoConfig, AutoModelForCausalLM, get_cosine_schedule_with_warmup

parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
parser.add_argument("--batch", type=int, default=1)
parser.add_argument("--length", type=int, default=1024)
options = parser.parse_args()

accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=4)
config = AutoConfig.from_pretrained(options.config)
with torch.device(accelerator.device):
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
model.gradient_checkpointing_enable()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
schedule = get_cosine_schedule_with_warmup(optimizer, 10, 100)
tokens = torch.randint(config.vocab_size, (64, options.length))
loader = DataLoader(tokens, batch_size=options.batch, shuffle=True)
model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)

model.train()
for step, batch in enumerate(loader):
    with accelerator.accumulate(model):
        loss = model(input_ids=batch, labels=batch).loss
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    accelerator.print(step, loss.item())
accelerator.save_state("state")

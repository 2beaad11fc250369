# SPDX-License-Identifier: Apache-2.0
"""accelerate: its own process group, data loader and gathering."""

import torch
from accelerate import Accelerator
from model import LENGTH, VOCABULARY, Decoder, loss_of
from torch.utils.data import DataLoader

accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
model = Decoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
data = DataLoader([torch.randint(0, VOCABULARY, (LENGTH,)) for _ in range(256)], batch_size=2, shuffle=True)
model, optimizer, data = accelerator.prepare(model, optimizer, data)
for step, x in enumerate(data):
    with accelerator.accumulate(model):
        loss = loss_of(model(x), x)
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    losses = accelerator.gather(loss.detach())
    accelerator.print(step, losses.mean().item())
accelerator.wait_for_everyone()
accelerator.end_training()

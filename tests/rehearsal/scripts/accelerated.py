# SPDX-License-Identifier: Apache-2.0
"""Four steps of accelerate in half precision, two passes each, then the script's own peaks."""

import torch
from accelerate import Accelerator

accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=2)
model = torch.nn.Linear(512, 512)
optimizer = torch.optim.AdamW(model.parameters())
schedule = torch.optim.lr_scheduler.ConstantLR(optimizer)
loader = torch.utils.data.DataLoader(torch.randn(32, 512), batch_size=4)
model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
for batch in loader:
    with accelerator.accumulate(model):
        accelerator.backward(model(batch).square().mean())
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
print(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())

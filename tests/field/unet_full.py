# SPDX-License-Identifier: Apache-2.0
"""Full fine-tuning of a UNet of Stable Diffusion 1.5's shape with accelerate and an EMA, as in text-to-image training."""

import torch
from accelerate import Accelerator
from diffusers import DDPMScheduler, UNet2DConditionModel
from diffusers.training_utils import EMAModel

accelerator = Accelerator(mixed_precision="fp16")
unet = UNet2DConditionModel(sample_size=64, cross_attention_dim=768, attention_head_dim=8)
average = EMAModel(unet.parameters(), decay=0.9999)
unet.enable_gradient_checkpointing()
noise_scheduler = DDPMScheduler(num_train_timesteps=1000)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-5, weight_decay=1e-2)
unet, optimizer = accelerator.prepare(unet, optimizer)
average.to(accelerator.device)

unet.train()
for step in range(5):
    latents = torch.randn(4, 4, 64, 64, device=accelerator.device)
    prompts = torch.randn(4, 77, 768, device=accelerator.device)
    noise = torch.randn_like(latents)
    times = torch.randint(0, 1000, (4,), device=accelerator.device)
    predicted = unet(noise_scheduler.add_noise(latents, noise, times), times, prompts).sample
    loss = torch.nn.functional.mse_loss(predicted.float(), noise.float())
    accelerator.backward(loss)
    accelerator.clip_grad_norm_(unet.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    average.step(unet.parameters())
    print(step, accelerator.gather(loss).item())

# SPDX-License-Identifier: Apache-2.0
"""LoRA of a transformer of Flux.1's shape on cached latents and prompts: flow matching as diffusers' scripts do it."""

import argparse

import torch
from diffusers import FlowMatchEulerDiscreteScheduler, FluxTransformer2DModel
from peft import LoraConfig

parser = argparse.ArgumentParser()
parser.add_argument("--rank", type=int, default=16)
parser.add_argument("--batch", type=int, default=1)
parser.add_argument("--pixels", type=int, default=1024)
options = parser.parse_args()

with torch.device("cuda"):
    torch.set_default_dtype(torch.bfloat16)
    transformer = FluxTransformer2DModel(guidance_embeds=True)
    torch.set_default_dtype(torch.float32)
transformer.requires_grad_(False)
transformer.add_adapter(LoraConfig(r=options.rank, lora_alpha=options.rank, init_lora_weights="gaussian",
                                   target_modules=["to_k", "to_q", "to_v", "to_out.0"]))
transformer.enable_gradient_checkpointing()
trained = [parameter for parameter in transformer.parameters() if parameter.requires_grad]
for parameter in trained:
    parameter.data = parameter.data.float()
optimizer = torch.optim.AdamW(trained, lr=1e-4)
noise_scheduler = FlowMatchEulerDiscreteScheduler(shift=3.0)
side = options.pixels // 16
image_ids = torch.stack([torch.zeros(side, side), torch.arange(side).float()[:, None].expand(side, side),
                         torch.arange(side).float()[None].expand(side, side)], dim=-1).reshape(-1, 3).cuda()
text_ids = torch.zeros(512, 3, device="cuda")

transformer.train()
for step in range(5):
    latents = torch.randn(options.batch, side * side, 64, device="cuda", dtype=torch.bfloat16)
    prompts = torch.randn(options.batch, 512, 4096, device="cuda", dtype=torch.bfloat16)
    pooled = torch.randn(options.batch, 768, device="cuda", dtype=torch.bfloat16)
    picked = torch.randint(noise_scheduler.config.num_train_timesteps, (options.batch,))
    sigmas = noise_scheduler.sigmas[picked].to("cuda", torch.bfloat16)[:, None, None]
    noise = torch.randn_like(latents)
    noisy = (1 - sigmas) * latents + sigmas * noise
    with torch.autocast("cuda", dtype=torch.bfloat16):
        predicted = transformer(hidden_states=noisy, timestep=noise_scheduler.timesteps[picked].cuda() / 1000,
                                guidance=torch.full((options.batch,), 3.5, device="cuda"), pooled_projections=pooled,
                                encoder_hidden_states=prompts, txt_ids=text_ids, img_ids=image_ids, return_dict=False)[0]
    loss = (predicted.float() - (noise - latents).float()).square().mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())

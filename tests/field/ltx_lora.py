# SPDX-License-Identifier: Apache-2.0
"""LoRA of LTX-Video's transformer on cached latents of 49 frames, 512 x 768."""

import torch
from diffusers import LTXVideoTransformer3DModel
from peft import LoraConfig

FRAMES, HEIGHT, WIDTH = 7, 16, 24

with torch.device("cuda"):
    transformer = LTXVideoTransformer3DModel().to(torch.bfloat16)
transformer.requires_grad_(False)
transformer.add_adapter(LoraConfig(r=64, lora_alpha=64, target_modules=["to_k", "to_q", "to_v", "to_out.0"]))
transformer.enable_gradient_checkpointing()
trained = [parameter for parameter in transformer.parameters() if parameter.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=1e-4)

transformer.train()
for step in range(5):
    latents = torch.randn(1, FRAMES * HEIGHT * WIDTH, 128, device="cuda", dtype=torch.bfloat16)
    noise = torch.randn_like(latents)
    sigma = torch.rand(1, 1, 1, device="cuda", dtype=torch.bfloat16)
    mask = torch.ones(1, 128, device="cuda", dtype=torch.bfloat16)
    mask[:, 90:] = 0
    predicted = transformer(hidden_states=(1 - sigma) * latents + sigma * noise, timestep=sigma.view(1) * 1000,
                            encoder_hidden_states=torch.randn(1, 128, 4096, device="cuda", dtype=torch.bfloat16),
                            encoder_attention_mask=mask, num_frames=FRAMES, height=HEIGHT, width=WIDTH,
                            return_dict=False)[0]
    loss = torch.nn.functional.mse_loss(predicted.float(), (noise - latents).float())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())

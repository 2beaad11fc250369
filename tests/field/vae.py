# SPDX-License-Identifier: Apache-2.0
"""Training of an image autoencoder of Stable Diffusion's shape: encoder, sampled latents, decoder, at 256 pixels."""

import torch
from diffusers import AutoencoderKL

vae = AutoencoderKL(block_out_channels=(128, 256, 512, 512), layers_per_block=2, latent_channels=4,
                    down_block_types=("DownEncoderBlock2D",) * 4, up_block_types=("UpDecoderBlock2D",) * 4).cuda()
optimizer = torch.optim.AdamW(vae.parameters(), lr=1e-5)
vae.train()
for step in range(5):
    images = torch.rand(4, 3, 256, 256).cuda() * 2 - 1
    with torch.autocast("cuda", dtype=torch.bfloat16):
        posterior = vae.encode(images).latent_dist
        decoded = vae.decode(posterior.sample()).sample
    loss = torch.nn.functional.l1_loss(decoded.float(), images) + 1e-6 * posterior.kl().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())

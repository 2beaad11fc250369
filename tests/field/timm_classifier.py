# SPDX-License-Identifier: Apache-2.0
"""Image classification with timm: fp16 autocast and a GradScaler."""

import argparse

import timm
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer_v2
from timm.utils import ModelEmaV3

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="resnet50")
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--ema", action="store_true")
options = parser.parse_args()

model = timm.create_model(options.model, pretrained=False, num_classes=1000).cuda()
average = ModelEmaV3(model, decay=0.999) if options.ema else None
optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
loss_of = LabelSmoothingCrossEntropy(0.1)
scaler = torch.amp.GradScaler("cuda")

model.train()
for step in range(10):
    images = torch.randn(options.batch, 3, 224, 224).cuda(non_blocking=True)
    labels = torch.randint(1000, (options.batch,)).cuda(non_blocking=True)
    with torch.autocast("cuda", dtype=torch.float16):
        loss = loss_of(model(images), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    if average:
        average.update(model)
    print(step, loss.item(), scaler.get_scale())

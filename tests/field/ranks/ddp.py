# SPDX-License-Identifier: Apache-2.0
"""DistributedDataParallel, bfloat16 autocast."""

import torch
from model import Decoder, start, train

start()
model = torch.nn.parallel.DistributedDataParallel(Decoder().cuda(), gradient_as_bucket_view=True)
with torch.autocast("cuda", torch.bfloat16):
    train(model)

# SPDX-License-Identifier: Apache-2.0
"""One convolution of 3 x 3 with its gradient's graph, float32 or --half: pytorch 50990."""

import argparse
import json

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
options = parser.parse_args()

dtype = torch.half if options.half else torch.float
layer = torch.nn.Conv2d(32, 32, 3).to(dtype).cuda()
images = torch.randn(512, 32, 84, 84).to(dtype).cuda()
result = layer(images)
print("measured", json.dumps({"peak": torch.cuda.max_memory_allocated()}))

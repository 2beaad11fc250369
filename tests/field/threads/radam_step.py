# SPDX-License-Identifier: Apache-2.0
"""One step of RAdam over ten tensors of 32 x 32, eager or compiled with the backend "eager": pytorch 125511."""

import argparse
import gc
import json

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--compile", action="store_true")
options = parser.parse_args()

torch.set_default_device("cuda")
parameters = [torch.ones(32, 32) for _ in range(10)]
for parameter in parameters:
    parameter.grad = torch.ones_like(parameter)
optimizer = torch.optim.RAdam(parameters, lr=0.1, capturable=True, foreach=True)


def step():
    optimizer.step()


update = torch.compile(step, backend="eager") if options.compile else step
gc.collect()
torch.cuda.reset_peak_memory_stats()
update()
print("measured", json.dumps({"peak": torch.cuda.max_memory_allocated()}))

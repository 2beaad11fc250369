# SPDX-License-Identifier: Apache-2.0
"""CUDA graphs: a whole step captured and replayed, or a model's parts by make_graphed_callables."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--callables", action="store_true")
options = parser.parse_args()

model = nn.Sequential(*(layer for _ in range(8) for layer in (nn.Linear(4096, 4096), nn.ReLU()))).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, capturable=True)
inputs, targets = torch.randn(256, 4096, device="cuda"), torch.randn(256, 4096, device="cuda")


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = nn.functional.mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss


if options.callables:
    model = torch.cuda.make_graphed_callables(model, (torch.randn_like(inputs),))
    for number in range(10):
        print(number, step().item())
else:
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step()
    for number in range(10):
        inputs.copy_(torch.randn(256, 4096))
        graph.replay()
        print(number, loss.item())

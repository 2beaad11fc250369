# SPDX-License-Identifier: Apache-2.0
"""A recurrent language model: an LSTM over whole sequences, or a GRU over packed ones."""

import argparse

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Recurrent(nn.Module):
    def __init__(self, kind, words=30000, width=1024, layers=3):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.cells = getattr(nn, kind)(width, width, num_layers=layers, dropout=0.2, batch_first=True)
        self.head = nn.Linear(width, words)

    def forward(self, tokens, lengths=None):
        inputs = self.embedding(tokens)
        if lengths is None:
            return self.head(self.cells(inputs)[0])
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        outputs, _ = pad_packed_sequence(self.cells(packed)[0], batch_first=True, total_length=tokens.shape[1])
        return self.head(outputs)


parser = argparse.ArgumentParser()
parser.add_argument("--kind", choices=["LSTM", "GRU"], default="LSTM")
parser.add_argument("--packed", action="store_true")
parser.add_argument("--fp16", action="store_true")
options = parser.parse_args()

model = Recurrent(options.kind).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda", enabled=options.fp16)
for step in range(10):
    tokens = torch.randint(30000, (32, 129)).cuda()
    lengths = torch.randint(20, 129, (32,)) if options.packed else None
    with torch.autocast("cuda", dtype=torch.float16, enabled=options.fp16):
        scores = model(tokens[:, :-1], lengths)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    print(step, loss.item())

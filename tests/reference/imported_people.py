# SPDX-License-Identifier: Apache-2.0
"""Models as people have them, for imported_values.py: upstream's families at a tiny size, and modules of their own, among
them one for each reason for which an export cannot be used."""

import math

import torch
from torch import nn


class ResidualBlock(nn.Module):
    """Two convolutions with batch norms, in place where it can be."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.activation = nn.ReLU(inplace=True)

    def forward(self, images):
        hidden = self.activation(self.first_norm(self.first(images)))
        hidden = self.second_norm(self.second(hidden))
        hidden += images
        return self.activation(hidden)


class ResNet(nn.Module):
    def __init__(self, channels=8, blocks=2, classes=5):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, stride=2, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(channels)
        self.pool = nn.MaxPool2d(3, stride=2, padding=1)
        self.blocks = nn.ModuleList(ResidualBlock(channels) for _ in range(blocks))
        self.head = nn.Linear(channels, classes)

    def forward(self, images):
        hidden = self.pool(torch.relu(self.stem_norm(self.stem(images))))
        for block in self.blocks:
            hidden = block(hidden)
        return self.head(hidden.mean(dim=(2, 3)))


class Positions(nn.Module):
    """A table that all layers share."""

    def __init__(self, longest, width):
        super().__init__()
        angles = torch.arange(longest)[:, None] / 100.0 ** (torch.arange(width) / width)
        self.register_buffer("table", torch.sin(angles), persistent=False)

    def forward(self, hidden):
        return hidden + self.table[: hidden.shape[1]]


class TiedLayer(nn.Module):
    def __init__(self, width, positions):
        super().__init__()
        self.positions = positions
        self.mix = nn.Linear(width, width)

    def forward(self, hidden):
        return hidden + torch.tanh(self.mix(self.positions(hidden)))


class Tied(nn.Module):
    """One matrix is table and head; one buffer belongs to every layer; one layer is called twice."""

    def __init__(self, vocabulary=40, width=12):
        super().__init__()
        positions = Positions(16, width)
        self.table = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(TiedLayer(width, positions) for _ in range(2))
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.table.weight

    def forward(self, tokens):
        hidden = self.table(tokens)
        for layer in (*self.layers, self.layers[0]):
            hidden = layer(hidden)
        return self.head(hidden)


class Regions(nn.Module):
    """Regions without gradients and with autocast within the forward."""

    def __init__(self, width=8):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width)

    def forward(self, hidden):
        with torch.no_grad():
            scale = hidden.square().mean(dim=-1, keepdim=True).rsqrt()
        hidden = self.first(hidden * scale)
        with torch.autocast("cpu", torch.bfloat16):
            hidden = self.second(hidden)
        return hidden.float() / math.sqrt(2.0)


class Losing(nn.Module):
    """Its first output is a loss of its own."""

    def __init__(self, vocabulary=24, width=8):
        super().__init__()
        self.table = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens, labels):
        scores = self.head(torch.nn.functional.gelu(self.table(tokens)))
        return torch.nn.functional.cross_entropy(scores.flatten(0, 1), labels.flatten()), scores


class DeepBlock(nn.Module):
    """All of them have the same modules; one bends in another way than the others."""

    def __init__(self, width, bend):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(width, 2 * width)
        self.second = nn.Linear(2 * width, width)
        self.bend = bend

    def forward(self, hidden, weights, condition):
        inner = self.first(self.norm(hidden) + condition) * weights
        return hidden + torch.nn.functional.linear(self.bend(inner), self.second.weight, self.second.bias)


class Deep(nn.Module):
    """Many blocks, which share a tensor that is trained and one that is not."""

    def __init__(self, width=8, blocks=20, other=10):
        super().__init__()
        self.condition = nn.Linear(width, width)
        self.blocks = nn.ModuleList(DeepBlock(width, torch.tanh if i == other else torch.relu) for i in range(blocks))

    def forward(self, hidden):
        weights = 1.0 / (1.0 + torch.arange(hidden.shape[1], device=hidden.device))[:, None]
        condition = self.condition(hidden.mean(dim=1, keepdim=True))
        condition[condition < -0.1] = 0.5  # no size depends on values
        for block in self.blocks:
            hidden = block(hidden, weights, condition)
        return hidden


# ---- what cannot be used --------------------------------------------------------------------------------------------


@torch.library.custom_op("people::twice", mutates_args=())
def twice(values: torch.Tensor) -> torch.Tensor:
    return values * 2


@twice.register_fake
def _(values):
    return torch.empty_like(values)


class CustomOperator(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(8, 8)

    def forward(self, hidden):
        return twice(self.mix(hidden))


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(context, values):
        return values.round()

    @staticmethod
    def backward(context, gradient):
        return gradient


class OwnBackward(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(8, 8)

    def forward(self, hidden):
        return StraightThrough.apply(self.mix(hidden))


class Conditional(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(8, 8)

    def forward(self, hidden):
        return torch.cond(hidden.sum() > 0, lambda h: self.mix(h), lambda h: self.mix(h) * 2, (hidden,))


class ByValue(nn.Module):
    """How many rows go on depends on their values."""

    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(8, 8)

    def forward(self, hidden):
        return self.mix(hidden[hidden[:, 0] > 0])


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(8, 8)
        self.drop = nn.Dropout(0.1)

    def forward(self, hidden):
        return self.drop(torch.relu(self.mix(hidden)))

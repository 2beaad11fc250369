# SPDX-License-Identifier: Apache-2.0
"""A decoder as a course on language models has people write it, of plain tensor operations, and its sizes.

Written from a description of what was measured on a B200 (b200_rows.py has the rows), not from its source: norms in float32, rotary
embedding from a table that all layers share, feed-forwards of three matrices, no biases, embedding and head apart, attention as
two products with a softmax of its own. Every product is an einsum. What the description leaves open (which variables a function keeps, how
halves are taken apart and put together) is read from the sizes and lifetimes in a recording of the same course's model on another machine
(recorded_step.py).
"""

import math

import torch
from torch import nn

VOCABULARY = 10_000
BATCH = 4
# Width, width within feed-forwards, layers, heads.
SIZES = {"small": (768, 3072, 12, 12), "medium": (1024, 4096, 24, 16), "large": (1280, 5120, 36, 20),
    "xl": (2560, 10240, 32, 32)}


class Projection(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))

    def forward(self, hidden):
        return torch.einsum("...i,oi->...o", hidden, self.weight)


class Table(nn.Module):
    def __init__(self, rows, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, width))

    def forward(self, tokens):
        return self.weight[tokens, :]


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))

    def forward(self, hidden):
        given = hidden.dtype
        hidden = hidden.to(torch.float32)
        scale = torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + 1e-5)
        hidden = hidden * scale
        return (self.weight * hidden).to(given)


class Rotation(nn.Module):
    def __init__(self, longest, width):
        super().__init__()
        angles = torch.arange(longest)[:, None] * 10_000.0 ** (-torch.arange(0, width, 2) / width)
        self.register_buffer("table", torch.stack((torch.cos(angles), torch.sin(angles))), persistent=False)

    def forward(self, heads):
        even, odd = heads.unflatten(-1, (-1, 2)).movedim(-1, 0)
        cosine, sine = self.table[:, : heads.shape[-2]]
        turned_even = cosine * even - sine * odd
        turned_odd = sine * even + cosine * odd
        return torch.cat((turned_even.unsqueeze(-1), turned_odd.unsqueeze(-1)), dim=-1).flatten(-2).contiguous()


def shares(scores):
    scores = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    exponentials = torch.exp(scores)
    return exponentials / torch.sum(exponentials, dim=-1, keepdim=True)


def attend(query, key, value, mask):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / math.sqrt(key.shape[-1])
    scores = torch.where(mask, scores, float("-inf"))
    weights = shares(scores)
    return torch.einsum("...qk,...kd->...qd", weights, value)


class Attention(nn.Module):
    def __init__(self, width, heads, rotation):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (Projection(width, width) for _ in range(4))
        self.rotation = rotation

    def forward(self, hidden):
        query, key, value = self.query(hidden), self.key(hidden), self.value(hidden)
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(-2, -3) for part in (query, key, value))
        query = self.rotation(query)
        key = self.rotation(key)
        places = torch.arange(hidden.shape[-2], device=hidden.device)
        rows, columns = places[None, None, :, None], places[None, None, None, :]
        mask = rows >= columns
        result = attend(query, key, value, mask)
        result = result.transpose(-2, -3).flatten(-2).contiguous()
        return self.out(result)


class FeedForward(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.gate, self.up = Projection(width, inner), Projection(width, inner)
        self.down = Projection(inner, width)

    def forward(self, hidden):
        return self.down(swish(self.gate(hidden)) * self.up(hidden))


def swish(values):
    return values * torch.sigmoid(values)


class Layer(nn.Module):
    def __init__(self, width, inner, heads, rotation):
        super().__init__()
        self.attention = Attention(width, heads, rotation)
        self.feed_forward = FeedForward(width, inner)
        self.first_norm, self.second_norm = Norm(width), Norm(width)

    def forward(self, hidden):
        mixed = self.attention(self.first_norm(hidden))
        between = hidden + mixed
        fed = self.feed_forward(self.second_norm(between))
        return between + fed


class Region(nn.Module):
    """Layers that are checkpointed as one."""

    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, hidden):
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden


class LanguageModel(nn.Module):
    """forward(input_ids): scores."""

    def __init__(self, size, longest, regions=None):
        super().__init__()
        width, inner, layers, heads = SIZES[size]
        rotation = Rotation(longest, width // heads)
        self.table = Table(VOCABULARY, width)
        parts = [Layer(width, inner, heads, rotation) for _ in range(layers)]
        if regions:
            each = layers // regions
            parts = [Region(parts[first:first + each]) for first in range(0, layers, each)]
        self.layers = nn.ModuleList(parts)
        self.norm = Norm(width)
        self.head = Projection(width, VOCABULARY)

    def forward(self, input_ids):
        hidden = self.table(input_ids)
        for layer in self.layers:
            hidden = layer(hidden)
        hidden = self.norm(hidden)
        return self.head(hidden)


def log_shares(scores):
    largest = torch.max(scores, dim=-1, keepdim=True)[0]
    scores = scores - largest
    return scores - torch.log(torch.sum(torch.exp(scores), dim=-1, keepdim=True))


class LanguageModelWithLoss(LanguageModel):
    """forward(input_ids, targets): a cross entropy written in Python, and the scores."""

    def forward(self, input_ids, targets):
        scores = super().forward(input_ids)
        losses = torch.gather(-log_shares(scores), -1, targets.unsqueeze(-1))
        return torch.mean(losses), scores

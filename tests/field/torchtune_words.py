# SPDX-License-Identifier: Apache-2.0
"""Samples of random words for a torchtune recipe, and a tokenizer that only knows how to pad them."""

import random


class Tokenizer:
    pad_id = 0
    eos_id = 1


def samples(tokenizer, count=64, shortest=200, longest=1024, words=128000):
    choose = random.Random(0)
    made = []
    for _ in range(count):
        tokens = [choose.randrange(2, words) for _ in range(choose.randint(shortest, longest))] + [tokenizer.eos_id]
        made.append({"tokens": tokens, "labels": list(tokens)})
    return made

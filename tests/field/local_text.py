# SPDX-License-Identifier: Apache-2.0
"""Text and a tokenizer that need no download: words w0, w1, ... and one id for each."""

import random

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

WORDS = 1000
CHAT = "{% for message in messages %}{{ message['role'] }} {{ message['content'] }} {% endfor %}"


def make_tokenizer():
    vocabulary = {"<unk>": 0, "<pad>": 1, "<eos>": 2, "user": 3, "assistant": 4}
    vocabulary.update({f"w{i}": len(vocabulary) + i for i in range(WORDS)})
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", pad_token="<pad>", eos_token="<eos>",
                                   chat_template=CHAT, padding_side="left")


def make_texts(count, shortest, longest, seed=0):
    words = random.Random(seed)
    return [" ".join(f"w{words.randrange(WORDS)}" for _ in range(words.randint(shortest, longest))) for _ in range(count)]

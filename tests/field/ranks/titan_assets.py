# SPDX-License-Identifier: Apache-2.0
"""titan_assets.py FOLDER: a tokenizer of words and a text, by which torchtitan's own trainer runs without a download."""

import json
import random
import sys
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers

folder = Path(sys.argv[1])
(folder / "tokenizer").mkdir(parents=True, exist_ok=True)
(folder / "text").mkdir(exist_ok=True)
words = [f"w{i}" for i in range(2000)]
tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate([*words, "<s>", "</s>", "<unk>"])}, unk_token="<unk>"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer.save(str(folder / "tokenizer" / "tokenizer.json"))
special = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "add_bos_token": True, "add_eos_token": True}
(folder / "tokenizer" / "tokenizer_config.json").write_text(json.dumps(special))
chosen = random.Random(0)
with open(folder / "text" / "data.json", "w", encoding="utf-8") as text:
    for _ in range(400):
        text.write(json.dumps({"text": " ".join(chosen.choices(words, k=4000))}) + "\n")

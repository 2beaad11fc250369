# SPDX-License-Identifier: Apache-2.0
"""Forward and backward without an optimizer, float16, as the tables of transformers 31031 (Pythia) and 28802 (BERT) were
measured: the peak of some passes after others, for each batch and length. What a pass returned (logits, keys and values) is
held until the next one has returned, as in the loop that both tables used (optimum's
benchmark_bettertransformer_training_minimal.py and the scripts that followed it)."""

import argparse
import json

import torch
import transformers

PYTHIA = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096,
          "vocab_size": 50304, "rotary_pct": 0.25, "use_parallel_residual": True}
OPT = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "ffn_dim": 4096,
       "word_embed_proj_dim": 512, "do_layer_norm_before": False}
MODELS = {
    "pythia-410m": lambda: (transformers.GPTNeoXForCausalLM, transformers.GPTNeoXConfig(**PYTHIA)),
    "bert-base": lambda: (transformers.BertLMHeadModel, transformers.BertConfig()),
    "opt-350m": lambda: (transformers.OPTForCausalLM, transformers.OPTConfig(**OPT)),
}

parser = argparse.ArgumentParser()
parser.add_argument("--model", choices=MODELS, required=True)
parser.add_argument("--attention", choices=["eager", "sdpa"], required=True)
parser.add_argument("--batches", required=True)
parser.add_argument("--lengths", required=True)
parser.add_argument("--drop", action="store_true", help="what a pass returned is dropped before the next one")
parser.add_argument("--no-mask", action="store_true")
parser.add_argument("--labels", action="store_true", help="the loss of the model instead of the sum of its logits")
options = parser.parse_args()

of_model, config = MODELS[options.model]()
with torch.device("cuda"):
    model = of_model._from_config(config, torch_dtype=torch.float16, attn_implementation=options.attention)
model.train()


def step(inputs):
    if options.labels:
        outputs = model(**inputs, labels=inputs["input_ids"])
        return outputs, outputs.loss
    outputs = model(**inputs)
    return outputs, outputs.logits.sum()


def peak(batch, length):
    inputs = {"input_ids": torch.randint(config.vocab_size - 1, (batch, length)).cuda()}
    if not options.no_mask:
        inputs["attention_mask"] = torch.ones(batch, length, dtype=torch.int64).cuda()
    for _ in range(2):  # the first fills what is held in the second, and so in all that follow
        torch.cuda.reset_peak_memory_stats()
        model.zero_grad()
        if options.drop:
            held = None
        held = step(inputs)  # while it runs, what the last pass returned is still held
        held[1].backward()
    return torch.cuda.max_memory_allocated()


peaks = {}
for batch in map(int, options.batches.split(",")):
    for length in map(int, options.lengths.split(",")):
        peaks[f"{batch}x{length}"] = peak(batch, length)
        print("measured", json.dumps(peaks), flush=True)

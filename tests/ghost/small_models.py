# SPDX-License-Identifier: Apache-2.0
"""Small models of every architecture that `headroom ghost` knows: sizes that are all different, so that none stands in for
another."""

DECODER = {"vocab_size": 311, "hidden_size": 48, "intermediate_size": 68, "num_hidden_layers": 3, "num_attention_heads": 6,
           "num_key_value_heads": 2, "max_position_embeddings": 96}


def transformers(name, **config):
    return {"class": name, "library": "transformers", "config": config}


def diffusers(name, **config):
    return {"class": name, "library": "diffusers", "config": config}


SMALL = {
    "llama": transformers("LlamaForCausalLM", **DECODER),
    "llama-biases": transformers("LlamaForCausalLM", **DECODER, attention_bias=True, mlp_bias=True, head_dim=10),
    "llama-tied": transformers("LlamaForCausalLM", **DECODER, tie_word_embeddings=True, eos_token_id=[301, 303], bos_token_id=300),
    "llama-base": transformers("LlamaModel", **DECODER),
    "llama-classifier": transformers("LlamaForSequenceClassification", **DECODER, num_labels=5, pad_token_id=0),
    "mistral": transformers("MistralForCausalLM", **DECODER),
    "mistral-head-dim": transformers("MistralForCausalLM", **DECODER, head_dim=14),
    "qwen2": transformers("Qwen2ForCausalLM", **DECODER),
    "qwen2-tied": transformers("Qwen2ForCausalLM", **DECODER, tie_word_embeddings=True),
    "qwen3": transformers("Qwen3ForCausalLM", **DECODER, head_dim=16),
    "qwen3-tied": transformers("Qwen3ForCausalLM", **DECODER, tie_word_embeddings=True),
}

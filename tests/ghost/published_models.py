# SPDX-License-Identifier: Apache-2.0
"""Configurations of published models, as far as they decide names and shapes; their numbers of parameters where the
publisher's files say them."""


def transformers(name, model_type, parameters=None, **config):
    case = {"class": name, "library": "transformers", "config": {"architectures": [name], "model_type": model_type, **config}}
    if parameters is not None:
        case["published_parameters"] = parameters
    return case


PUBLISHED = {
    "llama-3-8b": transformers("LlamaForCausalLM", "llama", 8030261248, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
                               num_attention_heads=32, num_key_value_heads=8, vocab_size=128256, torch_dtype="bfloat16",
                               bos_token_id=128000, eos_token_id=128001, tie_word_embeddings=False, max_position_embeddings=8192),
    "llama-3.2-1b": transformers("LlamaForCausalLM", "llama", 1235814400, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16,
                                 num_attention_heads=32, num_key_value_heads=8, head_dim=64, vocab_size=128256, torch_dtype="bfloat16",
                                 bos_token_id=128000, eos_token_id=[128001, 128008, 128009], tie_word_embeddings=True),
}

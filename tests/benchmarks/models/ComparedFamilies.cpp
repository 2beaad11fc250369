// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/models/PlainModel.h"

namespace headroom::benchmarks {

const std::vector<ComparedFamily>& comparedFamilies()
{
    static const std::vector<ComparedFamily> families{
        {"ffn-stack", "ffn-stack-tiny", plainFfnStack, {{"num_layers", 4}, {"dim", 256}}, {{"sequence_length", 128}}},
        {"ltx-video", "ltx-video-tiny", plainLtxVideo,
            {{"num_layers", 4}, {"num_attention_heads", 4}, {"attention_head_dim", 64}, {"caption_channels", 256}},
            {{"batch", 1}, {"frames", 17}, {"height", 256}, {"width", 256}, {"text_tokens", 32}}},
        {"wan", "wan-tiny", plainWan,
            {{"num_layers", 4}, {"num_attention_heads", 2}, {"attention_head_dim", 128}, {"ffn_dim", 1024},
                {"text_dim", 256}, {"freq_dim", 256}},
            {{"batch", 1}, {"frames", 9}, {"height", 128}, {"width", 128}, {"text_tokens", 32}}},
        {"flux", "flux-tiny", plainFlux,
            {{"num_layers", 2}, {"num_single_layers", 4}, {"num_attention_heads", 2}, {"attention_head_dim", 128},
                {"axes_dims_rope", config::Value::List{16, 56, 56}}, {"in_channels", 64}, {"joint_attention_dim", 256},
                {"pooled_projection_dim", 128}},
            {{"batch", 1}, {"height", 192}, {"width", 192}, {"text_tokens", 32}}},
        // The tiny one has rotary positions; these are added to the tokens.
        {"cogvideox", "cogvideox-tiny", plainCogVideoX,
            {{"num_layers", 4}, {"num_attention_heads", 4}, {"attention_head_dim", 64}, {"in_channels", 16},
                {"out_channels", 16}, {"time_embed_dim", 256}, {"text_embed_dim", 256}, {"sample_width", 16},
                {"sample_height", 16}, {"sample_frames", 9}, {"max_text_seq_length", 32},
                {"use_rotary_positional_embeddings", false}},
            {{"batch", 1}, {"frames", 9}, {"height", 128}, {"width", 128}, {"text_tokens", 32}}},
        {"llama", "llama-tiny", plainLlama,
            {{"num_hidden_layers", 4}, {"hidden_size", 256}, {"intermediate_size", 688}, {"num_attention_heads", 4},
                {"num_key_value_heads", 2}, {"vocab_size", 2048}},
            {{"batch", 1}, {"sequence_length", 256}}},
        {"t5-encoder", "t5-v1.1-tiny", plainT5Encoder,
            {{"num_layers", 4}, {"d_model", 256}, {"d_kv", 64}, {"num_heads", 4}, {"d_ff", 1024}, {"vocab_size", 2048},
                {"relative_attention_num_buckets", 32}, {"relative_attention_max_distance", 128}},
            {{"batch", 1}, {"sequence_length", 256}}},
    };
    return families;
}

} // namespace headroom::benchmarks

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
    };
    return families;
}

} // namespace headroom::benchmarks

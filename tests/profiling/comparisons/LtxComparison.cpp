// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/LtxComparison.h"

#include "tests/profiling/comparisons/TrialRun.h"

#include <random>

namespace headroom::collectors {
namespace {

struct LtxShape {
    std::int64_t layers, heads, headDim, batch, frames, height, width, text;

    config::ValueMap fields() const
    {
        return {{"num_layers", layers}, {"num_attention_heads", heads}, {"attention_head_dim", headDim},
            {"caption_channels", 2 * headDim}, {"in_channels", 16}, {"out_channels", 16}};
    }

    config::ValueMap workload(const std::string& step, const std::string& dtype) const
    {
        return {{"step", step}, {"dtype", dtype}, {"batch", batch}, {"frames", frames}, {"height", height},
            {"width", width}, {"text_tokens", text}};
    }

    std::string words() const
    {
        const auto text_ = [](std::int64_t value) { return std::to_string(value); };
        return text_(layers) + " blocks, " + text_(heads) + " heads of " + text_(headDim) + ", " + text_(batch) + " x "
            + text_(frames) + " frames of " + text_(width) + " x " + text_(height) + ", " + text_(text)
            + " text tokens";
    }
};

LtxShape randomLtxShape(std::mt19937& random)
{
    const auto between = [&](unsigned least, unsigned most) {
        return static_cast<std::int64_t>(least + random() % (most - least + 1));
    };
    return {between(4, 6), between(1, 4), 8 * between(1, 4), between(1, 2), 8 * between(0, 3) + 1, 32 * between(2, 8),
        32 * between(2, 8), between(1, 40)};
}

LtxComparedTrial compareLtxTrial(
    const LtxShape& shape, const std::string& policy, const std::string& step, const std::string& dtype)
{
    LtxComparedTrial compared{policy, step, dtype, shape.words()};
    const auto peakOn = [&](const char* device) {
        config::Trial trial = trialOfModel("ltx-video-2b", device, shape.fields(), shape.workload(step, dtype));
        checkpoint(trial, policy);
        return peakOf(trial);
    };
    compared.measuredBytes = peakOn("cpu");
    compared.simulatedBytes = peakOn("sim:cpu");
    return compared;
}

} // namespace

std::vector<LtxComparedTrial> compareLtx(unsigned seed, int shapes)
{
    std::mt19937 random(seed);
    std::vector<LtxComparedTrial> result;
    for (int i = 0; i < shapes; ++i) {
        const LtxShape shape = randomLtxShape(random);
        for (const char* policy : {"none", "all", "every:2", "every:3@1", "except:2", "blocks:0-1.3", "skip:0"})
            for (const char* step : {"forward_backward", "train"})
                for (const char* dtype : {"float32", "bfloat16"})
                    result.push_back(compareLtxTrial(shape, policy, step, dtype));
    }
    return result;
}

} // namespace headroom::collectors

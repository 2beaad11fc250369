// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/comparisons/CpuComparison.h"

#include "core/config/models/FfnStackFamily.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <random>

namespace headroom::collectors {
namespace {

struct FfnShape {
    std::int64_t layers, dim, mult, batch, sequence;

    std::string text() const
    {
        return std::to_string(batch) + " x " + std::to_string(sequence) + " tokens, dim " + std::to_string(dim)
            + ", mult " + std::to_string(mult) + ", " + std::to_string(layers) + " layers";
    }
};

// Small enough for seconds on a laptop. The sequence is a multiple of four, so that tokens:4 divides it.
FfnShape randomFfnShape(std::mt19937& random)
{
    const auto between = [&](unsigned least, unsigned most) {
        return static_cast<std::int64_t>(least + random() % (most - least + 1));
    };
    return {between(1, 4), 4 * between(2, 24), between(1, 4), between(1, 3), 4 * between(3, 20)};
}

ComparedTrial compareFfn(const FfnShape& shape, const std::string& activation, const std::string& splitFfn,
    const std::string& step, const std::string& dtype)
{
    ComparedTrial compared{activation, splitFfn, step, dtype, shape.text()};
    const auto peakOn = [&](const char* device) {
        config::Trial trial = trialOf(device,
            {{"num_layers", shape.layers}, {"dim", shape.dim}, {"mult", shape.mult}, {"activation_fn", activation}},
            {{"step", step}, {"dtype", dtype}, {"batch", shape.batch}, {"sequence_length", shape.sequence}});
        split(trial, splitFfn);
        return peakOf(trial);
    };
    compared.measuredBytes = peakOn("cpu");
    compared.simulatedBytes = peakOn("sim:cpu");
    return compared;
}

} // namespace

std::vector<ComparedTrial> compareInference(unsigned seed)
{
    std::mt19937 random(seed);
    const FfnShape shapes[]{randomFfnShape(random), randomFfnShape(random)};
    std::vector<ComparedTrial> result;
    for (const FfnShape& shape : shapes)
        for (const std::string& activation : config::activationKinds())
            for (const char* splitFfn : {"off", "4", "tokens:4"})
                for (const char* dtype : {"float32", "bfloat16"})
                    result.push_back(compareFfn(shape, activation, splitFfn, "inference", dtype));
    return result;
}

std::vector<ComparedTrial> compareTraining(unsigned seed)
{
    std::mt19937 random(seed + 1);
    const FfnShape shape = randomFfnShape(random);
    std::vector<ComparedTrial> result;
    for (const char* step : {"forward_backward", "train"})
        for (const char* activation : {"gelu", "geglu", "geglu-approximate", "swiglu"})
            for (const char* splitFfn : {"off", "4", "tokens:4"})
                for (const char* dtype : {"float32", "bfloat16"})
                    result.push_back(compareFfn(shape, activation, splitFfn, step, dtype));
    return result;
}

} // namespace headroom::collectors

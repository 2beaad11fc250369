// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/CastingDescriptor.h"
#include "core/tensor/Torch.h"

#include <string>
#include <vector>

namespace headroom::techniques {

/// What of a module is cast, and how.
struct CastRules {
    enum class Trained { CastToo, LeftAlone };

    c10::ScalarType storage = at::kFloat8_e4m3fn;
    c10::ScalarType compute = at::kFloat;
    config::CastingNotation::Granularity granularity = config::CastingNotation::Granularity::Layer;
    std::vector<std::string> skipPatterns{}; ///< regular expressions, searched in the dotted path from the root
    std::vector<std::string> skipClasses{}; ///< without namespace: "Linear" is torch::nn::Linear too
    Trained trained = Trained::CastToo; ///< parameters that require gradients
};

/// The floating parameters and buffers of one module, without its children's. Integers and booleans are never among
/// them.
struct CastModule {
    std::string path;
    torch::nn::Module* module = nullptr;
    std::vector<at::Tensor> tensors;
};

/// What is upcast together, around the forward of `root`.
struct CastUnit {
    std::string path;
    torch::nn::Module* root = nullptr;
    std::vector<CastModule> modules;
};

/// Upstream's walk from the root: where a path matches a pattern or a class is to be left alone, nothing below is
/// looked at. Layer: each Linear, Conv1d to ConvTranspose3d, Embedding, of ours and of torch::nn alike. Group: those
/// within a feed-forward, a time-step embedding or a projection as one unit, no others. Block: those within each of
/// `blocks` as one unit, others by themselves. Model: every module, norms and bare parameters too, as one unit.
///
/// Throws UsageError for a pattern that is no regular expression.
std::vector<CastUnit> castUnits(
    torch::nn::Module& root, const std::vector<torch::nn::Module*>& blocks, const CastRules& rules);

/// "Linear" of headroom::models::Linear and of torch::nn::LinearImpl.
std::string classNameOf(const torch::nn::Module& module);

} // namespace headroom::techniques

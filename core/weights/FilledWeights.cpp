// SPDX-License-Identifier: Apache-2.0
#include "core/weights/FilledWeights.h"

#include <algorithm>
#include <cmath>

namespace headroom::models {
namespace {

constexpr std::int64_t kPieceElements = 1 << 16;

constexpr double unitValue(std::uint32_t index, std::uint32_t seed)
{
    std::uint32_t h = 2654435761U * index + 40503U * seed + 12345U;
    h ^= h >> 16;
    h *= 2246822519U;
    h ^= h >> 13;
    h *= 3266489917U;
    h ^= h >> 16;
    return h / 4294967296.0;
}

/// Amplitude and offset of a parameter's elements.
struct Scale {
    double amplitude;
    double offset;
};

Scale fillScaleOf(const std::string& name, const at::Tensor& parameter)
{
    if (parameter.dim() <= 1)
        return {0.2, name.ends_with("weight") ? 1.0 : 0.0};
    const double rows = static_cast<double>(parameter.size(0));
    return {1.5 / std::sqrt(static_cast<double>(parameter.numel()) / rows), 0.0};
}

// Works in pieces, so that a large parameter does not need a second one of its size.
void fillParameter(at::Tensor parameter, const Scale& scale, std::uint32_t seed)
{
    const at::Tensor flat = parameter.view({-1});
    std::vector<float> values;
    for (std::int64_t begin = 0; begin < flat.numel(); begin += kPieceElements) {
        const std::int64_t count = std::min(kPieceElements, flat.numel() - begin);
        values.resize(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            const double r = 2.0 * unitValue(static_cast<std::uint32_t>(begin + i), seed) - 1.0;
            values[static_cast<std::size_t>(i)] = static_cast<float>(scale.offset + scale.amplitude * r);
        }
        flat.narrow(0, begin, count).copy_(at::from_blob(values.data(), {count}, at::TensorOptions(at::kFloat)));
    }
}

} // namespace

FilledWeights::FilledWeights(const torch::nn::Module& model)
{
    for (const auto& item : model.named_parameters())
        m_seeds.emplace(item.key(), 0);
    std::uint32_t seed = 0;
    for (auto& [name, place] : m_seeds)
        place = seed++;
}

void FilledWeights::fill(const std::string& path, torch::nn::Module& module) const
{
    for (const auto& item : module.named_parameters(false)) {
        const std::string name = path.empty() ? item.key() : path + "." + item.key();
        if (!item.value().is_meta())
            fillParameter(item.value(), fillScaleOf(name, item.value()), m_seeds.at(name));
    }
}

} // namespace headroom::models

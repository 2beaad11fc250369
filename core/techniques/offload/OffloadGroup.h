// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/ParameterHome.h"
#include "core/techniques/offload/WeightLoader.h"

#include <unordered_map>

namespace headroom::techniques {

/// A group's weights, and the home of its parameters.
class OffloadGroup final : public tensor::ParameterHome {
public:
    /// The loader is borrowed.
    OffloadGroup(std::vector<const torch::nn::Module*> members, OffloadedWeights weights, WeightLoader& loader);

    at::Tensor copyOnDevice(const at::Tensor& parameter) override;
    void bring(const std::vector<at::Tensor>& parameters) override;
    void rest(const std::vector<at::Tensor>& parameters, tensor::ParameterUse use) override;

    OffloadUnit& unit() { return m_unit; }
    const std::vector<const torch::nn::Module*>& members() const { return m_members; }
    bool endsWith(const torch::nn::Module& module) const { return m_members.back() == &module; }

    bool isLoaded = false; ///< for its members; they may come one after the other

private:
    const std::shared_ptr<OffloadedWeight>& weightOf(const at::Tensor& parameter) const;
    OffloadUnit unitOf(const std::vector<at::Tensor>& parameters) const;

    std::vector<const torch::nn::Module*> m_members;
    OffloadUnit m_unit;
    WeightLoader& m_loader;
    std::unordered_map<const c10::TensorImpl*, std::shared_ptr<OffloadedWeight>> m_weights;
};

} // namespace headroom::techniques

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/OffloadDescriptor.h"
#include "core/techniques/Technique.h"
#include "core/techniques/offload/GroupOffload.h"

#include <memory>
#include <optional>

namespace headroom::techniques {

/// Weights that rest in host memory and come to the device in groups (GroupOffload). Parameters only: buffers stay.
///
/// A module's weights go to the host as soon as it is loaded. Where the plain model had to run first, `apply` moves
/// them one after the other.
class Offload final : public Technique {
public:
    explicit Offload(const config::TechniqueSetting& setting);

    models::ModuleLoaded loadHook() override;
    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    std::string effective() const override;
    bool followsBlocks() const override { return !isOff(); }

private:
    bool isOff() const { return m_offload.groups == config::OffloadNotation::Groups::None; }
    void moveToHost(torch::nn::Module& module);
    OffloadedWeight& weightOf(const OwnedParameter& parameter);
    static void keepGradientsOnDevice(const at::Tensor& parameter);
    void requireGradientsOnDevice() const;

    config::OffloadNotation m_offload;
    tensor::HostMemory m_kind;
    std::optional<c10::Device> m_device; ///< of the first parameter that is seen
    std::shared_ptr<OffloadCount> m_count = std::make_shared<OffloadCount>();
    std::unordered_map<const c10::TensorImpl*, std::shared_ptr<OffloadedWeight>> m_known;
    OffloadedWeights m_weights; ///< the same, in the order of loading
    std::unique_ptr<GroupOffload> m_groups;
};

} // namespace headroom::techniques

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/InputTransferDescriptor.h"
#include "core/memory/HostMemory.h"
#include "core/techniques/Technique.h"

#include <set>

namespace headroom::techniques {

/// The batch rests in host memory and is copied to the device for each micro-step.
class InputTransfer final : public Technique {
public:
    explicit InputTransfer(const config::TechniqueSetting& setting);

    StepHooks apply(models::Model& model) override;
    Counters counters() const override { return {{"bytes_to_device", m_bytes}}; }
    std::string effective() const override;

private:
    void moveToHost(models::Inputs& inputs);
    void copyToDevice(models::Inputs& inputs);
    bool isMoved(const std::string& name) const { return !m_onHost.contains(name); }

    config::BatchOrigin m_from;
    std::set<std::string> m_onHost; ///< inputs that a model reads on the host
    std::optional<c10::Device> m_device;
    std::string m_reason; ///< why pinned memory is pageable
    std::int64_t m_bytes = 0;
};

} // namespace headroom::techniques

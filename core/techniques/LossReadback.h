// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/LossReadbackDescriptor.h"
#include "core/techniques/Technique.h"

namespace headroom::techniques {

/// The host reads the loss: of each micro-step, of each update, or not at all.
class LossReadback final : public Technique {
public:
    explicit LossReadback(const config::TechniqueSetting& setting);

    StepHooks apply(models::Model& model) override;
    Counters counters() const override { return {{"reads", m_reads}}; }
    std::string effective() const override;

    /// What was read last; NaN on a simulated device, nothing before the first read.
    std::optional<double> lastLoss() const { return m_lastLoss; }

private:
    void read(const at::Tensor& loss);

    config::ReadbackTiming m_when;
    std::int64_t m_reads = 0;
    std::optional<double> m_lastLoss;
};

} // namespace headroom::techniques

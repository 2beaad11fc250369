// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/config/techniques/TrainableDescriptor.h"
#include "core/techniques/Technique.h"

namespace headroom::techniques {

/// Which parameters are trained: all, none, or low-rank adapters beside a frozen base.
///
/// Adapters are drawn from the random state as it is when they are made, in the workload's dtype or one of their own,
/// whatever the base's weights are stored in.
class Trainable final : public Technique {
public:
    Trainable(const config::TechniqueSetting& setting, const config::Configuration& configuration);

    /// Linears that have adapters already keep them.
    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    std::string effective() const override;

private:
    void adapt(models::Model& model);

    config::TrainableNotation m_trainable;
    std::vector<std::string> m_targets;
    models::LowRankOptions m_adapter;
    c10::ScalarType m_dtype;
    std::string m_type; ///< of adapters, where it is their own: " in float32"
    std::int64_t m_trained = 0;
    std::int64_t m_frozen = 0;
    std::int64_t m_adapters = 0;
};

} // namespace headroom::techniques

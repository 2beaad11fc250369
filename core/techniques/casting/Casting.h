// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/config/techniques/CastingDescriptor.h"
#include "core/techniques/Technique.h"
#include "core/techniques/casting/LayerwiseCasting.h"

namespace headroom::techniques {

/// Weights stored in a smaller type; a unit's are upcast while it runs (LayerwiseCasting).
///
/// The first to touch a module that is loaded, so that no more than one is in the workload's type at a time; where the
/// plain model had to run first, `apply` casts what is left. In training, what requires gradients when it is applied is
/// left alone: adapters stay in the workload's type.
class Casting final : public Technique {
public:
    Casting(const config::TechniqueSetting& setting, const config::Configuration& configuration);

    models::ModuleLoaded loadHook() override;
    StepHooks apply(models::Model& model) override;
    Counters counters() const override;
    std::string effective() const override;
    bool countRepeated(const RepeatedBlock& block) override;
    bool followsBlocks() const override { return !isOff() && m_options.prefetch; }

private:
    bool isOff() const { return m_casting.storage == config::CastingNotation::Storage::None; }
    void planLoading(torch::nn::Module& model);
    void storeLoaded(const std::string& path, torch::nn::Module& module);
    void requireUnits(models::Model& model) const;
    StepHooks stepHooks();
    void castInputs(models::Inputs& inputs) const;

    config::CastingNotation m_casting;
    config::CastingOptions m_options;
    c10::ScalarType m_workloadType;
    CastRules m_rules;
    CastRules::Trained m_trained; ///< when it is applied
    std::unordered_map<const torch::nn::Module*, CastModule> m_loading; ///< what of a model is cast as it is loaded
    StoredWeights m_stored;
    std::shared_ptr<CastCount> m_count = std::make_shared<CastCount>();
    std::unique_ptr<LayerwiseCasting> m_layers;
};

} // namespace headroom::techniques

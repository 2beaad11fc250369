// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TrialModels.h"

#include "core/memory/MemoryScopes.h"

namespace headroom::collectors {

TrialModels::TrialModels(const config::Trial& trial)
    : m_trial(trial)
{
}

void TrialModels::load()
{
    const tensor::MemoryScope scope(config::MemoryCategory::Weights);
    m_own = freshModel(m_trial.configuration, m_trial.device,
        runsPlainFirst() ? WeightPlacement::Plain : WeightPlacement::AsTechniquesKeepThem);
}

void TrialModels::loadHarness(const std::function<void(const std::string& name, models::Model& model)>& loaded)
{
    if (m_trial.protocol.keepBaselineModel) {
        loadSecond();
        loaded("second model's weights", *m_second.model);
    }
    if (!m_trial.protocol.residentModel.empty()) {
        loadResident();
        loaded("weights of " + m_trial.protocol.residentModel, *m_resident.model);
    }
}

std::vector<models::Model*> TrialModels::harness() const
{
    std::vector<models::Model*> kept;
    for (const LoadedModel* loaded : {&m_second, &m_resident})
        if (loaded->model)
            kept.push_back(loaded->model.get());
    return kept;
}

void TrialModels::loadSecond()
{
    const tensor::MemoryScope scope(config::MemoryCategory::Harness);
    m_second = freshModel(config::baselineOf(m_trial.configuration), m_trial.device, WeightPlacement::Plain);
    m_second.techniques->apply(*m_second.model);
}

void TrialModels::loadResident()
{
    const tensor::MemoryScope scope(config::MemoryCategory::Harness);
    config::Configuration configuration =
        config::defaultConfiguration(m_trial.protocol.residentModel, "resident_model");
    configuration.workload.dtype = m_trial.configuration.workload.dtype;
    m_resident = freshModel(configuration, m_trial.device, WeightPlacement::Plain);
}

// A plain model needs plain weights: techniques that keep them differently convert them from their initial form.
bool TrialModels::runsPlainFirst() const
{
    const bool forOutput = m_trial.protocol.keepBaselineOutput && !m_trial.protocol.keepBaselineModel;
    return forOutput || m_trial.protocol.plainWarmup;
}

// The task's own techniques, which stay when the compared ones are added.
RunnableModel TrialModels::plain()
{
    if (!m_plainTechniques) {
        m_plainTechniques = std::make_unique<techniques::TechniqueStack>(config::baselineOf(m_trial.configuration));
        m_plainTechniques->apply(*m_own.model);
    }
    return {*m_own.model, *m_plainTechniques};
}

RunnableModel TrialModels::baseline()
{
    return m_second.model ? RunnableModel{*m_second.model, *m_second.techniques} : plain();
}

void TrialModels::applyTechniques()
{
    m_plainTechniques.reset();
    m_own.techniques->apply(*m_own.model);
}

void TrialModels::reload()
{
    drop();
    m_own = freshModel(m_trial.configuration, m_trial.device, WeightPlacement::AsTechniquesKeepThem);
    m_own.techniques->apply(*m_own.model);
}

} // namespace headroom::collectors

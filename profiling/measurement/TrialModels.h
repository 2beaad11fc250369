// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "profiling/measurement/FirstStep.h"

namespace headroom::collectors {

/// A model that is run, with the techniques that a step of it needs; borrowed.
struct RunnableModel {
    models::Model& model;
    techniques::TechniqueStack& techniques;
};

/// The models of one trial: its own, first plain and then with its techniques; a second one that published comparisons
/// keep resident; and another one that is never run.
class TrialModels {
public:
    /// The trial is borrowed.
    explicit TrialModels(const config::Trial& trial);

    /// The trial's own model, its weights where the techniques keep them, unless a plain model has to run first.
    void load();
    /// What is kept beside it, as the protocol says: harness memory. Tells of each model with a name for it.
    void loadHarness(const std::function<void(const std::string& name, models::Model& model)>& loaded);

    /// Without levers, before applyTechniques().
    RunnableModel plain();
    /// What runs as the baseline in this process: the second model, or the trial's own without levers.
    RunnableModel baseline();

    void applyTechniques();
    /// With its techniques.
    RunnableModel own() { return {*m_own.model, *m_own.techniques}; }
    models::Model& model() { return *m_own.model; }
    /// What is kept beside it; borrowed.
    std::vector<models::Model*> harness() const;

    /// The trial's own model as it was made, with its techniques.
    void reload();
    void dropSecond() { m_second = {}; }
    void drop() { m_own = {}; }

private:
    void loadSecond();
    void loadResident();
    bool runsPlainFirst() const;

    const config::Trial& m_trial;
    LoadedModel m_own;
    LoadedModel m_second;
    LoadedModel m_resident;
    std::unique_ptr<techniques::TechniqueStack> m_plainTechniques; ///< the baseline's, on the own model
};

} // namespace headroom::collectors

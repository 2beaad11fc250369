// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "profiling/measurement/FirstStep.h"

namespace headroom::collectors {

/// A model to run, with the techniques that its steps need; borrowed.
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

    /// Builds the trial's own model, its weights where the techniques keep them, unless a plain model has to run first.
    void load();
    /// Builds the models kept beside it, as the protocol says: harness memory. Calls `loaded` for each, with a name.
    void loadHarness(const std::function<void(const std::string& name, models::Model& model)>& loaded);

    /// The own model without techniques; before applyTechniques().
    RunnableModel plain();
    /// The model that runs as the baseline in this process: the second model, or the trial's own without techniques.
    RunnableModel baseline();

    void applyTechniques();
    /// The own model with its techniques.
    RunnableModel own() { return {*m_own.model, *m_own.techniques}; }
    models::Model& model() { return *m_own.model; }
    /// The models kept beside it; borrowed.
    std::vector<models::Model*> harness() const;

    /// Rebuilds the trial's own model with its initial weights and its techniques.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/catalogue/Configuration.h"
#include "experiments/plan/PlanAxes.h"
#include "experiments/plan/PlanRules.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// All combinations of settings with which a trial does the same task: of each technique its range, and the batch in
/// parts that an update accumulates.
class PlanSpace {
public:
    /// Throws UsageError for rules that name what does not exist, contradict each other, or leave a technique without a
    /// setting.
    PlanSpace(const config::Trial& trial, const PlanRules& rules);

    const PlanAxes& axes() const { return m_axes; }
    /// Settings that would work and that the rules' trainer does not have: "casting e4m3".
    const std::vector<std::string>& notOffered() const { return m_notOffered; }
    /// The trial with the settings of the point. It may have problems where three settings do not work together.
    config::Trial trialOf(const PlanPoint& point) const;
    /// The axis of the policies for blocks, if rules and model allow a budget for them.
    const std::optional<std::size_t>& budgetAxis() const { return m_budgetAxis; }
    /// The point with the policy `budget:SIZE`, a new setting of that axis. For a space that has been searched.
    PlanPoint withBudget(PlanPoint point, Bytes size);
    /// What changes between two settings of an axis.
    std::vector<SettingChange> differences(std::size_t axis, std::size_t from, std::size_t to) const;

private:
    using Apply = std::vector<config::TechniqueSetting>;

    void addTechnique(const config::TechniqueDescriptor& technique, const PlanRules& rules);
    void addSetting(PlanAxis& axis, Apply& settings, const config::TechniqueDescriptor& technique,
        const config::RangeSetting& setting) const;
    void addAllowed(
        PlanAxis& axis, Apply& settings, const config::TechniqueDescriptor& technique, const PlanRules& rules);
    void addBatch(const PlanRules& rules);
    void findBudgetAxis(const PlanRules& rules);
    void addGuards();
    void addExclusions();
    config::Trial alone(const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting) const;
    bool canWork(const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting) const;
    bool isOffered(const config::TechniqueDescriptor& technique, const config::TechniqueSetting& setting) const;
    config::Trial with(std::size_t axis, std::size_t setting, config::Trial trial) const;

    const config::Trial m_trial;
    config::Trial m_plain; ///< without levers: what settings are tried on by themselves
    const Offers m_offers;
    std::vector<std::string> m_notOffered;
    PlanAxes m_axes;
    std::vector<Apply> m_settings; ///< by axis; empty for the batch
    std::vector<std::pair<std::int64_t, int>> m_batches; ///< batch and micro-steps
    std::optional<std::size_t> m_budgetAxis;
    std::vector<std::pair<std::size_t, std::string>> m_timeGuards; ///< axis, technique that has to be off
};

} // namespace headroom::experiments

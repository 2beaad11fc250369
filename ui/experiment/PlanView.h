// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/Plan.h"

#include <string>

namespace headroom::ui {

/// A plan as a form shows it: the settings of one part, or those that all parts share.
class PlanView {
public:
    /// `part` counts from 0; -1 stands for what all parts share.
    PlanView(std::shared_ptr<const Plan> plan, int part);

    const Plan& plan() const { return *m_plan; }
    int part() const { return m_part; }

    /// The effective value, from the part, the top level, or the configuration file that the model is read from; null
    /// if none of them sets it.
    config::Value value(const std::string& path) const;
    /// The value that applies if the setting is not set: the field's default, or what follows from a setting that
    /// requires training.
    config::Value defaultOf(const std::string& path, const config::Field& field) const;
    /// Explains in a sentence why that value is not the field's default; empty if it is, or if the setting is set.
    std::string reasonOfDefault(const std::string& path, const config::Field& field) const;
    /// Whether the value is set at the level that edits go to, so that removing it changes something.
    bool isOwn(const std::string& path) const;
    /// The first model's name; for a configuration file, the model that it describes. Empty if there is none.
    std::string model() const;
    /// The problem with the value of this path; empty if there is none.
    std::string problem(const std::string& path) const;
    /// The conflicts of this setting's values with other settings.
    const std::vector<PlanConflict>& conflicts(const std::string& path) const;
    /// Null if a value is invalid.
    const PlannedPart* planned() const;

private:
    const experiments::SpecSettings* own() const;
    const PlannedPart* impliedPart() const;
    const experiments::SpecSettings* resolved() const;

    std::shared_ptr<const Plan> m_plan;
    int m_part;
};

} // namespace headroom::ui

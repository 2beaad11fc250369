// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/Plan.h"

#include <string>

namespace headroom::ui {

/// A plan as a form shows it: the settings of one part, or those that all parts share.
class PlanView {
public:
    /// `part` counts from 0; -1: what all parts share.
    PlanView(std::shared_ptr<const Plan> plan, int part);

    const Plan& plan() const { return *m_plan; }
    int part() const { return m_part; }

    /// The value that holds, of the part or of the top level, or of the configuration file that the model is read from;
    /// null where none sets it.
    config::Value value(const std::string& path) const;
    /// What holds where the value is not set: the field's default, or what follows from a setting that asks for
    /// training.
    config::Value defaultOf(const std::string& path, const config::Field& field) const;
    /// Why it is not the field's default, in a sentence; empty where it is, and where the value is set.
    std::string reasonOfDefault(const std::string& path, const config::Field& field) const;
    /// The value is set where edits go to: taking it away changes something.
    bool isOwn(const std::string& path) const;
    /// The first model's name, of a configuration file the model that it describes; empty where there is none.
    std::string model() const;
    /// What stands against the value of this path; empty where nothing does.
    std::string problem(const std::string& path) const;
    /// What of it cannot work with what else is chosen.
    const std::vector<PlanConflict>& conflicts(const std::string& path) const;
    /// Null where a value is wrong.
    const PlannedPart* planned() const;

private:
    const experiments::SpecSettings* own() const;
    const PlannedPart* impliedPart() const;
    const experiments::SpecSettings* resolved() const;

    std::shared_ptr<const Plan> m_plan;
    int m_part;
};

} // namespace headroom::ui

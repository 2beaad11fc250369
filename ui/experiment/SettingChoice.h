// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/ValueChecklist.h"
#include "ui/spec/SettingText.h"

namespace headroom::ui {

class SpecSession;

/// A value to choose, with what it means.
struct SettingChoice {
    QString value;
    QString meaning; ///< shown beside it in the list; may be empty

    bool operator==(const SettingChoice&) const = default;
};

/// As a list shows it: "every:N – each Nth block".
QString entryText(const SettingChoice& choice);

/// Those that the field itself knows: its choices, on and off, and suggestions.
std::vector<SettingChoice> ownChoices(const Setting& setting);

/// What a checklist of the choices shows where the setting has these values; values of no choice come last.
std::vector<ValueChecklist::Item> checklistItems(
    const std::vector<SettingChoice>& choices, const config::Value::List& values, const Setting& setting);

/// The values of a sweep with one of them added, or taken away where it is among them; null: none is left.
config::Value withToggled(const config::Value& values, const config::Value& one, const config::Field& field);

/// Path, meaning and valid values, as rich text.
QString toolTipOf(const Setting& setting);

/// "2 values, 64 trials"
QString sweepOutcome(std::size_t values, const SpecSession& session);

} // namespace headroom::ui

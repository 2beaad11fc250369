// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"
#include "core/config/catalogue/Configuration.h"
#include "ui/experiment/SettingRow.h"

#include <QString>

namespace headroom::ui {

/// The texts of the form about a technique, all from its descriptor.

/// The notation as a setting: "techniques.checkpointing".
Setting notationSetting(const config::TechniqueDescriptor& technique);

/// Notations to choose from, with their meanings: first those worth a try, then one of each form.
std::vector<SettingRow::Choice> notationChoices(
    const config::TechniqueDescriptor& technique, const std::optional<config::Trial>& trial);

/// The notation that is set when the technique is switched on: the one that most people begin with, else the simplest
/// one that works. Empty if there is none.
std::string firstNotation(const config::TechniqueDescriptor& technique, const std::optional<config::Trial>& trial);

/// All forms with their meanings, the options, and the counters that prove that the technique was applied, as rich
/// text.
QString longHelp(const config::TechniqueDescriptor& technique);

} // namespace headroom::ui

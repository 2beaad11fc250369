// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"
#include "core/config/catalogue/Configuration.h"
#include "ui/experiment/SettingRow.h"

#include <QString>

namespace headroom::ui {

/// What the form says about a technique: all of it from its descriptor.

/// The notation as a setting: "techniques.checkpointing".
Setting notationSetting(const config::TechniqueDescriptor& technique);

/// Notations to choose from with what they mean: those worth a try first, then one of every form.
std::vector<SettingRow::Choice> notationChoices(
    const config::TechniqueDescriptor& technique, const std::optional<config::Trial>& trial);

/// What switching the technique on sets: what most people begin with, else the simplest notation that works. Empty
/// where there is none.
std::string firstNotation(const config::TechniqueDescriptor& technique, const std::optional<config::Trial>& trial);

/// All forms with their meaning, the options and what proves that it was carried out, as rich text.
QString longHelp(const config::TechniqueDescriptor& technique);

} // namespace headroom::ui

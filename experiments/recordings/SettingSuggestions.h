// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/recordings/WhatIf.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// The settings that are worth trying; with a limit also those that act at it.
std::vector<std::string> sensibleSettings(bool hasLimit);

/// The row that helps most against the recorded one of its device, if any does: one that serves all where the recorded
/// settings do not, else the one that reserves least, else the one that does with the least memory. Of equal ones the
/// first.
std::optional<SettingSuggestion> bestSetting(const std::vector<WhatIfRow>& rows);

} // namespace headroom::experiments

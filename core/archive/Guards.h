// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

namespace headroom::archive {

enum class GuardState { Holds, Violated, NotChecked };

/// Whether what the export assumed of its inputs, an expression of Python over their sizes, holds for the symbols'
/// values. Not checked: it speaks of something else than sizes and numbers.
GuardState checkGuard(const ExportedModel& model, const std::string& guard, const SymbolValues& values);

/// The guards that do not hold.
std::vector<std::string> violatedGuards(const ExportedModel& model, const SymbolValues& values);

} // namespace headroom::archive

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"
#include "experiments/report/effects/Effects.h"

namespace headroom::report {

/// A row for each setting: what it does alone, and on average over combinations of the others.
ReportTable mainEffectTable(const Effects& effects);

/// A row for each pair of settings: what the first does without and with the second, and what both do beyond the sum.
ReportTable interactionTable(const Effects& effects);

/// How the figures come about, in one sentence.
std::string effectNote(EffectPeak peak);

} // namespace headroom::report

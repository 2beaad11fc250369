// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "experiments/figures/Figure.h"
#include "experiments/figures/TrialTerms.h"
#include "experiments/report/ReportTrial.h"

#include <optional>
#include <vector>

namespace headroom::report {

// A trial in the terms of figures.

figures::Provenance provenanceOf(const ReportTrial& trial);
std::vector<figures::Flag> flagsOf(const ReportTrial& trial);
std::optional<Bytes> peakOf(const ReportTrial& trial, figures::MemoryKind memory);
std::optional<double> speedOf(const ReportTrial& trial, SpeedUnit unit);
std::optional<figures::Interval95> intervalOf(const ReportTrial& trial, SpeedUnit unit);

} // namespace headroom::report

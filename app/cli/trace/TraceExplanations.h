// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceReport.h"

#include <vector>

namespace headroom::cli {

/// Why the peak differs from that of the compared trial: sentences, the differences, and the peaks of the phases.
std::vector<Section> comparisonSections(const TraceFindings& findings);
experiments::OrderedJson comparisonJson(const TraceFindings& findings);

/// How the enabled techniques relate to the peak, and why one has no effect on it.
Section techniqueSection(const TraceFindings& findings);
experiments::OrderedJson techniquesJson(const TraceFindings& findings);

/// The largest part of the peak and what would reduce it; null for an empty peak.
experiments::OrderedJson ownerJson(const TraceFindings& findings);

/// Sentences on each technique if the sweep flags the trial as `no_effect`; else null.
experiments::OrderedJson noEffectJson(const TraceFindings& findings);

} // namespace headroom::cli

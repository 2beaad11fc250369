// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceReport.h"

#include <vector>

namespace headroom::cli {

/// Why the peak differs from that of the trial it is compared with: sentences, what differs, the peaks of the phases.
std::vector<Section> comparisonSections(const TraceFindings& findings);
experiments::OrderedJson comparisonJson(const TraceFindings& findings);

/// What the techniques that are on have to do with the peak, and why one has no effect on it.
Section techniqueSection(const TraceFindings& findings);
experiments::OrderedJson techniquesJson(const TraceFindings& findings);

/// The largest part of the peak and what would make it less; null of a peak of nothing.
experiments::OrderedJson ownerJson(const TraceFindings& findings);

/// Sentences on each technique where the sweep says that the trial is without effect; null elsewhere.
experiments::OrderedJson noEffectJson(const TraceFindings& findings);

} // namespace headroom::cli

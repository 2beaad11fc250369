// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <string>
#include <vector>

namespace headroom::report {

/// Below a picture that leaves its page: whose results they are. "ltx-tradeoff: ltx-video-2b on sim:h100-80gb;
/// predicted, not measured; 2026-03-01 12:30 UTC, Headroom 1.0". Of no trials: of all that the report has.
std::string captionOf(const ReportContent& content, const std::vector<const ReportTrial*>& trials = {});

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/document/Block.h"

namespace headroom::report {

/// Memory over time: in full of the trials on the fronts and of those that they are compared with; of each other trial
/// folded, with as many steps as show its shape.
Blocks timelineBlocks(const ReportContent& content, const Comparison& comparison, ReportBounds::Timelines shown);

/// What was held at the peak of a trial that has no timeline: a tree to open for each.
Blocks treesWithoutTimeline(const ReportContent& content, const Comparison& comparison);

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/comparison/DifferenceOverTime.h"
#include "experiments/comparison/PeakContents.h"
#include "experiments/report/ReportTable.h"

#include <string>
#include <vector>

namespace headroom::experiments {

/// "Aligned by phase, in the time of A."
std::string alignmentSentence(figures::Alignment alignment);

/// "B has more than A for 62.0 % of the 3.2 s in which both are traced and less for 10.0 %; 1.20 GiB more on average.
/// It has the most more, 3.10 GiB, at 412 ms (backward, step 3)."
std::string overTimeSentence(const DifferenceOverTime& overTime, const std::string& a, const std::string& b);

/// The parts with the largest differences, at most `most` of them, in their order.
std::vector<const DifferencePart*> notableParts(const DifferenceOverTime& overTime, std::size_t most);

/// Of a table of parts: what it is called, how long it lasts, the difference on average, the most and the least with
/// when.
std::vector<report::ReportCell> cellsOfPart(const DifferenceOverTime& overTime, const DifferencePart& part);

/// What memory under one name is called: a category's title, "(no module)", "(no call stack)". `by`: "category",
/// "module", "frame", in any case.
std::string nameOfPeakPart(const std::string& by, const std::string& name);

/// A way of naming memory in which all of it has no name says nothing.
bool tellsApart(const std::vector<NamedDifference>& differences);

} // namespace headroom::experiments

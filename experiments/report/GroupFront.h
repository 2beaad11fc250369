// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"

#include <cstddef>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace headroom::report {

/// Trials of a group among which one may choose: they completed, fit, contradict nothing, and their peak is known.
std::vector<const ReportTrial*> usableTrials(const ComparisonGroup& group);

/// Those of them that no other one beats in both peak memory and speed, from the least memory on.
std::vector<const ReportTrial*> frontOf(const ComparisonGroup& group);

/// Ids of the trials on the fronts of all groups by the memory that decides (decidingMemory) and a known speed: the
/// lines of a trade-off that shows this memory.
std::set<std::string> trialsOnFront(const Comparison& comparison);

/// Ids of the trials that a report shows in full without being asked: those on the fronts and what they are compared
/// with, at most `most`. The ends of each front come first, and the references.
std::unordered_set<std::string> trialsInFull(const Comparison& comparison, std::size_t most);

/// The same, filled up to `most` with others in the order of the sweep, each beside what it is compared with, and one
/// at least of each provenance that there is.
std::unordered_set<std::string> trialsWorthShowing(const Comparison& comparison, std::size_t most);

} // namespace headroom::report

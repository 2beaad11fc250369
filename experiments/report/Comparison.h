// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTrial.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::report {

/// Which figure a peak is: reserved where all completed trials in question have it, else allocated.
enum class MemoryFigure { Reserved, Allocated };

MemoryFigure commonFigure(const std::vector<const ReportTrial*>& trials);
std::optional<Bytes> peakOf(const ReportTrial& trial, MemoryFigure figure);
/// "reserved", "allocated"
std::string name(MemoryFigure figure);

/// Trials that differ in their techniques only: what may be compared one by one. They keep the order of the sweep.
struct ComparisonGroup {
    /// What tells the group from the others of the report, for people: "sim:t4, geglu"; empty for the only one.
    std::string title;
    std::vector<const ReportTrial*> trials;
    /// The trial whose techniques are off; those that are the same in all trials of the group do not count. Null where
    /// there is none, or nothing else to compare it with.
    const ReportTrial* reference = nullptr;
    MemoryFigure figure = MemoryFigure::Reserved;
};

/// How a trial stands to the reference of its group. Empty where either has no such figure.
struct Versus {
    std::optional<Bytes> savedBytes; ///< of the peak; negative where it takes more
    std::optional<double> speedRatio;
};

/// The groups of a report, and groups that may share a picture. `trials` must outlive it. Groups never span
/// experiments.
class Comparison {
public:
    /// `references`: ids of trials that are the reference of their group, instead of the one without techniques.
    explicit Comparison(const std::vector<ReportTrial>& trials, const std::set<std::string>& references = {});

    const std::vector<ComparisonGroup>& groups() const { return m_groups; }
    const ComparisonGroup& groupOf(const ReportTrial& trial) const;
    Versus versus(const ReportTrial& trial) const;
    /// Whether measured and predicted trials stand beside each other.
    bool isMixed() const { return m_isMixed; }

    /// Indices of groups that stand in one picture: of one model and workload on several devices, or of one model on
    /// one device with another field or shape. Not the small sweep on the processor and the large simulated one. All
    /// groups if they are of several experiments, which were chosen to be seen together.
    std::vector<std::vector<std::size_t>> panels() const;

private:
    void group(const std::vector<ReportTrial>& trials, const std::set<std::string>& references);
    void name();
    bool hasSeveralExperiments() const;

    std::vector<ComparisonGroup> m_groups;
    std::map<const ReportTrial*, std::size_t> m_groupOf; ///< index in m_groups
    bool m_isMixed = false;
};

/// " (predicted)", " (rehearsed)": behind the name of a trial that was not measured, where not all came about in the
/// same way. Else the text around says so once.
std::string provenanceMark(const ReportTrial& trial, const Comparison& comparison);

} // namespace headroom::report

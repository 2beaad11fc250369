// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/document/PageExcerpt.h"

#include "experiments/report/GroupFront.h"

namespace headroom::report {
namespace {

ReportContent partOf(const ReportContent& content, const std::unordered_set<std::string>& trials)
{
    ReportContent part;
    part.experiment = content.experiment;
    part.task = content.task;
    part.usableBytes = content.usableBytes;
    for (const ReportTrial& trial : content.trials)
        if (trials.contains(trial.id()))
            part.trials.push_back(trial);
    for (const figures::TimelineInput& timeline : content.timelines) // which there are; they are drawn by themselves
        part.timelines.emplace_back().id = timeline.id;
    return part;
}

} // namespace

PageExcerpt::PageExcerpt(
    const ReportContent& content, const Comparison& comparison, std::size_t wholeUpTo, std::size_t most)
    : m_content(content)
    , m_comparison(comparison)
{
    if (content.trials.size() <= wholeUpTo)
        return;
    m_part = partOf(content, trialsWorthShowing(comparison, most));
    m_partComparison.emplace(m_part->trials);
}

} // namespace headroom::report

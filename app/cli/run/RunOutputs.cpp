// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/RunOutputs.h"

#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/WorkspaceOption.h"
#include "app/cli/run/JUnitReport.h"
#include "app/cli/run/RunSession.h"
#include "app/cli/run/SummaryPage.h"
#include "core/config/catalogue/Catalogue.h"

#include <functional>
#include <set>
#include <utility>

namespace headroom::cli {
namespace {

// Others may have written to the file, so the page starts on a new line.
constexpr const char* kSeparator = "\n";

void keepWeights(DistinctFiles& files, const std::vector<experiments::PlannedTrial>& trials)
{
    std::set<std::string> weights;
    for (const experiments::PlannedTrial& planned : trials)
        weights.insert(config::weightsOf(planned.trial.configuration.modelFields));
    for (const std::string& path : weights)
        if (!path.empty() && path != config::kFilledWeights)
            files.keepWeights(path);
}

} // namespace

RunOutputs::RunOutputs(const RunArguments& arguments, ObserverGroup& observers, const std::stop_token& stop)
{
    if (!arguments.junit.empty())
        m_junit.emplace(arguments.junit, stop);
    if (!arguments.summary.empty())
        m_summary.emplace(arguments.summary, stop);
    if (!arguments.events.empty())
        observers.add(m_eventLog.emplace(m_events.emplace(arguments.events, stop).stream()));
}

void RunOutputs::appendSummary(const FinishedRun& run, Console& console)
{
    const std::size_t used = m_summary->size() + (m_summary->size() > 0 ? std::string(kSeparator).size() : 0);
    const std::string page = used < kSummaryCapacity ? summaryPage(run, kSummaryCapacity - used) : "";
    if (page.empty())
        console.line("note: nothing was added to the summary, which is as long as GitHub shows already");
    else
        m_summary->append((used > 0 ? kSeparator : "") + page);
}

void RunOutputs::writeJUnit(const FinishedRun& run)
{
    m_junit->write(junitXml(run));
    m_junit->commit();
}

std::optional<FileError> RunOutputs::write(const FinishedRun& run, Console& console)
{
    std::optional<FileError> first;
    const auto attempt = [&](bool isAskedFor, const std::function<void()>& action) {
        try {
            if (isAskedFor)
                action();
        } catch (const FileError& error) {
            first = first ? first : error;
        }
    };
    attempt(m_junit.has_value(), [&] { writeJUnit(run); });
    attempt(m_summary.has_value(), [&] { appendSummary(run, console); });
    attempt(m_events.has_value(), [&] { m_events->close(); });
    return first;
}

void requireDistinctOutputs(const RunArguments& arguments, const RunPlan& plan)
{
    DistinctFiles files;
    files.keepWorkspace(workspacePath(arguments.workspace));
    if (!plan.spec.source.empty())
        files.keep(plan.spec.source, "the spec");
    if (!arguments.budgets.empty())
        files.keep(arguments.budgets, "the file of --budgets");
    for (const std::filesystem::path& file : plan.spec.modelFiles)
        files.keep(file, "the configuration file of a model");
    keepWeights(files, plan.trials);
    const std::vector<std::pair<const char*, std::string>> outputs{
        {"--events", arguments.events}, {"--junit", arguments.junit}, {"--summary", arguments.summary}};
    for (const auto& [flag, path] : outputs)
        if (!path.empty())
            files.write(flag, path);
}

} // namespace headroom::cli

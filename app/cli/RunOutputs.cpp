// SPDX-License-Identifier: Apache-2.0
#include "app/cli/RunOutputs.h"

#include "app/cli/JUnitReport.h"
#include "app/cli/SummaryPage.h"

#include <filesystem>
#include <functional>
#include <map>

namespace headroom::cli {
namespace {

// Others may have written to the file; a line of its own starts the page.
constexpr const char* kSeparator = "\n";

std::filesystem::path placeOf(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), ignored);
}

} // namespace

RunOutputs::RunOutputs(const RunArguments& arguments, ObserverGroup& observers)
{
    if (!arguments.junit.empty())
        m_junit.emplace(arguments.junit);
    if (!arguments.summary.empty())
        m_summary.emplace(arguments.summary);
    if (!arguments.events.empty())
        openEvents(arguments.events, observers);
}

void RunOutputs::openEvents(const std::string& path, ObserverGroup& observers)
{
    m_eventsPath = path;
    m_events.open(path, std::ios::trunc);
    if (!m_events)
        throw FileError("event file cannot be written", path, "a file in a folder that exists and may be written");
    observers.add(m_eventLog.emplace(m_events));
}

void RunOutputs::closeEvents()
{
    m_events.close();
    if (!m_events)
        throw FileError("event file could not be written to its end", m_eventsPath, "a disk with free space");
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
    attempt(m_junit.has_value(), [&] { m_junit->write(junitXml(run)); });
    attempt(m_summary.has_value(), [&] { appendSummary(run, console); });
    attempt(m_eventLog.has_value(), [&] { closeEvents(); });
    return first;
}

void requireDistinctOutputs(const RunArguments& arguments)
{
    std::map<std::filesystem::path, std::string> flags{{placeOf(workspacePath(arguments.workspace)), "--workspace"}};
    const std::map<std::string, std::string> outputs{
        {"--events", arguments.events}, {"--junit", arguments.junit}, {"--summary", arguments.summary}};
    for (const auto& [flag, path] : outputs)
        if (!path.empty())
            if (const auto [it, isNew] = flags.emplace(placeOf(path), flag); !isNew)
                throw UsageError(
                    "found \"" + path + "\", the file of " + it->second + " too", flag, "a file of its own");
}

} // namespace headroom::cli

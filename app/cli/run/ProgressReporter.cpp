// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/ProgressReporter.h"

#include "app/cli/run/RunVerdict.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::cli {

using namespace experiments;

namespace {

constexpr auto kShortestInterval = std::chrono::milliseconds(50);

Colour summaryColour(const RunSummary& summary)
{
    return summary.exitCode() == 0 ? Colour::Green : Colour::Red;
}

} // namespace

void ProgressReporter::runStarted(const std::string&, std::span<const PlannedTrial> trials)
{
    m_finished = 0;
    m_total = trials.size();
}

void ProgressReporter::repeatStarted(const PlannedTrial& trial, int repeat)
{
    const int repeats = trial.trial.protocol.repeats;
    m_repeat = repeats > 1 ? fmt::format(" (repeat {}/{})", repeat + 1, repeats) : "";
    m_shown = {};
    show(trial, "starting");
}

void ProgressReporter::phaseStarted(const PlannedTrial& trial, const std::string& phase, std::int64_t)
{
    show(trial, phase);
}

void ProgressReporter::stepFinished(const PlannedTrial& trial, std::int64_t step, std::int64_t total)
{
    show(trial, fmt::format("step {}/{}", step, total));
}

// Phases change hundreds of times a second, so updates that nobody could read are dropped.
void ProgressReporter::show(const PlannedTrial& trial, const std::string& doing)
{
    const auto now = std::chrono::steady_clock::now();
    if (now - m_shown < kShortestInterval)
        return;
    m_shown = now;
    m_console.status(fmt::format("[{}/{}] {}{}: {}", m_finished + 1, m_total, trial.label, m_repeat, doing));
}

void ProgressReporter::trialFinished(const PlannedTrial& trial, const TrialResult& result)
{
    m_finished = std::min(m_finished + 1, m_total); // a trial that was measured again finishes twice
    m_console.clearStatus(); // records may be printed to the same terminal
    if (result.outcome != Outcome::Failed && result.outcome != Outcome::TimedOut)
        return;
    m_console.colouredLine({{inWords(toText(result.outcome)), Colour::Red},
        {": " + trial.label + (result.reason.empty() ? "" : ": " + result.reason)}});
}

void ProgressReporter::remark(const std::string& text)
{
    m_console.line("note: " + text);
}

void ProgressReporter::runFinished(const RunSummary& summary)
{
    const std::string counts = outcomeCounts(summary);
    const char* state = summary.interrupted ? "interrupted" : "finished";
    m_console.colouredLine({{summary.experiment + " "}, {state, summaryColour(summary)},
        {fmt::format(": {}: {} ({})", counted(summary.trials, "trial"), counts.empty() ? "nothing to do" : counts,
            durationText(summary.seconds))}});
}

} // namespace headroom::cli

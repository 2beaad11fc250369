// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/traces/Rows.h"

#include "core/base/Error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::store {
namespace {

template <typename T, std::size_t N> using Words = std::array<std::pair<T, std::string_view>, N>;

constexpr Words<TrialStatus, 3> kStatuses{
    {{TrialStatus::Planned, "planned"}, {TrialStatus::Running, "running"}, {TrialStatus::Done, "done"}}};

constexpr Words<Severity, 3> kSeverities{
    {{Severity::Info, "info"}, {Severity::Warning, "warning"}, {Severity::Error, "error"}}};

template <typename T, std::size_t N> std::string_view wordOf(const Words<T, N>& words, T value)
{
    for (const auto& [candidate, word] : words) {
        if (candidate == value)
            return word;
    }
    return {};
}

template <typename T, std::size_t N> T valueOf(const Words<T, N>& words, std::string_view text, const char* what)
{
    std::string valid;
    for (const auto& [value, word] : words) {
        if (word == text)
            return value;
        valid += (valid.empty() ? "" : ", ") + std::string(word);
    }
    throw FileError("unknown " + std::string(what) + " '" + std::string(text) + "'", {}, valid);
}

} // namespace

std::string_view toText(TrialStatus status)
{
    return wordOf(kStatuses, status);
}

std::string_view toText(Severity severity)
{
    return wordOf(kSeverities, severity);
}

TrialStatus trialStatusFromText(std::string_view text)
{
    return valueOf(kStatuses, text, "trial status");
}

Outcome outcomeFromText(std::string_view text)
{
    if (const auto outcome = findRepeatOutcome(text))
        return *outcome;
    throw FileError("unknown outcome '" + std::string(text) + "'", {}, repeatOutcomes());
}

Severity severityFromText(std::string_view text)
{
    return valueOf(kSeverities, text, "severity");
}

bool isFinished(Outcome outcome, Retry retry)
{
    if (retry == Retry::Everything)
        return false;
    switch (outcome) {
    case Outcome::Completed:
    case Outcome::OutOfMemory:
    case Outcome::Skipped:
        return true;
    case Outcome::Failed:
    case Outcome::TimedOut:
        return retry == Retry::Cancelled;
    case Outcome::Cancelled:
    case Outcome::NotRun:
        return false;
    }
    return false;
}

bool isLossOfTrace(std::string_view kind)
{
    static constexpr std::array<std::string_view, 7> kinds{"dropped_events", "dropped_records", "malformed_block",
        "malformed_record", "damaged_spool", "unfinished_spool", "unreadable_spool"};
    return std::ranges::find(kinds, kind) != kinds.end();
}

} // namespace headroom::store

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Console.h"
#include "experiments/run/RunObserver.h"

#include <chrono>

namespace headroom::cli {

/// Shows the progress of a run on standard error: one status line on a terminal, and permanent lines for remarks and
/// for trials that failed or timed out.
class ProgressReporter : public experiments::RunObserver {
public:
    /// `console` must outlive the reporter.
    explicit ProgressReporter(Console& console)
        : m_console(console)
    {
    }

    void runStarted(const std::string& experiment, std::span<const experiments::PlannedTrial> trials) override;
    void repeatStarted(const experiments::PlannedTrial& trial, int repeat) override;
    void phaseStarted(const experiments::PlannedTrial& trial, const std::string& phase, std::int64_t step) override;
    void stepFinished(const experiments::PlannedTrial& trial, std::int64_t step, std::int64_t total) override;
    void trialFinished(const experiments::PlannedTrial& trial, const experiments::TrialResult& result) override;
    void remark(const std::string& text) override;
    void runFinished(const experiments::RunSummary& summary) override;

private:
    void show(const experiments::PlannedTrial& trial, const std::string& doing);

    Console& m_console;
    std::size_t m_finished = 0;
    std::size_t m_total = 0;
    std::string m_repeat;
    std::chrono::steady_clock::time_point m_shown{};
};

} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Console.h"
#include "app/cli/rehearse/RehearsalEvents.h"
#include "app/cli/rehearse/RehearsePlan.h"
#include "experiments/rehearsal/RankedRehearsal.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::cli {

/// The rows of a plan, rehearsed and stored: each as soon as it is finished, those of a search together at its end.
class RehearsedRows {
public:
    /// `plan` and `events` must outlive it.
    RehearsedRows(const RehearsePlan& plan, std::filesystem::path workspace, std::string commandLine,
        RehearsalEvents& events, std::stop_token stop);

    /// `jobs` side by side. Throws what the commands throw that cannot be started.
    void run(std::size_t jobs, Console& console);
    /// Stores how it ended. To be called once, after run().
    experiments::RunSummary end();

    const std::vector<experiments::RehearsedRow>& rows() const { return m_rows; }
    /// Whether the rows differ in their cards alone: the smallest one that is enough is the answer.
    bool asksForCard() const;
    /// The row with the largest value of a search, or with the smallest card, that fits.
    std::optional<std::size_t> answer() const;
    experiments::ResultsDocument results() const { return m_archive->results(); }
    std::vector<std::string> remarks() const { return m_archive->remarks(); }

private:
    using Finished = experiments::FinishedRehearsal;

    Finished rehearse(const experiments::PlannedRehearsal& planned) const;
    void runAll(std::size_t jobs, Console& console);
    void search(const experiments::PlannedRehearsal& unfilled, std::vector<Finished>& found, Console& console);
    void store(std::size_t index, Finished finished, Console& console);

    const RehearsePlan& m_plan;
    std::filesystem::path m_workspace;
    std::string m_commandLine;
    RehearsalEvents& m_events;
    std::stop_token m_stop;
    std::chrono::steady_clock::time_point m_begun = std::chrono::steady_clock::now();
    std::vector<experiments::PlannedRehearsal> m_planned;
    std::optional<experiments::RehearsalArchive> m_archive;
    std::vector<experiments::RehearsedRow> m_rows;
    std::optional<std::size_t> m_found; ///< of a search
    std::int64_t m_largest = 0; ///< its value
};

} // namespace headroom::cli

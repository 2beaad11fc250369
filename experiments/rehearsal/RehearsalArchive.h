// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/archive/ExperimentArchive.h"
#include "experiments/rehearsal/RehearsedMemory.h"
#include "experiments/results/ResultsDocument.h"
#include "experiments/spec/Budget.h"
#include "experiments/verdict/DeviceFit.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A command on a card as it is planned: what makes it a trial of its own.
struct PlannedRehearsal {
    RehearsalTerms terms;
    std::vector<std::pair<std::string, std::string>> values; ///< of the axes
    std::string label;
};

/// "train.py" for `python -u train.py --lr 1`, "run.sh" for `./run.sh`: what people call a command.
std::string nameOfCommand(const std::vector<std::string>& command);

/// Rehearsals as trials of a workspace: one experiment, a trial for each command and card.
class RehearsalArchive {
public:
    /// Adds the experiment. Throws FileError.
    RehearsalArchive(const std::filesystem::path& workspace, const std::vector<PlannedRehearsal>& planned,
        const std::string& commandLine);

    /// Stores one that is finished with the memory history of its run, and fills the row's trial id and held memory.
    /// What cannot be read of a history costs the history.
    void add(std::size_t index, RehearsedRow& row, const RehearsedRun& run);

    /// Judges the budgets and stores how it ended. To be called once.
    RunSummary end(const std::vector<Budget>& budgets, double seconds, bool isInterrupted);

    /// The results of those that are finished.
    ResultsDocument results() const;
    const std::vector<std::string>& remarks() const { return m_remarks; }

private:
    std::filesystem::path spool(std::size_t index, const std::optional<RehearsedMemory>& memory) const;

    std::string m_name;
    std::string m_environment;
    ExperimentArchive m_archive;
    DeviceFit m_deviceFit;
    std::vector<PlannedTrial> m_planned;
    SweepResults m_results;
    std::vector<std::string> m_remarks;
};

} // namespace headroom::experiments

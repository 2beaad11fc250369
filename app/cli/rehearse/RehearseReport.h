// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/rehearsal/RehearsalAnswer.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// All that `headroom rehearse` found.
struct RehearseOutcome {
    std::vector<std::string> command;
    bool isInterrupted = false;
    /// What the rows are about as a whole.
    enum class Question { Rows, LargestValue, SmallestCard } question = Question::Rows;
    std::vector<experiments::RehearsedRow> rows;
    std::optional<std::size_t> answer; ///< the row that is asked for
    int budgetExitCode = 0;

    int exitCode() const;
};

Report rehearseReport(const RehearseOutcome& outcome);

} // namespace headroom::cli

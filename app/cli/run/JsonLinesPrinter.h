// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/run/RunObserver.h"

#include <iosfwd>

namespace headroom::cli {

/// `--format jsonl`: each trial's record on a line of its own as soon as it is there, then the summary.
class JsonLinesPrinter : public experiments::RunObserver {
public:
    /// `out` must outlive the printer.
    explicit JsonLinesPrinter(std::ostream& out)
        : m_out(out)
    {
    }

    void trialFinished(const experiments::PlannedTrial& trial, const experiments::TrialResult& result) override;
    void runFinished(const experiments::RunSummary& summary) override;

private:
    std::ostream& m_out;
};

} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/reading/ReportReader.h"
#include "tests/experiments/run/RunFixture.h"

#include <string>

namespace headroom::report {

/// Reports of runs of ffn-stack-tiny with the scripted worker.
class ReportFixture : public experiments::RunFixture {
protected:
    ReportContent content(Identity identity = Identity::Shown)
    {
        store::Workspace stored = experiments::openForReading(workspace());
        experiments::DeviceFit deviceFit(options.resources);
        return readReport(stored, experiments::chooseExperiment(stored, "", "--experiment"), deviceFit, identity);
    }

    void change(const std::string& sql);
};

/// A trial with a record as a completed run leaves it.
struct TrialSketch {
    std::string splitFfn = "off";
    std::string device = "sim:t4";
    double peakGib = 1;
    std::optional<double> stepsPerSecond = 1;
    double scatter = 0; ///< of the step time, as a fraction
    std::string outcome = "completed";
    std::string activation = "gelu";
    std::optional<protocol::MemoryBreakdown> breakdown = {};
    int sequenceLength = 8; ///< of both samples: splits of tokens have to divide twice that
};

/// Of blocks that hold the same, a head, and something of no module; 1 GiB in all.
protocol::MemoryBreakdown sketchedBreakdown();

std::vector<ReportTrial> sketched(const std::vector<TrialSketch>& sketches);

} // namespace headroom::report

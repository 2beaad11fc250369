// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/reading/ReportReader.h"
#include "tests/experiments/report/Sketches.h"
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

} // namespace headroom::report

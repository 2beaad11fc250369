// SPDX-License-Identifier: Apache-2.0
//
// Peaks that the test device has and those that are predicted, over drawn combinations of models, workloads and
// techniques. Each is measured by a worker of its own: a second trial in a process would find the first one's
// workspaces and cached segments.
#include "core/base/Bytes.h"
#include "core/base/Statistics.h"
#include "core/config/catalogue/CombinationDraw.h"
#include "tests/app/cli/program/RealDevice.h"
#include "tests/support/Checkout.h"
#include "tests/support/EnvironmentVariable.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::cli {
namespace {

using experiments::WorkerSession;
using protocol::RequestKind;

struct Peaks {
    std::string what;
    protocol::MemoryFigures measured{};
    protocol::MemoryFigures predicted{};

    Bytes allocatedDifference() const { return std::abs(*predicted.allocated - *measured.allocated); }
    Bytes reservedDifference() const { return std::abs(*predicted.reserved - *measured.reserved); }
};

class RealPeaksTest : public RealDevice {
protected:
    static protocol::WorkerRequest request(
        RequestKind kind, const config::Configuration& configuration, const std::string& on)
    {
        config::Trial trial;
        trial.configuration = configuration;
        trial.device = config::parseDevice(on, "");
        trial.protocol.warmupSteps = 1;
        trial.protocol.maxWarmupSteps = 0;
        trial.protocol.steps = 1;
        return {.kind = kind, .id = 1, .trial = trial};
    }

    static protocol::MemoryFigures peakOf(WorkerSession& session, const protocol::WorkerRequest& asked)
    {
        const protocol::RepeatResult result = session.carryOut(asked, {}, {});
        EXPECT_EQ(result.outcome, Outcome::Completed) << result.reason;
        return result.memory.peak;
    }

    static Peaks peaksOf(const config::Configuration& configuration, WorkerSession& simulating)
    {
        WorkerSession measuring(worker());
        Peaks peaks{configuration.model + ", " + config::toText(configuration.workload.step) + ", "
            + config::toText(configuration.workload.dtype) + ": " + config::techniqueLabel(configuration)};
        SCOPED_TRACE(peaks.what);
        peaks.measured = peakOf(measuring, request(RequestKind::Run, configuration, device()));
        peaks.predicted = peakOf(simulating, request(RequestKind::Simulate, configuration, simulatedDeviceName()));
        return peaks;
    }

    static bool isGpu() { return device().starts_with("cuda"); }

    EnvironmentVariable m_resources{"HEADROOM_RESOURCES", shippedResources().string()};
};

// Tiny models: on a GPU what a segment or a block is rounded up to counts, so there is room for one of each. What
// larger models come to is what `headroom validate` measures.
TEST_F(RealPeaksTest, drawnCombinationsPeakWhereTheyArePredicted)
{
    config::CombinationDraw draw(2027);
    WorkerSession simulating(worker());
    std::vector<double> differences;
    for (int drawn = 0; drawn < (isGpu() ? 40 : 6); ++drawn) {
        const Peaks peaks = peaksOf(draw.next(), simulating);
        ASSERT_TRUE(peaks.measured.allocated && peaks.predicted.allocated) << peaks.what;
        const auto measured = static_cast<double>(*peaks.measured.allocated);
        const auto difference = static_cast<double>(peaks.allocatedDifference());
        EXPECT_LE(difference, std::max(0.02 * measured, isGpu() ? 1.0 * kMiB : 0.0))
            << peaks.what << ": measured " << *peaks.measured.allocated << ", predicted " << *peaks.predicted.allocated;
        differences.push_back(difference / measured);
        if (isGpu()) {
            EXPECT_LE(peaks.reservedDifference(), std::max(*peaks.measured.reserved / 25, 20 * kMiB))
                << peaks.what << ": measured " << *peaks.measured.reserved << ", predicted "
                << *peaks.predicted.reserved;
        }
    }
    EXPECT_LE(median(differences).value_or(1), 0.01);
}

} // namespace
} // namespace headroom::cli

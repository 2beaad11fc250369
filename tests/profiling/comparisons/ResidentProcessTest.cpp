// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/FfnStackFamily.h"
#include "profiling/measurement/HostProcess.h"
#include "tests/profiling/comparisons/TrialRun.h"

#include <gtest/gtest.h>

namespace headroom::collectors {
namespace {

config::Trial numbered(int number)
{
    const auto& kinds = config::activationKinds();
    const char* const devices[]{"sim:a100-80gb", "sim:h100-80gb@torch-2.5", "sim:cpu", "sim:t4"};
    const char* const steps[]{"inference", "forward_backward", "train"};
    const char* const notations[]{"off", "4", "tokens:4"};
    config::Trial trial = trialOf(devices[number % 4],
        {{"num_layers", 1 + number % 5}, {"dim", 256 + 64 * (number % 7)},
            {"activation_fn", kinds[static_cast<std::size_t>(number) % kinds.size()]}},
        {{"step", steps[number % 3]}, {"sequence_length", 512 + 4 * number}});
    split(trial, notations[number % 3]);
    return trial;
}

// All simulated trials share one resident worker, so none may leave anything behind: no block in its own account
// beside the cuBLAS workspaces that live as long as the device, and no growth of the process.
TEST(ResidentProcessTest, twoHundredSimulatedTrialsLeaveNothingBehind)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer keeps freed memory";
#endif
    SilentListener listener;
    std::optional<Bytes> settled;
    for (int number = 0; number < 200; ++number) {
        const config::Trial trial = numbered(number);
        const auto simulated = profiles().parseSimulatedDevice(trial.device.notation());
        SimulatedInstruments instruments(simulated, trial.memoryLimitBytes);
        ASSERT_EQ(TrialMeasurement(trial, instruments, listener).run().outcome, Outcome::Completed);
        const Bytes workspace = simulated.device.compute
            ? simulated.runtime.cublasWorkspaceBytes(simulated.device.compute->capability.value)
            : 0;
        const bool hasBackward = trial.configuration.workload.step != config::StepKind::Inference;
        // Requested, as a block may be larger: what is left of a segment is not split off below 1 MiB.
        const Bytes beside = *instruments.current().requested - workspace * (hasBackward ? 2 : 1);
        const Bytes ofLt = simulated.device.compute ? simulated.runtime.cublasLtBytes->value : 0;
        ASSERT_TRUE(beside == 0 || beside == ofLt || beside == 2 * ofLt) << number << ": " << beside;
        if (number == 20)
            settled = residentBytes();
    }
    if (settled) {
        EXPECT_LT(*residentBytes() - *settled, 4 * kMiB);
    }
}

TEST(ResidentProcessTest, theSameTrialGivesTheSameFiguresWhateverRanBefore)
{
    const protocol::RepeatResult first = measured(numbered(1));
    for (int number = 2; number < 12; ++number)
        measured(numbered(number));
    EXPECT_EQ(measured(numbered(1)), first);
}

} // namespace
} // namespace headroom::collectors

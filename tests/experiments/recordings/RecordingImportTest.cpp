// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/RecordingImport.h"

#include "experiments/archive/StoredResults.h"
#include "experiments/recordings/StoredRecording.h"
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/TracedEvents.h"
#include "tests/support/Checkout.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

class RecordingImportTest : public testing::Test {
protected:
    ImportedExperiment import(const std::string& name, const std::string& experiment = "")
    {
        const auto file = checkout("tests/fuzz/corpus/recording/" + name);
        m_recording = recordings::readRecording(file);
        return importRecording(m_recording, {file, m_folder.file("w.db"), experiment, "headroom trace import"});
    }

    store::Workspace workspace() const
    {
        return store::Workspace::open(m_folder.file("w.db"), store::Access::ReadOnly);
    }

    static std::vector<trace::AllocatorEvent> eventsOf(store::Workspace& workspace, const store::TrialRow& trial)
    {
        const std::int64_t repeat = workspace.repeats(trial.id).front().id;
        std::vector<trace::AllocatorEvent> all;
        workspace.trace().eachBlock(repeat, "device", [&](const auto&, std::span<const trace::AllocatorEvent> events) {
            all.insert(all.end(), events.begin(), events.end());
        });
        return all;
    }

    TemporaryFolder m_folder;
    recordings::Recording m_recording;
};

TEST_F(RecordingImportTest, aRecordingIsAnExperimentWithATrialForEachDevice)
{
    const ImportedExperiment imported = import("two_devices.pickle", "run 7");
    EXPECT_EQ(imported.name, "run 7");
    ASSERT_EQ(imported.trials.size(), 2u);
    EXPECT_EQ(imported.trials[1].device, "cuda:1");
    EXPECT_EQ(imported.trials[0].peakReservedBytes, 50 * kMiB);
    EXPECT_EQ(imported.trials[0].events, 7);
    store::Workspace stored = workspace();
    const auto experiment = chooseExperiment(stored, "run 7", "test");
    DeviceFit deviceFit(checkout("resources"));
    const ResultsDocument results = resultsOf(readExperiment(stored, experiment), deviceFit);
    ASSERT_EQ(results.trials.size(), 2u);
    EXPECT_EQ(results.trials[0].model.name, "recording");
    EXPECT_THAT(results.trials[0].workload, testing::IsEmpty());
    EXPECT_THAT(results.trials[0].techniques, testing::IsEmpty());
    EXPECT_EQ(results.trials[0].memory.peak.reserved, 50 * kMiB);
    EXPECT_FALSE(results.trials[0].isPredicted);
    EXPECT_EQ(results.trials[0].trialId, imported.trials[0].trialId);
}

TEST_F(RecordingImportTest, anImportThatIsEndedLeavesNothing)
{
    struct Ended { };
    const auto file = checkout("tests/fuzz/corpus/recording/two_devices.pickle");
    m_recording = recordings::readRecording(file);
    const ImportRequest request{.file = file,
        .workspace = m_folder.file("w.db"),
        .name = "half",
        .commandLine = {},
        .progress = [](double share) {
            if (share == 1)
                throw Ended();
        }};
    EXPECT_THROW(importRecording(m_recording, request), Ended);
    EXPECT_THAT(workspace().experiments(), testing::IsEmpty());
    const ImportedExperiment again = import("two_devices.pickle", "half");
    EXPECT_EQ(again.number, workspace().experiments().front().id);
    EXPECT_EQ(
        std::distance(std::filesystem::directory_iterator(m_folder.path()), std::filesystem::directory_iterator()), 1)
        << "no spools, no claims";
}

TEST_F(RecordingImportTest, theTraceIsTheRecording)
{
    import("middle.pickle");
    std::vector<trace::AllocatorEvent> expected;
    recordings::eachTracedEvent(m_recording.devices.at(0), [&](std::span<const trace::AllocatorEvent> events) {
        expected.insert(expected.end(), events.begin(), events.end());
    });
    store::Workspace stored = workspace();
    const auto trials = stored.trials(stored.experiments().front().id);
    ASSERT_EQ(trials.size(), 1u);
    EXPECT_EQ(eventsOf(stored, trials[0]), expected);
    EXPECT_EQ(expected.front().timeNs, recordings::kBeforeNs);
    const auto owners = stored.trace().owners(stored.repeats(trials[0].id).front().id);
    EXPECT_TRUE(std::ranges::equal(owners.all(), m_recording.owners.all()));
}

TEST_F(RecordingImportTest, aStoredRecordingIsReplayedLikeItsFile)
{
    import("middle.pickle");
    store::Workspace stored = workspace();
    const auto trial = stored.trials(stored.experiments().front().id).at(0);
    const recordings::Recording found =
        storedRecording(stored, trial, stored.repeats(trial.id).front().id, checkout("resources"));
    const auto ofFile = recordings::Replay(m_recording.devices[0], m_recording.owners, {}).run();
    const auto ofTrial = recordings::Replay(found.devices.at(0), found.owners, {}).run();
    EXPECT_EQ(ofTrial.peakReservedBytes, ofFile.peakReservedBytes);
    EXPECT_EQ(ofTrial.peakAllocatedBytes, ofFile.peakAllocatedBytes);
    EXPECT_EQ(ofTrial.placedAsRecorded, ofFile.placedAsRecorded);
    EXPECT_EQ(ofTrial.allocations, ofFile.allocations);
}

TEST_F(RecordingImportTest, aRunThatDiedIsOutOfMemory)
{
    const ImportedExperiment imported = import("out_of_memory.pickle");
    EXPECT_EQ(imported.trials.at(0).outcome, Outcome::OutOfMemory);
    store::Workspace stored = workspace();
    DeviceFit deviceFit(checkout("resources"));
    const auto results = resultsOf(readExperiment(stored, stored.experiments().front()), deviceFit);
    ASSERT_TRUE(results.trials.at(0).outOfMemory);
    EXPECT_EQ(results.trials[0].outOfMemory->requestedBytes, 64 * kMiB);
    EXPECT_EQ(results.trials[0].outOfMemory->freeBytes, 50 * kMiB);
}

TEST_F(RecordingImportTest, otherContentHasOtherIds)
{
    const std::string first = import("protocol_4.pickle").trials.at(0).trialId;
    EXPECT_NE(import("protocol_5.pickle").trials.at(0).trialId, first);
    EXPECT_EQ(import("protocol_4.pickle").trials.at(0).trialId, first);
}

} // namespace
} // namespace headroom::experiments

// SPDX-License-Identifier: Apache-2.0
//
// Small recordings made by hand (tests/fuzz/recording_corpus.py), in every form in which they come.
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/Replay.h"
#include "profiling/recordings/TracedEvents.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

namespace headroom::recordings {
namespace {

using config::MemoryCategory;

Recording madeByHand(const std::string& name)
{
    return readRecording(checkout("tests/fuzz/corpus/recording/" + name));
}

std::vector<trace::AllocatorEvent> tracedEvents(const Recording& recording)
{
    std::vector<trace::AllocatorEvent> all;
    eachTracedEvent(recording.devices.at(0),
        [&](std::span<const trace::AllocatorEvent> events) { all.insert(all.end(), events.begin(), events.end()); });
    return all;
}

TEST(FormatsTest, everyFormOfASnapshotSaysTheSame)
{
    const Recording first = madeByHand("protocol_4.pickle");
    ASSERT_EQ(first.devices.size(), 1u);
    EXPECT_EQ(first.devices[0].events.size(), 7u);
    EXPECT_THAT(first.devices[0].before, testing::IsEmpty());
    for (const char* const name : {"protocol_2.pickle", "protocol_3.pickle", "protocol_5.pickle", "gzip.pickle.gz",
             "page.html", "snapshot.json"}) {
        SCOPED_TRACE(name);
        const Recording other = madeByHand(name);
        EXPECT_EQ(tracedEvents(other), tracedEvents(first));
        EXPECT_TRUE(std::ranges::equal(other.owners.all(), first.owners.all()));
        EXPECT_EQ(other.phases, first.phases);
    }
}

// 6 MiB of weights, 30 more of an activation, then 14 of it.
TEST(FormatsTest, aMemoryTimelineIsACurveByCategory)
{
    const Recording recording = madeByHand("timeline.json");
    ASSERT_EQ(recording.devices.size(), 1u);
    std::map<std::int64_t, Bytes> after;
    trace::MemoryCounters counters;
    for (const trace::AllocatorEvent& event : tracedEvents(recording)) {
        counters.apply(event);
        EXPECT_LE(counters.allocated, 36 * kMiB);
        after[event.timeNs] = counters.allocated;
    }
    EXPECT_EQ(after,
        (std::map<std::int64_t, Bytes>{{0, 6 * kMiB}, {10'000, 36 * kMiB}, {20'000, 20 * kMiB}, {30'000, 6 * kMiB}}));
    const RecordedEvent& activation = recording.devices[0].events[1];
    EXPECT_EQ(recording.owners.of(activation.owner).category, MemoryCategory::SavedActivations);
}

TEST(FormatsTest, aRawMemoryTimelineHasItsBlocks)
{
    const Recording recording = madeByHand("timeline.raw.json.gz");
    const DeviceRecording& device = recording.devices.at(0);
    ASSERT_EQ(device.before.size(), 1u); // what was there before
    EXPECT_EQ(device.before[0].blocks.at(0).bytes, 6 * kMiB);
    const auto events = device.events;
    ASSERT_EQ(events.size(), 5u); // a new version of the same category is no event
    EXPECT_EQ(events[0].bytes, 30 * kMiB);
    EXPECT_EQ(events[1].kind, EventKind::Relabelled);
    EXPECT_EQ(recording.owners.of(events[1].owner).category, MemoryCategory::Gradients);
    EXPECT_EQ(events[2].kind, EventKind::FreeRequested);
    EXPECT_EQ(events[2].address, events[0].address);
    EXPECT_EQ(events[2].timeNs, 2'000);
    EXPECT_EQ(events[4].bytes, 512);
    EXPECT_EQ(device.contradictions, 0);
}

TEST(FormatsTest, whatAProgramNotedItselfIsAMark)
{
    const Recording recording = madeByHand("notes.pickle");
    ASSERT_EQ(recording.records.markers.size(), 1u);
    EXPECT_EQ(recording.records.markers[0].name, "epoch 3");
    EXPECT_EQ(recording.records.markers[0].beginNs, 15'000);
    EXPECT_TRUE(recording.records.markers[0].isMark);
    EXPECT_EQ(tracedEvents(recording), tracedEvents(madeByHand("protocol_4.pickle")));
}

TEST(FormatsTest, eventsHaveSizesOwnersTimesAndPhases)
{
    const Recording recording = madeByHand("protocol_4.pickle");
    const RecordedEvent& weights = recording.devices[0].events[1];
    EXPECT_EQ(weights.kind, EventKind::Alloc);
    EXPECT_EQ(weights.bytes, 6 * kMiB);
    EXPECT_EQ(weights.blockBytes, 6 * kMiB);
    EXPECT_EQ(weights.timeNs, 1000);
    EXPECT_EQ(recording.owners.of(weights.owner).category, MemoryCategory::Weights);
    EXPECT_EQ(recording.owners.of(weights.owner).frames,
        "train.py:12 main\ntorch/nn/modules/module.py:1369 to\ntorch/nn/modules/module.py:928 "
        "_apply\ntorch/nn/modules/module.py:1355 convert");
    const auto categoryOfEvent = [&](std::size_t place) {
        return recording.owners.of(recording.devices[0].events[place].owner).category;
    };
    EXPECT_EQ(categoryOfEvent(3), MemoryCategory::SavedActivations);
    EXPECT_EQ(categoryOfEvent(6), MemoryCategory::OptimizerState);
    EXPECT_EQ(recording.phases, (std::vector<trace::PhaseSpan>{{"optimizer", -1, 25'000, 40'000}}));
}

// The ring lost what came before the activation was freed: its segments and blocks are found by running backward.
TEST(FormatsTest, whatTheRingLostIsThereBeforeTheFirstEvent)
{
    const Recording whole = madeByHand("protocol_4.pickle");
    const Recording middle = madeByHand("middle.pickle");
    const DeviceRecording& device = middle.devices.at(0);
    EXPECT_EQ(device.events.size(), 3u);
    ASSERT_EQ(device.before.size(), 2u);
    EXPECT_EQ(device.reservedBefore(), 50 * kMiB);
    EXPECT_TRUE(device.before[0].blocks.at(0).isLive);
    EXPECT_EQ(device.before[0].blocks.at(0).bytes, 30 * kMiB);
    EXPECT_EQ(device.before[1].blocks.at(0).bytes, 6 * kMiB);
    EXPECT_FALSE(device.before[1].blocks.at(1).isLive);
    const ReplayOutcome outcome = Replay(device, middle.owners, {}).run();
    EXPECT_EQ(outcome.peakReservedBytes, 50 * kMiB);
    EXPECT_EQ(outcome.peakAllocatedBytes, Replay(whole.devices[0], whole.owners, {}).run().peakAllocatedBytes);
    EXPECT_EQ(outcome.placedAsRecorded, 1);
}

TEST(FormatsTest, filesWithoutHistoryHaveTheirSegments)
{
    for (const char* const name :
        {"without_history.pickle", "protocol_0.pickle", "bare_segments.pickle", "requested_beyond.pickle"}) {
        SCOPED_TRACE(name);
        const Recording recording = madeByHand(name);
        const DeviceRecording& device = recording.devices.at(0);
        EXPECT_THAT(device.events, testing::IsEmpty());
        EXPECT_EQ(device.reservedBefore(), 50 * kMiB);
        EXPECT_EQ(device.before.at(1).blocks.at(1).address, device.before[1].address + 6 * kMiB);
        EXPECT_EQ(Replay(device, recording.owners, {}).run().peakAllocatedBytes, 14 * kMiB);
    }
}

TEST(FormatsTest, everyDeviceIsARecordingOfItsOwn)
{
    const Recording recording = madeByHand("two_devices.pickle");
    ASSERT_EQ(recording.devices.size(), 2u);
    EXPECT_EQ(recording.devices[1].device, 1);
    EXPECT_EQ(recording.devices[1].events.size(), recording.devices[0].events.size());
}

TEST(FormatsTest, aRequestThatFailedIsTold)
{
    const Recording recording = madeByHand("out_of_memory.pickle");
    const RecordedEvent& failed = recording.devices.at(0).events.back();
    EXPECT_EQ(failed.kind, EventKind::OutOfMemory);
    EXPECT_EQ(failed.bytes, 64 * kMiB);
    EXPECT_EQ(failed.address, Address{50 * kMiB});
    EXPECT_EQ(capacityTold(recording.devices[0], recording.owners), 100 * kMiB);
}

// 14 MiB are free in the default pool; the graph's pool takes a segment of its own.
TEST(FormatsTest, aPrivatePoolSharesNothingWithTheDefaultOne)
{
    const Recording recording = madeByHand("private_pool.pickle");
    const DeviceRecording& device = recording.devices.at(0);
    EXPECT_EQ(device.events.back().privatePool, 1);
    EXPECT_EQ(device.events[1].privatePool, 0);
    const ReplayOutcome outcome = Replay(device, recording.owners, {}).run();
    EXPECT_EQ(outcome.placedAsRecorded, 4);
    EXPECT_EQ(outcome.servedAsRecorded, 4);
    EXPECT_EQ(outcome.peakReservedBytes, 70 * kMiB);
    ASSERT_EQ(recording.remarks.size(), 1u);
    EXPECT_THAT(recording.remarks[0], testing::HasSubstr("private pools"));
}

TEST(FormatsTest, numbersThatNo64BitsHoldAreLeftOutOfJson)
{
    const Recording recording = madeByHand("huge_integer.json");
    EXPECT_EQ(recording.devices.at(0).events.size(), 6u);
    EXPECT_THAT(recording.remarks.at(0), testing::HasSubstr("1 event without a possible address or size"));
}

TEST(FormatsTest, timesMayBeFractions)
{
    EXPECT_EQ(tracedEvents(madeByHand("real_times.json")), tracedEvents(madeByHand("protocol_4.pickle")));
}

// Nothing in this one tells of a backward pass: what modules compute may be kept for one, or not.
TEST(FormatsTest, whatModulesComputeIsUnknownWithoutABackwardPass)
{
    const Recording recording = madeByHand("inference.pickle");
    for (const RecordedEvent& event : recording.devices.at(0).events)
        EXPECT_NE(recording.owners.of(event.owner).category, MemoryCategory::SavedActivations);
    EXPECT_EQ(recording.owners.of(recording.devices[0].events[1].owner).category, MemoryCategory::Weights);
}

TEST(FormatsTest, aTraceOfTheProfilerTellsBlocksOwnersAndKernels)
{
    for (const char* const name : {"profiler.json", "profiler.json.gz"}) {
        SCOPED_TRACE(name);
        const Recording recording = madeByHand(name);
        ASSERT_EQ(recording.devices.size(), 1u);
        const DeviceRecording& device = recording.devices[0];
        EXPECT_EQ(device.heldBefore.allocated, 5 * kMiB);
        EXPECT_EQ(device.heldBefore.reserved, 40 * kMiB);
        const auto first = std::ranges::find(device.events, EventKind::Alloc, &RecordedEvent::kind);
        ASSERT_NE(first, device.events.end());
        EXPECT_EQ(first->blockBytes, 4 * kMiB);
        EXPECT_EQ(first->timeNs, 20'125);
        const trace::MemoryOwner& owner = recording.owners.of(first->owner);
        EXPECT_EQ(owner.category, MemoryCategory::SavedActivations);
        EXPECT_EQ(owner.module, "Linear_0");
        EXPECT_EQ(owner.frames, "ProfilerStep#3\nnn.Module: Linear_0\naten::addmm");
        trace::MemoryCounters counters = device.heldBefore;
        for (const trace::AllocatorEvent& event : tracedEvents(recording))
            counters.apply(event);
        EXPECT_EQ(counters.allocated, 7 * kMiB);
        EXPECT_EQ(counters.reserved, 60 * kMiB);
        ASSERT_EQ(recording.records.kernels.size(), 1u);
        EXPECT_EQ(recording.records.kernels[0].gridY, 3);
        EXPECT_EQ(recording.records.copies.at(0).copyKind, 1u);
        ASSERT_EQ(recording.phases.size(), 2u);
        EXPECT_EQ(recording.phases[0].step, 3);
    }
}

TEST(FormatsTest, anExportOfNsightTellsWhatTheDriverGaveOut)
{
    const Recording recording = madeByHand("nsys.sqlite");
    ASSERT_EQ(recording.devices.size(), 1u);
    EXPECT_EQ(recording.devices[0].events.size(), 4u); // pageable memory is none of the device
    trace::MemoryCounters counters;
    Bytes most = 0;
    for (const trace::AllocatorEvent& event : tracedEvents(recording)) {
        counters.apply(event);
        most = std::max(most, counters.allocated);
    }
    EXPECT_EQ(most, 50 * kMiB);
    EXPECT_EQ(counters.allocated, 30 * kMiB);
}

} // namespace
} // namespace headroom::recordings

// SPDX-License-Identifier: Apache-2.0
//
// What PyTorch itself writes on a machine without a GPU (fixtures/torch_cpu.py): two training steps of a model of
// 132,160 parameters in float32 with AdamW.
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/TracedEvents.h"
#include "profiling/trace/CategoryCounters.h"
#include "tests/support/Checkout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::recordings::torch_cpu_test {
namespace {

using config::MemoryCategory;

constexpr Bytes kParameterBytes = (2 * 64 * 1024 + 1024 + 64) * 4;
constexpr Bytes kActivationBytes = 512 * 1024 * 4; ///< between the layers, one of two

Recording writtenByTorch(const std::string& name)
{
    return readRecording(checkout("tests/profiling/recordings/fixtures/" + name));
}

/// Bytes by category, at the end and at most.
struct Held {
    trace::CategoryCounters atEnd;
    trace::CategoryBytes most;
    Bytes peak = 0;
};

Held heldIn(const Recording& recording)
{
    const trace::OwnerCategories categories(recording.owners.all());
    Held held;
    eachTracedEvent(recording.devices.at(0), [&](std::span<const trace::AllocatorEvent> events) {
        for (const trace::AllocatorEvent& event : events) {
            held.atEnd.apply(event, categories);
            for (const MemoryCategory category : config::kMemoryCategories)
                held.most.of(category) = std::max(held.most.of(category), held.atEnd.categories.of(category));
            held.peak = std::max(held.peak, held.atEnd.allocated);
        }
    });
    return held;
}

TEST(TorchCpuTest, aSnapshotOfAProfileTellsTensorsOfTheProcessorByCategory)
{
    for (const char* const name : {"profile.pickle.gz", "profile.html.gz"}) {
        SCOPED_TRACE(name);
        const Recording recording = writtenByTorch(name);
        ASSERT_EQ(recording.devices.size(), 1u);
        EXPECT_EQ(recording.devices[0].device, -1);
        EXPECT_FALSE(recording.devices[0].hasSegments);
        const Held held = heldIn(recording);
        EXPECT_EQ(held.atEnd.categories.of(MemoryCategory::Weights), kParameterBytes);
        EXPECT_EQ(held.atEnd.categories.of(MemoryCategory::OptimizerState), 2 * kParameterBytes + 4 * 4);
        EXPECT_EQ(held.most.of(MemoryCategory::Gradients), kParameterBytes);
        EXPECT_GE(held.most.of(MemoryCategory::SavedActivations), 2 * kActivationBytes);
        EXPECT_EQ(held.most.of(MemoryCategory::Inputs) % (512 * 64 * 4), 0);
    }
}

TEST(TorchCpuTest, framesOfAProfileAreFunctionsWithFileAndLine)
{
    const Recording recording = writtenByTorch("profile.pickle.gz");
    const auto makesState = [](const trace::MemoryOwner& owner) {
        return owner.category == MemoryCategory::OptimizerState
            && owner.frames.find("torch/optim/adam.py:139 _init_group") != std::string::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(recording.owners.all(), makesState));
    for (const trace::MemoryOwner& owner : recording.owners.all())
        EXPECT_EQ(owner.frames.find("none "), std::string::npos) << owner.frames;
}

// The profiler reports every block of the allocator, the snapshot tensors alone.
TEST(TorchCpuTest, theTraceOfTheSameProfileHasTheSamePeakOfTensorsAtLeast)
{
    const Recording trace = writtenByTorch("trace.json.gz");
    ASSERT_EQ(trace.devices.size(), 1u);
    EXPECT_EQ(trace.devices[0].device, -1);
    const Held held = heldIn(trace);
    EXPECT_EQ(held.atEnd.categories.of(MemoryCategory::OptimizerState), 2 * kParameterBytes + 4 * 4);
    EXPECT_GE(held.peak + kParameterBytes, heldIn(writtenByTorch("profile.pickle.gz")).peak);
}

} // namespace
} // namespace headroom::recordings::torch_cpu_test

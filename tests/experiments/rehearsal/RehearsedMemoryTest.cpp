// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/RehearsedMemory.h"

#include "profiling/recordings/RecordingFile.h"
#include "tests/support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace headroom::experiments::rehearsed_memory_test {
namespace {

using config::MemoryCategory;
using recordings::DeviceRecording;
using recordings::EventKind;
using recordings::Recording;

/// A step of forward (0 to 99), backward (100 to 199) and update (200 to 299), and a second one.
class RehearsedMemoryTest : public testing::Test {
protected:
    RehearsedMemoryTest()
    {
        for (const std::int64_t step : {0, 1}) {
            const std::int64_t begin = step * 300;
            m_recording.phases.push_back({"forward", step, begin, begin + 100});
            m_recording.phases.push_back({"backward", step, begin + 100, begin + 200});
            m_recording.phases.push_back({"optimizer", step, begin + 200, begin + 300});
        }
    }

    std::size_t allocate(std::uint64_t address, std::int64_t timeNs, const std::string& frames = {})
    {
        recordings::RecordedEvent event{.address = address, .bytes = 512, .timeNs = timeNs};
        event.owner = m_recording.owners.idOf({.frames = frames});
        m_device.events.push_back(event);
        return m_device.events.size() - 1;
    }

    std::size_t free(std::uint64_t address, std::int64_t timeNs)
    {
        m_device.events.push_back(
            {.address = address, .bytes = 512, .timeNs = timeNs, .kind = EventKind::FreeRequested});
        return m_device.events.size() - 1;
    }

    const trace::MemoryOwner& ownerOf(std::size_t event) const
    {
        return m_recording.owners.of(m_device.events.at(event).owner);
    }

    Recording m_recording;
    DeviceRecording m_device;
    ProcessRecords m_process;
};

TEST_F(RehearsedMemoryTest, blocksAreNamedByTheAddressesOfTheFirstUpdate)
{
    const std::size_t weight = allocate(0x1000, 10, "train.py:3 main");
    const std::size_t state = allocate(0x3000, 210, "train.py:9 main");
    const std::size_t givenBack = free(0x3000, 400);
    const std::size_t later = allocate(0x3000, 410, "train.py:5 main");
    m_process.parameters = {{0x1000, "layers.3.weight"}};
    m_process.optimizerState = {{0x3000, "layers.3.weight"}};
    nameBlocks(m_device, m_recording, m_process);
    EXPECT_EQ(ownerOf(weight).category, MemoryCategory::Weights);
    EXPECT_EQ(ownerOf(weight).module, "layers.3");
    EXPECT_EQ(ownerOf(weight).frames, "train.py:3 main");
    EXPECT_EQ(ownerOf(state).category, MemoryCategory::OptimizerState);
    EXPECT_EQ(ownerOf(givenBack).category, MemoryCategory::OptimizerState) << "what a category held comes back to it";
    EXPECT_EQ(ownerOf(later).category, MemoryCategory::Unknown) << "another block at the same place";
}

TEST_F(RehearsedMemoryTest, whatABackwardPassLeavesForTheUpdateAreGradients)
{
    const std::size_t gradient = allocate(0x1000, 110);
    const std::size_t ofActivation = allocate(0x2000, 120);
    free(0x2000, 130);
    const std::size_t recomputed = allocate(0x4000, 140, "model.py:8 forward");
    free(0x1000, 250);
    const std::size_t second = allocate(0x1000, 410);
    allocate(0x9000, 510);
    nameBlocks(m_device, m_recording, m_process);
    EXPECT_EQ(ownerOf(gradient).category, MemoryCategory::Gradients);
    EXPECT_EQ(ownerOf(ofActivation).category, MemoryCategory::Temporaries);
    EXPECT_EQ(ownerOf(recomputed).category, MemoryCategory::Unknown) << "it has lines of the program's";
    EXPECT_EQ(ownerOf(second).category, MemoryCategory::Gradients);
}

TEST_F(RehearsedMemoryTest, withoutAnUpdateNothingIsNamed)
{
    m_recording.phases.clear();
    const std::size_t block = allocate(0x1000, 110);
    m_process.parameters = {{0x1000, "weight"}};
    nameBlocks(m_device, m_recording, m_process);
    EXPECT_EQ(ownerOf(block).category, MemoryCategory::Unknown);
}

// Before the first backward pass no stack tells that what modules compute is kept for one.
TEST_F(RehearsedMemoryTest, whatModulesComputeInTheForwardPhaseOfAStepIsSavedAlsoBeforeABackwardPass)
{
    const auto categoryWith = [](const std::string& annotations) {
        const TemporaryFolder folder;
        const Recording recording = recordings::readRecording(folder.write("snapshot.json",
            R"({"segments": [], "device_traces": [[
                {"action": "segment_alloc", "addr": 139642271694848, "size": 2097152, "stream": 0, "time_us": 1000, "frames": []},
                {"action": "alloc", "addr": 139642271694848, "size": 1048576, "stream": 0, "time_us": 1001, "frames": [
                    {"name": "forward", "filename": "torch/nn/modules/linear.py", "line": 125},
                    {"name": "_call_impl", "filename": "torch/nn/modules/module.py", "line": 1750},
                    {"name": "main", "filename": "train.py", "line": 9}]}]],
                "external_annotations": [)"
                + annotations + "]}"));
        return recording.owners.of(recording.devices.at(0).events.at(1).owner).category;
    };
    EXPECT_EQ(categoryWith(""), MemoryCategory::Unknown);
    EXPECT_EQ(categoryWith(R"({"name": "forward", "stage": "START", "time_us": 999, "step": 0},
                              {"name": "forward", "stage": "END", "time_us": 1009, "step": 0})"),
        MemoryCategory::SavedActivations);
}

// So that two checkouts of a script can be compared.
TEST_F(RehearsedMemoryTest, filesBelowTheFolderOfTheCommandAreNamedFromThere)
{
    const std::size_t own =
        allocate(0x1000, 10, "/home/ana/base/train.py:3 main\n/home/ana/base/nets/unet.py:7 forward");
    const std::size_t others =
        allocate(0x2000, 20, "/home/ana/base2/train.py:3 main\n/usr/lib/a.py:1 /home/ana/base/x");
    shortenFrames(m_recording, "/home/ana/base");
    EXPECT_EQ(ownerOf(own).frames, "train.py:3 main\nnets/unet.py:7 forward");
    EXPECT_EQ(ownerOf(others).frames, "/home/ana/base2/train.py:3 main\n/usr/lib/a.py:1 /home/ana/base/x");
}

TEST_F(RehearsedMemoryTest, heldMemoryIsFoldedByCategoryAndLineAndSumsToThePeak)
{
    allocate(0x1000, 10, "main.py:1 main\ntrain.py:3 build");
    allocate(0x2000, 20, "main.py:1 main\ntrain.py:3 build");
    allocate(0x3000, 30, "main.py:1 main\ntrain.py:7 step");
    free(0x3000, 40);
    m_recording.devices = {m_device};
    for (recordings::RecordedEvent& event : m_recording.devices[0].events)
        event.blockBytes = 512;
    const std::vector<HeldMemory> held = heldAtPeak({m_recording, 0});
    ASSERT_EQ(held.size(), 2U);
    EXPECT_EQ(held[0].bytes, 1024);
    EXPECT_EQ(held[0].where, "train.py:3 build");
    EXPECT_EQ(held[1].bytes, 512);
}

} // namespace
} // namespace headroom::experiments::rehearsed_memory_test

// SPDX-License-Identifier: Apache-2.0
//
// What Headroom exports, imported again.
#include "profiling/recordings/RecordingFile.h"
#include "profiling/recordings/TracedEvents.h"
#include "profiling/trace/CategoryCounters.h"
#include "tests/profiling/interchange/ExportTest.h"

namespace headroom::recordings {
namespace {

using interchange::ExportFormat;
using interchange::ProgramDevice;
using interchange::ProgramTrace;
using trace::Action;
using trace::AllocatorEvent;

std::vector<AllocatorEvent> eventsIn(const Recording& recording)
{
    std::vector<AllocatorEvent> all;
    eachTracedEvent(recording.devices.at(0),
        [&](std::span<const AllocatorEvent> events) { all.insert(all.end(), events.begin(), events.end()); });
    return all;
}

/// An event with its owners by name, as numbers may differ.
struct NamedEvent {
    AllocatorEvent event;
    trace::MemoryOwner owner;

    bool operator==(const NamedEvent&) const = default;
};

std::vector<NamedEvent> named(std::vector<AllocatorEvent> events, const trace::OwnerTable& owners)
{
    std::vector<NamedEvent> result;
    for (AllocatorEvent& event : events) {
        const trace::MemoryOwner owner = owners.of(event.owner);
        event.owner = event.previousOwner = trace::kUnknownOwner;
        result.push_back({event, owner});
    }
    return result;
}

// A snapshot names one owner a block: the last one.
std::vector<AllocatorEvent> withFinalOwners(std::vector<AllocatorEvent> events)
{
    std::map<std::uint64_t, std::size_t> live;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events[i].action == Action::Alloc)
            live[events[i].address] = i;
        else if (events[i].action == Action::Relabelled)
            events[live.at(events[i].address)].owner = events[i].owner;
    }
    std::erase_if(events, [](const AllocatorEvent& event) { return event.action == Action::Relabelled; });
    return events;
}

class RoundTripTest : public interchange::ExportTest {
protected:
    Recording reimported(const ProgramTrace& program, ExportFormat format, const std::string& name)
    {
        exportAs(format, recorded(program), name);
        return readRecording(file(name));
    }
};

TEST_F(RoundTripTest, anExportForNsightIsImportedEventByEvent)
{
    for (const char* const settings : {"", "expandable_segments:True"}) {
        SCOPED_TRACE(settings);
        const ProgramTrace program = interchange::runAllocatorProgram(5, 3000, ProgramDevice::Gpu, settings);
        const Recording found =
            reimported(program, ExportFormat::Nsys, std::string("n") + (*settings == '\0' ? "0" : "1") + ".sqlite");
        EXPECT_TRUE(eventsIn(found) == program.events);
        EXPECT_TRUE(std::ranges::equal(found.owners.all(), program.owners));
        EXPECT_EQ(found.phases, program.phases);
        EXPECT_TRUE(found.isPredicted);
        EXPECT_EQ(found.deviceName, "sim:t4");
    }
}

TEST_F(RoundTripTest, aSnapshotIsImportedWithEachBlocksLastOwner)
{
    for (const char* const settings : {"", "expandable_segments:True"}) {
        SCOPED_TRACE(settings);
        const ProgramTrace program = interchange::runAllocatorProgram(6, 3000, ProgramDevice::Gpu, settings);
        const Recording found = reimported(
            program, ExportFormat::PyTorchSnapshot, std::string("s") + (*settings == '\0' ? "0" : "1") + ".pickle");
        const trace::OwnerTable owners(program.owners);
        const auto expected = named(withFinalOwners(program.events), owners);
        const auto imported = named(eventsIn(found), found.owners);
        ASSERT_EQ(imported.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const bool isAllocation = expected[i].event.action == Action::Alloc; // frees know it at their time only
            ASSERT_TRUE(isAllocation ? imported[i] == expected[i] : imported[i].event == expected[i].event) << i;
        }
        EXPECT_EQ(found.phases, program.phases);
    }
}

// A Chrome trace has no blocks, but every change of what they come to.
TEST_F(RoundTripTest, theCurvesOfAChromeTraceAreTheOriginals)
{
    const ProgramTrace program = interchange::runAllocatorProgram(9, 3000);
    const Recording found = reimported(program, ExportFormat::Chrome, "c.json");
    EXPECT_EQ(interchange::countersAfterEach(eventsIn(found)), interchange::countersAfterEach(program.events));
    const trace::OwnerCategories original(program.owners);
    const trace::OwnerCategories imported(found.owners.all());
    trace::CategoryCounters expected;
    for (const AllocatorEvent& event : program.events)
        expected.apply(event, original);
    trace::CategoryCounters counters;
    for (const AllocatorEvent& event : eventsIn(found))
        counters.apply(event, imported);
    EXPECT_EQ(counters, expected);
    EXPECT_TRUE(found.isPredicted);
    EXPECT_EQ(found.deviceName, "sim:t4");
}

TEST_F(RoundTripTest, anAllocatorWithoutSegmentsHasNoneAfterwards)
{
    setDevice("sim:cpu");
    const ProgramTrace program = interchange::runAllocatorProgram(8, 2000, ProgramDevice::Cpu);
    for (const auto& [format, name] :
        {std::pair(ExportFormat::Nsys, "c.sqlite"), std::pair(ExportFormat::PyTorchSnapshot, "c.pickle")}) {
        SCOPED_TRACE(name);
        const Recording found = reimported(program, format, name);
        const auto expected = format == ExportFormat::Nsys ? program.events : withFinalOwners(program.events);
        const auto imported = eventsIn(found);
        ASSERT_EQ(imported.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(imported[i].action, expected[i].action) << i;
            EXPECT_EQ(imported[i].bytes, expected[i].bytes) << i;
        }
    }
}

} // namespace
} // namespace headroom::recordings

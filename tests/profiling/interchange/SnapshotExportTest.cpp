// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/interchange/ExportTest.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::interchange {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using trace::Action;
using trace::AllocatorEvent;

constexpr const char* kExpandable = "expandable_segments:True";

std::vector<std::string> curveLines(const std::vector<AllocatorEvent>& events, int device)
{
    std::vector<std::string> lines;
    trace::MemoryCounters now;
    for (const AllocatorEvent& event : events) {
        now.apply(event);
        if (event.action != Action::OutOfMemory && event.action != Action::Relabelled)
            lines.push_back(
                fmt::format("{} {} {} {} {}", device, event.timeNs / 1'000, now.allocated, now.reserved, now.active));
    }
    return lines;
}

class SnapshotExportTest : public ExportTest {
protected:
    Printed checked(const RecordedTrace& trace, const std::vector<std::string>& options = {})
    {
        m_summary = exportAs(ExportFormat::PyTorchSnapshot, trace, "trace.pickle");
        std::vector<std::string> arguments{file("trace.pickle").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return python("check_snapshot.py", arguments);
    }

    void expectCurvesOf(const ProgramTrace& program, int device = 0)
    {
        const Printed printed = checked(recorded(program), {"--curves"});
        ASSERT_EQ(printed.exitCode, 0) << printed.out;
        std::vector<std::string> lines = printed.lines();
        lines.pop_back();
        expectEqualLines(lines, curveLines(program.events, device));
    }

    ExportSummary m_summary;
};

TEST_F(SnapshotExportTest, carriesEveryEventOfACachingAllocator)
{
    for (const char* settings : {"", kExpandable, "max_split_size_mb:32", "roundup_power2_divisions:4"})
        for (std::uint32_t seed = 1; seed < 3; ++seed)
            expectCurvesOf(runAllocatorProgram(seed, 2'000, ProgramDevice::Gpu, settings));
    EXPECT_TRUE(m_summary.notes.size() == 1) << testing::PrintToString(m_summary.notes);
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("changes of owner")));
}

TEST_F(SnapshotExportTest, namesTheDeviceByItsPlace)
{
    setDevice("cuda:2");
    expectCurvesOf(runAllocatorProgram(1, 500), 2);
}

TEST_F(SnapshotExportTest, givesBlocksOfTheCpuASegmentEach)
{
    setDevice("cpu");
    const ProgramTrace program = runAllocatorProgram(1, 2'000, ProgramDevice::Cpu);
    const Printed printed = checked(recorded(program), {"--curves"});
    ASSERT_EQ(printed.exitCode, 0) << printed.out;
    Bytes peak = 0;
    for (const auto& counters : countersAfterEach(program.events))
        peak = std::max(peak, counters.allocated);
    EXPECT_THAT(printed.lines().back(), HasSubstr(fmt::format("\"peaks\": [{}]", peak)));
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("each block is shown as a segment of its own")));
}

TEST_F(SnapshotExportTest, showsWhatABlockTurnedOutToBe)
{
    ProgramTrace program;
    program.owners = {{}, {config::MemoryCategory::Temporaries, "", ""},
        {config::MemoryCategory::SavedActivations, "blocks.0", "checkpointing"}};
    program.events = {{0, 4096, 2 * kMiB, 2 * kMiB, 0, Action::SegmentAlloc},
        {1'000, 4096, 512, 500, 0, Action::Alloc, 1}, {2'000, 8192, 1024, 1024, 0, Action::Alloc, 1},
        {3'000, 4096, 512, 512, 0, Action::Relabelled, 2, 1}, {4'000, 4096, 512, 512, 0, Action::FreeRequested, 2}};
    const Printed printed = checked(recorded(program));
    ASSERT_EQ(printed.exitCode, 0) << printed.out;
    EXPECT_THAT(printed.out, HasSubstr(R"("categories": {"saved_activations": 512, "temporaries": 1024})"));
}

TEST_F(SnapshotExportTest, anEmptyTraceIsAnEmptySnapshot)
{
    const Printed printed = checked(recorded(ProgramTrace{}));
    ASSERT_EQ(printed.exitCode, 0) << printed.out;
    EXPECT_THAT(printed.out, HasSubstr(R"("devices": 0, "segments": 0)"));
}

TEST_F(SnapshotExportTest, namesOfAnyBytesDoNotBreakIt)
{
    setLabel("\"quoted\\\" \xFF\xC3\x28 \xED\xA0\x80 \n\t caf\xC3\xA9 \xF0\x9F\x92\xBE");
    ProgramTrace program = runAllocatorProgram(3, 300);
    for (trace::MemoryOwner& owner : program.owners)
        if (owner != trace::MemoryOwner{})
            owner.module += "\xFF'\"\\\n\x01\xE2\x82";
    program.phases.front().name = std::string("lo\0ad\xC0\xAF", 7);
    const Printed printed = checked(recorded(program));
    ASSERT_EQ(printed.exitCode, 0) << printed.out;
    EXPECT_THAT(printed.out, HasSubstr("caf\\u00e9 \\ud83d\\udcbe"));
}

TEST_F(SnapshotExportTest, survivesAnyEvents)
{
    for (std::uint32_t seed = 1; seed < 8; ++seed) {
        ProgramTrace program;
        program.events = trace::arbitraryEvents(500, seed);
        std::ranges::sort(program.events, {}, &AllocatorEvent::timeNs);
        // What is left of them is little, but it can be replayed.
        const Printed printed = checked(recorded(program));
        EXPECT_EQ(printed.exitCode, 0) << seed << printed.out;
    }
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("left out")));
}

TEST_F(SnapshotExportTest, aTraceWithHolesCanStillBeReplayed)
{
    for (const char* settings : {"", kExpandable})
        for (std::uint32_t seed = 1; seed < 5; ++seed) {
            ProgramTrace program = runAllocatorProgram(seed, 2'000, ProgramDevice::Gpu, settings);
            std::mt19937 random(seed);
            std::erase_if(program.events, [&](const AllocatorEvent&) { return random() % 20 == 0; });
            const Printed printed = checked(recorded(program));
            EXPECT_EQ(printed.exitCode, 0) << seed << settings << printed.out;
        }
    EXPECT_THAT(m_summary.notes, Not(IsEmpty()));
}

TEST_F(SnapshotExportTest, saysWhatWasHeldBeforeTheTraceBegan)
{
    ProgramTrace program = runAllocatorProgram(1, 100);
    const std::int64_t timeNs = program.events.back().timeNs;
    for (const Action action : {Action::FreeRequested, Action::FreeCompleted})
        program.events.push_back({timeNs, 4096, 345, 345, 0, action});
    const Printed printed = checked(recorded(program, {.allocated = 12'345, .reserved = kGiB, .active = 12'345}));
    EXPECT_EQ(printed.exitCode, 0) << printed.out;
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("12000 bytes were held before the trace began")));
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("1 blocks were there before the trace began")));
}

TEST_F(SnapshotExportTest, theTraceOfAKilledWorkerIsExported)
{
    const ProgramTrace program = runAllocatorProgram(5, 5'000);
    {
        store::SpoolWriter spool(file("spool"), {.eventsPerBlock = 500});
        for (std::size_t i = 0; i < program.owners.size(); ++i)
            spool.addOwner(static_cast<trace::OwnerId>(i), program.owners[i]);
        spool.append("device", program.events);
    } // without finish(): no pyramids, the last events lost
    store::RepeatImport source;
    source.repeat.outcome = Outcome::Failed;
    source.spool = file("spool");
    const Printed printed = checked(recorded(source), {"--curves"});
    ASSERT_EQ(printed.exitCode, 0) << printed.out;
    EXPECT_GT(printed.lines().size(), program.events.size() - 1'500);
}

TEST_F(SnapshotExportTest, leavesWhatWasThereUntilItIsComplete)
{
    const RecordedTrace trace = recorded(runAllocatorProgram(1, 100));
    EXPECT_THAT(
        refusal<FileError>([&] { exportTrace(trace, ExportFormat::PyTorchSnapshot, file("missing/trace.pickle")); }),
        HasSubstr("missing/trace.pickle"));
    EXPECT_THAT(refusal<FileError>([&] { exportTrace(trace, ExportFormat::PyTorchSnapshot, "/dev/full"); }),
        HasSubstr("No space left on device"));
    exportTrace(trace, ExportFormat::PyTorchSnapshot, file("trace.pickle"));
    EXPECT_TRUE(std::filesystem::exists(file("trace.pickle")));
    EXPECT_THAT(m_folder.names(), testing::Each(testing::Not(testing::EndsWith(".part"))));
}

} // namespace
} // namespace headroom::interchange

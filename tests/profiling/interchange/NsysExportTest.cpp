// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/interchange/ExportTest.h"
#include "tests/profiling/interchange/SomeRecords.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::interchange {
namespace {

using testing::Contains;
using testing::HasSubstr;
using trace::Action;
using trace::AllocatorEvent;

class NsysExportTest : public ExportTest {
protected:
    Printed checked(const RecordedTrace& trace, const std::vector<std::string>& options = {})
    {
        m_summary = exportAs(ExportFormat::Nsys, trace, "trace.sqlite");
        std::vector<std::string> arguments{file("trace.sqlite").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Printed printed = python("check_nsys.py", arguments);
        EXPECT_EQ(printed.exitCode, 0) << printed.out.substr(0, 2'000);
        return printed;
    }

    ExportSummary m_summary;
};

TEST_F(NsysExportTest, carriesEveryEventOfTheAllocator)
{
    const ProgramTrace program = runAllocatorProgram(1, 3'000);
    std::vector<std::string> lines = checked(recorded(program), {"--curve"}).lines();
    lines.pop_back();
    std::vector<std::string> expected;
    trace::MemoryCounters now;
    for (const AllocatorEvent& event : program.events) {
        now.apply(event);
        if (event.action == Action::Alloc || event.action == Action::FreeRequested)
            expected.push_back(fmt::format("{} {}", event.timeNs, now.allocated));
    }
    expectEqualLines(lines, expected);
}

TEST_F(NsysExportTest, thePeakThatScriptsAskForIsThatOfReservedMemory)
{
    for (const char* settings : {"", "expandable_segments:True"}) {
        const ProgramTrace program = runAllocatorProgram(2, 3'000, ProgramDevice::Gpu, settings);
        Bytes peak = 0;
        for (const trace::MemoryCounters& now : countersAfterEach(program.events))
            peak = std::max(peak, now.reserved);
        EXPECT_THAT(checked(recorded(program)).out, HasSubstr(fmt::format("\"peak\": {}", peak)));
        EXPECT_THAT(m_summary.notes, Contains(HasSubstr("segments of the caching allocator")));
    }
}

TEST_F(NsysExportTest, theCpusBlocksArePageableMemory)
{
    setDevice("cpu");
    const Printed printed = checked(recorded(runAllocatorProgram(1, 500, ProgramDevice::Cpu)));
    EXPECT_THAT(printed.out, HasSubstr("\"peak\": null"));
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("pageable")));
}

TEST_F(NsysExportTest, recordsOfTheDriverTakeTheirTables)
{
    setDevice("cuda:0");
    store::RepeatImport source = importOf(runAllocatorProgram(5, 300));
    source.records = someRecords();
    const Printed printed = checked(recorded(source), {"--alter"});
    EXPECT_THAT(printed.out, HasSubstr(fmt::format("\"peak\": {}", 20 * kMiB)));
    EXPECT_THAT(printed.out, HasSubstr("\"calls\": 1"));
    EXPECT_THAT(printed.out, HasSubstr("\"altered\": 2"));
    for (const char* table : {"CUPTI_ACTIVITY_KIND_KERNEL\": 1", "CUPTI_ACTIVITY_KIND_MEMCPY\": 1",
             "CUPTI_ACTIVITY_KIND_MEMSET\": 1", "CUDA_GPU_MEMORY_POOL_EVENTS\": 1", "PROFILER_OVERHEAD\": 1",
             "headroom_virtual_memory\": 2", "headroom_device_samples\": 1", "headroom_host_samples\": 2"})
        EXPECT_THAT(printed.out, HasSubstr(table));
    EXPECT_THAT(printed.out, HasSubstr("from the driver (CUPTI)"));
}

TEST_F(NsysExportTest, phasesAndStepsAreRanges)
{
    const Printed printed = checked(recorded(runAllocatorProgram(4, 300)));
    EXPECT_THAT(
        printed.out, HasSubstr(R"("backward": 2, "forward": 2, "load": 1, "step": 2, "step 0": 1, "step 1": 1)"));
}

TEST_F(NsysExportTest, anEmptyTraceKeepsTheSchema)
{
    checked(recorded(ProgramTrace{}));
}

TEST_F(NsysExportTest, namesOfAnyBytesDoNotBreakIt)
{
    setLabel("\"quoted\\\" \xFF\xC3\x28'; DROP TABLE StringIds; -- caf\xC3\xA9");
    ProgramTrace program = runAllocatorProgram(3, 300);
    program.phases.front().name = std::string("lo\0'ad\xC0\xAF", 8);
    for (trace::MemoryOwner& owner : program.owners)
        if (owner != trace::MemoryOwner{})
            owner.module += "\xFF'\"\\\n";
    EXPECT_THAT(checked(recorded(program)).out, HasSubstr("caf\\u00e9"));
}

TEST_F(NsysExportTest, survivesAnyEvents)
{
    for (std::uint32_t seed = 1; seed < 10; ++seed) {
        exportAs(ExportFormat::Nsys, recorded(ProgramTrace{.events = trace::arbitraryEvents(500, seed)}), "any.sqlite");
        EXPECT_EQ(integrity(file("any.sqlite")), "ok");
    }
}

TEST_F(NsysExportTest, writesNoDatabaseToADevice)
{
    const RecordedTrace trace = recorded(runAllocatorProgram(1, 100));
    EXPECT_THAT(refusal<FileError>([&] { exportTrace(trace, ExportFormat::Nsys, "/dev/null"); }),
        HasSubstr("a database cannot be written to a pipe or a device"));
}

} // namespace
} // namespace headroom::interchange

// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/interchange/ExportTest.h"
#include "tests/profiling/interchange/SomeRecords.h"

#include "profiling/trace/CategoryCounters.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::interchange {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using trace::Action;
using trace::AllocatorEvent;

class ChromeExportTest : public ExportTest {
protected:
    Printed checked(
        const RecordedTrace& trace, const std::vector<std::string>& options = {}, const ExportOptions& choices = {})
    {
        m_summary = exportTrace(trace, ExportFormat::Chrome, file("trace.json"), choices);
        std::vector<std::string> arguments{file("trace.json").string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Printed printed = python("check_chrome.py", arguments);
        EXPECT_EQ(printed.exitCode, 0) << printed.out.substr(0, 2'000);
        return printed;
    }

    std::vector<std::string> counterLines(const RecordedTrace& trace, const std::string& name)
    {
        std::vector<std::string> lines = checked(trace, {"--counter", name}).lines();
        lines.pop_back();
        return lines;
    }

    ExportSummary m_summary;
};

TEST_F(ChromeExportTest, carriesEveryChangeOfEachCounter)
{
    const ProgramTrace program = runAllocatorProgram(1, 3'000);
    const RecordedTrace trace = recorded(program);
    for (const trace::Counter counter : trace::kCounters) {
        std::vector<std::string> expected;
        trace::MemoryCounters now;
        for (const AllocatorEvent& event : program.events) {
            const Bytes before = now.of(counter);
            now.apply(event);
            if (now.of(counter) != before)
                expected.push_back(fmt::format("{} {}", event.timeNs, now.of(counter)));
        }
        expectEqualLines(counterLines(trace, std::string(trace::counterName(counter))), expected);
    }
    EXPECT_THAT(m_summary.notes, IsEmpty());
}

TEST_F(ChromeExportTest, categoriesLieOnTopOfEachOther)
{
    const ProgramTrace program = runAllocatorProgram(2, 2'000);
    const trace::OwnerTable table(program.owners);
    const trace::OwnerCategories owners(table.all());
    trace::CategoryCounters balance;
    std::vector<std::string> expected;
    for (const AllocatorEvent& event : program.events) {
        balance.apply(event, owners);
        if (!trace::CategoryCounters::isMovedBy(event.action))
            continue;
        std::string line = std::to_string(event.timeNs);
        for (const Bytes bytes : balance.categories.bytes)
            line += fmt::format(" {}", bytes);
        expected.push_back(line);
    }
    expectEqualLines(counterLines(recorded(program), "allocated by category"), expected);
}

TEST_F(ChromeExportTest, beginsWithWhatWasHeldBefore)
{
    const ProgramTrace program{.events = {{5'000, 4096, 512, 512, 0, Action::Alloc}}};
    const auto lines =
        counterLines(recorded(program, {.allocated = 1'000, .reserved = 9, .active = 1'000}), "allocated");
    EXPECT_THAT(lines, testing::ElementsAre("5000 1000", "5000 1512"));
}

TEST_F(ChromeExportTest, aSummaryKeepsPeaks)
{
    const ProgramTrace program = runAllocatorProgram(3, 40'000);
    Bytes allocated = 0;
    Bytes reserved = 0;
    for (const trace::MemoryCounters& now : countersAfterEach(program.events)) {
        allocated = std::max(allocated, now.allocated);
        reserved = std::max(reserved, now.reserved);
    }
    const Printed printed = checked(recorded(program), {}, {.width = 50});
    EXPECT_THAT(printed.out, HasSubstr(fmt::format("\"allocated\": {}", allocated)));
    EXPECT_THAT(printed.out, HasSubstr(fmt::format("\"reserved\": {}", reserved)));
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("summarised to 50 stretches")));
    EXPECT_LT(m_summary.bytes, 100'000U);
}

TEST_F(ChromeExportTest, phasesNestInsideOfSteps)
{
    const Printed printed = checked(recorded(runAllocatorProgram(4, 300)));
    EXPECT_THAT(printed.out, HasSubstr(R"("spans": {"steps": 2, "phases": 7})"));
}

TEST_F(ChromeExportTest, phasesThatOverlapByHalfGetATrackEach)
{
    ProgramTrace program;
    program.phases = {{"a", 0, 0, 100}, {"b", 0, 50, 150}, {"c", 0, 60, 70}, {"d", 0, 150, 150}};
    const Printed printed = checked(recorded(program));
    EXPECT_THAT(printed.out, HasSubstr(R"x("phases": 3, "phases (2)": 1)x"));
}

TEST_F(ChromeExportTest, showsWhatDriverDeviceAndHostTold)
{
    setDevice("cuda:0");
    store::RepeatImport source = importOf(runAllocatorProgram(5, 300));
    source.records = someRecords();
    const Printed printed = checked(recorded(source));
    for (const char* track : {"stream 7: kernels", "stream 7: copies", "stream 7: fills", "thread 42: CUDA",
             "thread 42: NVTX", "thread 42: profiler overhead", "driver memory (CUPTI)", "used (NVML)", "resident"})
        EXPECT_THAT(printed.out, HasSubstr('"' + std::string(track) + '"'));
    EXPECT_THAT(m_summary.notes, Contains(HasSubstr("whose times were lost")));
}

TEST_F(ChromeExportTest, anEmptyTraceIsADocument)
{
    EXPECT_THAT(checked(recorded(ProgramTrace{})).out, HasSubstr(R"("spans": {}, "counters": {})"));
}

TEST_F(ChromeExportTest, namesOfAnyBytesDoNotBreakIt)
{
    setLabel("\"quoted\\\" \xFF\xC3\x28 \xED\xA0\x80 \n\t\x7F caf\xC3\xA9");
    ProgramTrace program = runAllocatorProgram(3, 300);
    program.phases.front().name = std::string("lo\0\"ad\xC0\xAF", 8);
    EXPECT_THAT(checked(recorded(program)).out, HasSubstr("caf\\u00e9"));
}

TEST_F(ChromeExportTest, survivesAnyEvents)
{
    for (std::uint32_t seed = 1; seed < 5; ++seed)
        checked(recorded(ProgramTrace{.events = trace::arbitraryEvents(500, seed)}));
}

} // namespace
} // namespace headroom::interchange

// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportFigures.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

// Widths of the parts of the only trial's bar, in GiB.
std::map<std::string, double> partsWith(const std::string& name, Bytes bytes)
{
    ReportContent content;
    content.trials = sketched({{.peakGib = 8}});
    experiments::TrialMemory& memory = content.trials.front().result.memory;
    memory.afterLoad.reserved = 5 * kGiB;
    memory.harness = {{name, bytes}};
    const Comparison comparison(content.trials);
    const std::vector<Panel> panels = panelsOf(content, comparison);
    std::map<std::string, double> parts;
    for (const auto& bar : panels.front().peaks.bars)
        parts[bar.part] = bar.to - bar.from;
    return parts;
}

using testing::DoubleEq;
using testing::Pair;
using testing::UnorderedElementsAre;

// It is there when the trial's own model has been loaded, and would be told twice.
TEST(ReportFiguresTest, aModelKeptBesideTheTrialIsNotWhatItLoaded)
{
    EXPECT_THAT(partsWith("resident model", 4 * kGiB),
        UnorderedElementsAre(Pair("after load", DoubleEq(1)), Pair("the step's own", DoubleEq(3)),
            Pair("held by the measuring", DoubleEq(4))));
}

TEST(ReportFiguresTest, aKeptOutputComesAfterLoading)
{
    EXPECT_THAT(partsWith("baseline output", 2 * kGiB),
        UnorderedElementsAre(Pair("after load", DoubleEq(5)), Pair("the step's own", DoubleEq(1)),
            Pair("held by the measuring", DoubleEq(2))));
}

} // namespace
} // namespace headroom::report

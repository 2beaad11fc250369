// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReportFigures.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

// Widths of the parts of the only trial's bar, in GiB.
std::map<std::string, double> partsWith(const experiments::OrderedJson& harness, double harnessGib)
{
    ReportContent content;
    content.trials = sketched({{.peakGib = 8}});
    auto& memory = content.trials.front().record["memory"];
    memory["after_load"]["reserved_bytes"] = 5 * kGiB;
    memory["harness"] = harness;
    memory["harness_bytes"] = static_cast<Bytes>(harnessGib * static_cast<double>(kGiB));
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
    EXPECT_THAT(partsWith({{{"name", "resident model"}, {"bytes", 4 * kGiB}}}, 4),
        UnorderedElementsAre(Pair("after load", DoubleEq(1)), Pair("the step's own", DoubleEq(3)),
            Pair("held by the measuring", DoubleEq(4))));
}

TEST(ReportFiguresTest, aKeptOutputComesAfterLoading)
{
    EXPECT_THAT(partsWith({{{"name", "baseline output"}, {"bytes", 2 * kGiB}}}, 2),
        UnorderedElementsAre(Pair("after load", DoubleEq(5)), Pair("the step's own", DoubleEq(1)),
            Pair("held by the measuring", DoubleEq(2))));
}

} // namespace
} // namespace headroom::report

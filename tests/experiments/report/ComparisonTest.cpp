// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/Comparison.h"

#include "tests/experiments/report/ReportFixture.h"

#include <gmock/gmock.h>

namespace headroom::report {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<std::string> titles(const Comparison& comparison)
{
    std::vector<std::string> found;
    for (const ComparisonGroup& group : comparison.groups())
        found.push_back(group.title);
    return found;
}

TEST(ComparisonTest, trialsThatDifferInTechniquesOnlyAreAGroup)
{
    const auto trials = sketched({{.splitFfn = "off"}, {.splitFfn = "2"}, {.splitFfn = "off", .device = "cpu"}});
    const Comparison comparison(trials);
    EXPECT_THAT(comparison.groups(), SizeIs(2));
    EXPECT_EQ(comparison.groups()[0].reference, &trials[0]);
    EXPECT_EQ(comparison.groups()[1].reference, nullptr) << "nothing to compare it with";
}

TEST(ComparisonTest, savingsAndSpeedAreAgainstTheReference)
{
    const auto trials =
        sketched({{.peakGib = 4, .stepsPerSecond = 2}, {.splitFfn = "2", .peakGib = 1, .stepsPerSecond = 1}});
    const Versus versus = Comparison(trials).versus(trials[1]);
    EXPECT_EQ(versus.savedBytes, 3 * kGiB);
    EXPECT_DOUBLE_EQ(*versus.speedRatio, 0.5);
    EXPECT_EQ(Comparison(trials).versus(trials[0]).savedBytes, std::nullopt) << "the reference itself";
}

TEST(ComparisonTest, whatDidNotCompleteIsNotCompared)
{
    const auto trials = sketched({{.outcome = "out_of_memory"}, {.splitFfn = "2"}});
    const Versus versus = Comparison(trials).versus(trials[1]);
    EXPECT_EQ(versus.savedBytes, std::nullopt);
    EXPECT_EQ(versus.speedRatio, std::nullopt);
}

TEST(ComparisonTest, groupsAreNamedByWhatTellsThemApartAndNoMore)
{
    EXPECT_THAT(titles(Comparison(sketched({{}, {.splitFfn = "2"}}))), ElementsAre(""));
    const auto trials = sketched({{.device = "cpu"}, {}, {.activation = "geglu"}});
    EXPECT_THAT(titles(Comparison(trials)), ElementsAre("cpu", "sim:t4, gelu", "sim:t4, geglu"));
    const auto runtimes = sketched({{.device = "sim:t4@torch-2.5"}, {.device = "sim:t4@torch-2.11"}});
    EXPECT_THAT(titles(Comparison(runtimes)), ElementsAre("torch-2.5", "torch-2.11"));
}

TEST(ComparisonTest, allocatedIsComparedWhereTheDeviceDoesNotReserve)
{
    const auto trials = sketched({{.device = "cpu", .peakGib = 2}, {.splitFfn = "2", .device = "cpu", .peakGib = 1}});
    const Comparison comparison(trials);
    EXPECT_EQ(comparison.groups()[0].figure, MemoryFigure::Allocated);
    EXPECT_EQ(comparison.versus(trials[1]).savedBytes, kGiB);
}

TEST(ComparisonTest, picturesHoldTheSameModelOnSeveralDevicesOrVariantsOnOne)
{
    const auto devices = sketched({{.device = "cpu"}, {.device = "sim:t4"}});
    EXPECT_THAT(Comparison(devices).panels(), ElementsAre(ElementsAre(0, 1)));
    const auto variants = sketched({{.activation = "gelu"}, {.activation = "geglu"}});
    EXPECT_THAT(Comparison(variants).panels(), ElementsAre(ElementsAre(0, 1)));
    const auto neither =
        sketched({{.device = "cpu", .activation = "gelu"}, {.device = "sim:t4", .activation = "geglu"}});
    EXPECT_THAT(Comparison(neither).panels(), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

} // namespace
} // namespace headroom::report

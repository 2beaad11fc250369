// SPDX-License-Identifier: Apache-2.0
#include "experiments/validation/PeakCauses.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ValidationRow rowOfPeaks(const std::string& id, Bytes measured, Bytes predicted)
{
    ValidationRow row;
    row.trialId = id;
    row.measured = {.outcome = Outcome::Completed, .allocated = measured};
    row.predicted = {.outcome = Outcome::Completed, .allocated = predicted};
    return row;
}

protocol::MemoryBreakdown tracedPeak(Bytes saved, Bytes temporaries, const std::string& phase)
{
    return {.totalBytes = saved + temporaries,
        .phase = phase,
        .modules = {{"blocks.0.attn", saved, {{"saved_activations", saved}}},
            {"blocks.1.ff", temporaries, {{"temporaries", temporaries}}}}};
}

TEST(WorstRowsTest, areThoseWithTheLargestErrorsWhicheverTheirSign)
{
    const std::vector<ValidationRow> rows{rowOfPeaks("a", 100, 101), rowOfPeaks("b", 100, 100),
        rowOfPeaks("c", 100, 95), rowOfPeaks("d", 100, 103), rowOfPeaks("e", 0, 5)};
    EXPECT_THAT(worstRows(rows, 10), ElementsAre(2, 3, 0));
    EXPECT_THAT(worstRows(rows, 2), ElementsAre(2, 3));
}

TEST(CauseOfTest, namesWhatTheTwoPeaksHoldDifferently)
{
    const PeakCause cause = causeOf(rowOfPeaks("a", 1500 * kKiB, 1000 * kKiB),
        tracedPeak(1200 * kKiB, 300 * kKiB, "backward"), tracedPeak(700 * kKiB, 300 * kKiB, "backward"));
    EXPECT_EQ(cause.trialId, "a");
    ASSERT_EQ(cause.shares.size(), 1U);
    EXPECT_EQ(cause.shares[0],
        (PeakShareError{config::MemoryCategory::SavedActivations, "blocks.*", 1200 * kKiB, 700 * kKiB}));
    EXPECT_THAT(cause.text, HasSubstr("more saved activations in blocks.*. Both peak in backward."));
    EXPECT_EQ(toJson(cause).at("shares").at(0).at("difference_bytes"), -500 * kKiB);
}

TEST(CauseOfTest, sharesKeepTheirSidesWhicheverPeakIsHigher)
{
    const PeakCause cause =
        causeOf(rowOfPeaks("a", 1000, 1500), tracedPeak(700, 300, "forward"), tracedPeak(700, 800, "backward"));
    ASSERT_EQ(cause.shares.size(), 1U);
    EXPECT_EQ(cause.shares[0].measured, 300);
    EXPECT_EQ(cause.shares[0].predicted, 800);
    EXPECT_THAT(cause.text, HasSubstr("predicted peaks in backward, measured in forward."));
}

TEST(CauseOfTest, saysWhereThePeakIsAnotherOneWhenItIsTraced)
{
    ValidationRow row = rowOfPeaks("a", 1000, 1500);
    const std::string same = causeOf(row, tracedPeak(700, 300, "forward"), tracedPeak(700, 800, "forward")).text;
    EXPECT_THAT(same, Not(HasSubstr("Measured again")));
    row.opsWithoutRule = {"aten::foo"};
    const PeakCause other = causeOf(row, tracedPeak(700, 100, "forward"), tracedPeak(700, 800, "forward"));
    EXPECT_THAT(other.text, HasSubstr("Measured again, with a trace, the peak is 800 bytes instead of 1,000 bytes."));
    EXPECT_THAT(other.text, HasSubstr("no rule for aten::foo"));
    EXPECT_THAT(other.opsWithoutRule, ElementsAre("aten::foo"));
}

} // namespace
} // namespace headroom::experiments

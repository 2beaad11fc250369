// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MemoryLabel.h"
#include "core/memory/MemoryAttribution.h"

#include <gtest/gtest.h>

namespace headroom::tensor {
namespace {

using config::MemoryCategory;
using Rule = LabelChange::Rule;

TEST(MemoryLabelTest, ofATemporaryThatIsKeptTellsWhoMadeIt)
{
    const MemoryLabel made{MemoryCategory::Temporaries, 3, "split_ffn"};
    EXPECT_EQ(changed(made, {{MemoryCategory::SavedActivations, 7, {}}, Rule::Keep}),
        (MemoryLabel{MemoryCategory::SavedActivations, 3, "split_ffn"}));
    EXPECT_EQ(changed(made, {{MemoryCategory::SavedActivations, 7, "checkpointing"}, Rule::Keep}),
        (MemoryLabel{MemoryCategory::SavedActivations, 3, "checkpointing"}));
}

TEST(MemoryLabelTest, ofWhatIsThereAnywayDoesNotChangeWhenItIsKept)
{
    for (const auto category : {MemoryCategory::Weights, MemoryCategory::Inputs, MemoryCategory::Gradients,
             MemoryCategory::Harness, MemoryCategory::UpcastCopies, MemoryCategory::RecomputedActivations}) {
        const MemoryLabel label{category, 2, {}};
        EXPECT_EQ(changed(label, {{MemoryCategory::SavedActivations}, Rule::Keep}), label) << toText(category);
    }
}

TEST(MemoryLabelTest, isATemporarysAgainWhenNothingKeepsIt)
{
    const MemoryLabel kept{MemoryCategory::SavedActivations, 3, "checkpointing"};
    EXPECT_EQ(changed(kept, {{}, Rule::Drop}), (MemoryLabel{MemoryCategory::Temporaries, 3, "checkpointing"}));
    const MemoryLabel weight{MemoryCategory::Weights, 3, {}};
    EXPECT_EQ(changed(weight, {{}, Rule::Drop}), weight);
}

TEST(MemoryLabelTest, ofAGradientInMemoryThatIsSomethingElseForGoodStays)
{
    const LabelChange gradient{{MemoryCategory::Gradients, 4, {}}, Rule::ClaimPassing};
    EXPECT_EQ(changed({MemoryCategory::Temporaries, 3, "split_ffn"}, gradient), gradient.label);
    EXPECT_EQ(changed({MemoryCategory::SavedActivations, 3, {}}, gradient), gradient.label);
    for (const auto category : {MemoryCategory::Weights, MemoryCategory::Gradients, MemoryCategory::OptimizerState}) {
        const MemoryLabel label{category, 2, {}};
        EXPECT_EQ(changed(label, gradient), label) << toText(category);
    }
}

TEST(MemoryLabelTest, ofAStorageOfSeveralWeightsIsThatOfTheFirst)
{
    const MemoryLabel first{MemoryCategory::Weights, 2, {}};
    EXPECT_EQ(changed({MemoryCategory::Weights}, {first}), first);
    EXPECT_EQ(changed(first, {{MemoryCategory::Weights, 5, {}}}), first);
}

TEST(ForwardHistoryTest, knowsNothingFromBeforeItBegan)
{
    ForwardHistory history;
    EXPECT_EQ(history.originOf(3), std::nullopt);
    history.changesTo({1, {}}, 5);
    EXPECT_EQ(history.originOf(4), std::nullopt);
}

TEST(ForwardHistoryTest, givesEachNodeTheOriginOfItsTime)
{
    ForwardHistory history;
    history.changesTo({1, {}}, 5);
    history.changesTo({2, "split_ffn"}, 7);
    history.changesTo({1, {}}, 8);
    EXPECT_EQ(history.originOf(5), (OpOrigin{1, {}}));
    EXPECT_EQ(history.originOf(6), (OpOrigin{1, {}}));
    EXPECT_EQ(history.originOf(7), (OpOrigin{2, "split_ffn"}));
    EXPECT_EQ(history.originOf(1000), (OpOrigin{1, {}}));
}

TEST(ForwardHistoryTest, forgetsChangesWithoutANodeBetween)
{
    ForwardHistory history;
    history.changesTo({1, {}}, 5);
    history.changesTo({2, {}}, 5);
    EXPECT_EQ(history.originOf(5), (OpOrigin{2, {}}));
}

} // namespace
} // namespace headroom::tensor

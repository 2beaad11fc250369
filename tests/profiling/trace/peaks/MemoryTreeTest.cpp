// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/MemoryTree.h"

#include "profiling/trace/peaks/FoldedTree.h"
#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::trace {
namespace {

using config::MemoryCategory;

CategoryBytes of(MemoryCategory category, Bytes bytes)
{
    CategoryBytes categories;
    categories.of(category) = bytes;
    return categories;
}

/// Weights and saved activations of equal blocks, one block with more, and an input of no module.
class MemoryTreeTest : public testing::Test {
protected:
    void hold(MemoryCategory category, const std::string& module, Bytes bytes, const std::string& technique = "")
    {
        const OwnerId owner = m_owners.idOf({category, module, technique});
        m_holdings.parts.push_back(
            {.owner = owner, .birth = Holding::Birth::InPhase, .phase = m_phase, .bytes = bytes, .blocks = 1});
        m_holdings.counters.allocated += bytes;
    }

    void holdBlocks(int count)
    {
        for (int i = 0; i < count; ++i) {
            const std::string block = "blocks." + std::to_string(i);
            hold(MemoryCategory::Weights, block + ".ff.net.0.proj", 100);
            hold(MemoryCategory::SavedActivations, block + ".ff.net.0.proj", 10);
            hold(MemoryCategory::SavedActivations, block, 5);
        }
    }

    MemoryNode tree(Grouping grouping) const { return memoryTree(m_holdings, m_owners, grouping); }

    PhaseSpan m_phase{"forward", 2, 0, 100};
    OwnerTable m_owners;
    Holdings m_holdings;
};

void expectExactSums(const MemoryNode& node)
{
    CategoryBytes sum = node.own;
    for (const MemoryNode& child : node.children)
        for (const MemoryCategory category : config::kMemoryCategories)
            sum.of(category) += child.total.of(category);
    EXPECT_EQ(sum, node.total) << node.name;
    for (const MemoryNode& child : node.children)
        expectExactSums(child);
}

Bytes leavesOf(const FoldedNode& node)
{
    Bytes bytes = node.own.total();
    for (const FoldedNode& child : node.children)
        bytes += leavesOf(child);
    return bytes * static_cast<Bytes>(node.count);
}

TEST_F(MemoryTreeTest, pathsAreSplitAtTheirDots)
{
    holdBlocks(2);
    hold(MemoryCategory::Inputs, "", 7);
    const MemoryNode root = tree(Grouping::Module);
    EXPECT_EQ(root.bytes(), 237);
    EXPECT_EQ(root.own, of(MemoryCategory::Inputs, 7));
    const MemoryNode& block = *root.child("blocks")->child("1");
    EXPECT_EQ(block.own, of(MemoryCategory::SavedActivations, 5));
    EXPECT_EQ(block.bytes(), 115);
    const MemoryNode& projection = *block.child("ff")->child("net")->child("0")->child("proj");
    EXPECT_EQ(projection.own.of(MemoryCategory::Weights), 100);
    EXPECT_EQ(projection.own.of(MemoryCategory::SavedActivations), 10);
    EXPECT_EQ(root.child("ff"), nullptr);
}

TEST_F(MemoryTreeTest, theFirstLevelIsWhatIsAskedFor)
{
    holdBlocks(1);
    hold(MemoryCategory::SavedActivations, "blocks.0", 1, "checkpointing");
    EXPECT_EQ(tree(Grouping::Category).child("weights")->child("blocks")->bytes(), 100);
    EXPECT_EQ(tree(Grouping::Category).child("saved_activations")->bytes(), 16);
    EXPECT_EQ(tree(Grouping::Technique).child("checkpointing")->bytes(), 1);
    EXPECT_EQ(tree(Grouping::Technique).child("")->bytes(), 115);
    EXPECT_EQ(tree(Grouping::Phase).child("forward")->child("step 2")->child("blocks")->bytes(), 116);
}

TEST_F(MemoryTreeTest, linesOfTheSourceComeBeforeTheModulesThatRanThem)
{
    hold(MemoryCategory::Weights, "layers.0", 100);
    for (const char* module : {"layers.0", "layers.1"}) {
        const OwnerId owner = m_owners.idOf({MemoryCategory::SavedActivations, module, "", "model.py:12"});
        m_holdings.parts.push_back({.owner = owner, .bytes = 10});
    }
    const MemoryNode root = tree(Grouping::Source);
    EXPECT_EQ(root.child("model.py:12")->bytes(), 20);
    EXPECT_EQ(root.child("model.py:12")->child("layers")->child("1")->bytes(), 10);
    EXPECT_EQ(root.child("")->bytes(), 100);
    EXPECT_EQ(tree(Grouping::Module).child("layers")->child("0")->bytes(), 110);
}

TEST_F(MemoryTreeTest, whatNoPhaseAllocatedHasItsOwnBranches)
{
    m_holdings.parts.push_back({.birth = Holding::Birth::BeforeTrace, .bytes = 3});
    m_holdings.parts.push_back({.birth = Holding::Birth::OutsideOfPhases, .bytes = 4});
    EXPECT_EQ(tree(Grouping::Phase).child(kBeforeTrace)->bytes(), 3);
    EXPECT_EQ(tree(Grouping::Phase).child(kOutsideOfPhases)->bytes(), 4);
}

TEST_F(MemoryTreeTest, siblingsAreInOrderOfSizeAndEqualOnesOfNumber)
{
    for (const int block : {10, 9, 2, 11})
        hold(MemoryCategory::Weights, "blocks." + std::to_string(block), block == 2 ? 1 : 5);
    std::vector<std::string> names;
    const MemoryNode root = tree(Grouping::Module);
    for (const MemoryNode& block : root.child("blocks")->children)
        names.push_back(block.name);
    EXPECT_EQ(names, (std::vector<std::string>{"9", "10", "11", "2"}));
}

TEST_F(MemoryTreeTest, equalSiblingsFoldIntoOne)
{
    holdBlocks(28);
    const FoldedNode root = folded(tree(Grouping::Module));
    const FoldedNode& blocks = root.children.at(0);
    ASSERT_EQ(blocks.children.size(), 1u);
    EXPECT_EQ(blocks.children[0].name, "0-27");
    EXPECT_EQ(blocks.children[0].count, 28u);
    EXPECT_EQ(blocks.children[0].eachBytes(), 115);
    EXPECT_EQ(blocks.children[0].allBytes(), 28 * 115);
}

TEST_F(MemoryTreeTest, aBlockThatHoldsMoreStandsByItself)
{
    holdBlocks(5);
    hold(MemoryCategory::Temporaries, "blocks.3.attn1", 1'000);
    const FoldedNode root = folded(tree(Grouping::Module));
    const auto& blocks = root.children.at(0).children;
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].name, "3");
    EXPECT_EQ(blocks[1].name, "0-2, 4");
    EXPECT_EQ(leavesOf(root), root.allBytes());
}

TEST_F(MemoryTreeTest, evenlySpacedBlocksAreNamedByTheirStep)
{
    for (const int block : {0, 4, 8, 12, 16})
        hold(MemoryCategory::Weights, "blocks." + std::to_string(block), 5);
    EXPECT_EQ(folded(tree(Grouping::Module)).children.at(0).children.at(0).name, "0, 4, ... 16");
}

TEST_F(MemoryTreeTest, blocksWithEqualSumsOfDifferentPartsDoNotFold)
{
    hold(MemoryCategory::Weights, "blocks.0.ff", 5);
    hold(MemoryCategory::Weights, "blocks.1.attn1", 5);
    hold(MemoryCategory::Gradients, "blocks.2.ff", 5);
    EXPECT_EQ(folded(tree(Grouping::Module)).children.at(0).children.size(), 3u);
}

TEST_F(MemoryTreeTest, sumsAreExactAtEveryLevelOfRandomTraces)
{
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const OwnedTrace trace = randomOwnedTrace(3'000, seed);
        LiveHoldings live({}, trace.phases);
        for (const AllocatorEvent& event : trace.events)
            live.apply(event);
        const Holdings holdings = live.holdings();
        for (const Grouping grouping :
            {Grouping::Module, Grouping::Category, Grouping::Technique, Grouping::Phase, Grouping::Source}) {
            const MemoryNode root = memoryTree(holdings, trace.owners, grouping);
            EXPECT_EQ(root.total, categoriesOf(holdings, trace.owners));
            EXPECT_EQ(root.bytes(), holdings.counters.allocated);
            expectExactSums(root);
            const FoldedNode small = folded(root);
            EXPECT_EQ(small.allBytes(), root.bytes());
            EXPECT_EQ(leavesOf(small), root.bytes());
        }
    }
}

TEST(GroupingTest, hasNames)
{
    for (const Grouping grouping :
        {Grouping::Module, Grouping::Category, Grouping::Technique, Grouping::Phase, Grouping::Source})
        EXPECT_EQ(groupingFromText(toText(grouping)), grouping);
    EXPECT_EQ(groupingFromText("layer"), std::nullopt);
}

} // namespace
} // namespace headroom::trace

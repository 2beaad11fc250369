// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/memory/PeakTree.h"

#include "tests/experiments/figures/ExampleFigures.h"

#include <gmock/gmock.h>

namespace headroom::figures {
namespace {

using config::MemoryCategory;
using testing::ElementsAre;
using testing::SizeIs;
using trace::Grouping;

/// Weights of 28 equal blocks, of one that is larger, and something of no module.
trace::MemoryNode blocks()
{
    trace::MemoryTreeGrowth growth;
    for (int i = 0; i < 29; ++i) {
        const std::string block = std::to_string(i);
        growth.add({"transformer_blocks", block, "ff"}, MemoryCategory::Weights, i == 28 ? 700 : 100);
        growth.add({"transformer_blocks", block, "attn"}, MemoryCategory::SavedActivations, 50);
    }
    growth.add({}, MemoryCategory::Inputs, 30);
    growth.add({"norm"}, MemoryCategory::Weights, 1);
    return growth.take();
}

trace::MemoryNode randomTree(Random& random)
{
    trace::MemoryTreeGrowth growth;
    for (std::size_t i = 0; i < 1 + random.below(200); ++i) {
        std::vector<std::string> path;
        for (std::size_t depth = random.below(5); depth > 0; --depth)
            path.push_back(std::to_string(random.below(6)));
        growth.add(path, config::kMemoryCategories.at(random.below(4)), static_cast<Bytes>(1 + random.below(3)));
    }
    return growth.take();
}

void expectExactSums(const PeakTreeRow& row)
{
    if (row.rows.empty())
        return;
    trace::CategoryBytes sum;
    for (const PeakTreeRow& next : row.rows) {
        for (const MemoryCategory category : config::kMemoryCategories)
            sum.of(category) += next.categories.of(category);
        expectExactSums(next);
    }
    EXPECT_EQ(sum, row.categories) << row.name;
}

std::vector<std::string> namesOf(const PeakTreeRow& row)
{
    std::vector<std::string> names;
    for (const PeakTreeRow& next : row.rows)
        names.push_back(next.name);
    return names;
}

TEST(PeakTreeTest, equalSiblingsAreOneRowThatHoldsAllOfThem)
{
    const PeakTreeRow tree = peakTree(blocks(), Grouping::Module, 0);
    EXPECT_THAT(namesOf(tree), ElementsAre("transformer_blocks", "(no module)", "norm"));
    const PeakTreeRow& all = tree.rows[0];
    EXPECT_THAT(namesOf(all), ElementsAre("0-27", "28"));
    EXPECT_EQ(all.rows[0].alike, 28U);
    EXPECT_EQ(all.rows[0].bytes(), 28 * 150);
    EXPECT_EQ(all.rows[0].rows[0].name, "ff");
    EXPECT_EQ(all.rows[0].rows[0].bytes(), 28 * 100);
    EXPECT_EQ(all.rows[0].categories.of(MemoryCategory::SavedActivations), 28 * 50);
}

TEST(PeakTreeTest, aChainOfSingleChildrenIsOneRow)
{
    trace::MemoryTreeGrowth growth;
    for (const char* block : {"0", "1", "2", "3"})
        growth.add({"transformer_blocks", block}, MemoryCategory::Weights, 10);
    const PeakTreeRow tree = peakTree(growth.take(), Grouping::Module, 0);
    EXPECT_THAT(namesOf(tree), ElementsAre("transformer_blocks.0-3"));
    EXPECT_EQ(tree.rows[0].alike, 4U);
    EXPECT_EQ(tree.rows[0].bytes(), 40);
}

TEST(PeakTreeTest, whatIsSmallIsSummedUp)
{
    const PeakTreeRow tree = peakTree(blocks(), Grouping::Module, 0.004);
    EXPECT_EQ(tree.rows.back().kind, PeakTreeRow::Kind::Smaller);
    EXPECT_EQ(tree.rows.back().name, "(1 smaller)");
    EXPECT_EQ(tree.rows.back().bytes(), 1);
}

TEST(PeakTreeTest, theRowsBelowEachSumToItExactly)
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const trace::MemoryNode tree = randomTree(random);
        for (const double least : {0.0, 0.02, 0.3}) {
            const PeakTreeRow root = peakTree(tree, Grouping::Module, least);
            ASSERT_EQ(root.categories, tree.total);
            expectExactSums(root);
        }
    }
}

TEST(PeakTreeTest, theTableHasALineForEachRow)
{
    const Table table = toTable(peakTree(blocks(), Grouping::Module, 0));
    ASSERT_THAT(table.rows, SizeIs(10));
    EXPECT_EQ(table.rows[0][2], std::to_string(29 * 150 + 600 + 31));
    EXPECT_EQ(table.rows[2][0], "peak > transformer_blocks > 0-27");
    for (const auto& row : table.rows)
        EXPECT_EQ(row.size(), table.header.size());
}

TEST(PeakTreeTest, theLargestCategoriesAreNamed)
{
    trace::CategoryBytes bytes;
    bytes.of(MemoryCategory::Weights) = 90;
    EXPECT_EQ(mostlyText(bytes), "Weights");
    bytes.of(MemoryCategory::SavedActivations) = 909;
    bytes.of(MemoryCategory::Ema) = 1;
    EXPECT_EQ(mostlyText(bytes), "Saved activations 90.9 %, weights 9.0 %, EMA 0.1 %");
}

} // namespace
} // namespace headroom::figures

// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/peaks/TechniqueRegions.h"

#include "tests/profiling/trace/peaks/OwnedTrace.h"

#include <gtest/gtest.h>

namespace headroom::trace {
namespace {

using config::MemoryCategory;

TEST(TechniqueRegionsTest, sayHowHighMemoryStoodWhereATechniqueAllocates)
{
    OwnerTable owners;
    const OwnerId split = owners.idOf({MemoryCategory::Temporaries, "blocks.1.ff", "split_ffn"});
    const OwnerId inside = owners.idOf({MemoryCategory::Temporaries, "blocks.1.ff.net.0", ""});
    const OwnerId beside = owners.idOf({MemoryCategory::Temporaries, "blocks.1.ffn", ""});
    TechniqueRegions regions(owners);
    regions.apply(allocated(1, 1, 10, split), 100);
    regions.apply(allocated(2, 2, 10, split), 90);
    regions.apply(allocated(3, 3, 10, inside), 150);
    regions.apply(allocated(4, 4, 10, beside), 900);
    regions.apply(freed(5, 1, 10, split), 890);
    const auto found = regions.take();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.at("split_ffn").ownHighest, (Peak{100, 1}));
    EXPECT_EQ(found.at("split_ffn").moduleHighest, (Peak{150, 3}));
}

TEST(TechniqueRegionsTest, aTechniqueThatNeverAllocatesHasNoHeight)
{
    OwnerTable owners;
    owners.idOf({MemoryCategory::Ema, "", "ema"});
    TechniqueRegions regions(owners);
    regions.apply(allocated(1, 1, 10), 10);
    EXPECT_EQ(regions.take().at("ema"), TechniqueRegion{});
}

} // namespace
} // namespace headroom::trace

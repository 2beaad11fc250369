// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/WorkerRights.h"

#include "core/base/Error.h"

#include <gtest/gtest.h>

namespace headroom::protocol {
namespace {

TEST(WorkerRightsTest, argumentsAreReadAsTheyWereWritten)
{
    const WorkerRights rights{
        .reads = {"/a b", "--gpu"}, .spoolFolder = "/tmp/x", .cardFolder = "/tmp/y", .usesGpu = true};
    EXPECT_EQ(rightsFromArguments(toArguments(rights)), rights);
    EXPECT_EQ(rightsFromArguments({}), WorkerRights{});
    EXPECT_TRUE(toArguments({}).empty());
}

TEST(WorkerRightsTest, anythingElseIsRefused)
{
    using Words = std::vector<std::string>;
    for (const Words& words :
        {Words{"--read"}, Words{"--spool"}, Words{"--write", "/"}, Words{"/etc"}, Words{"--gpu=1"}})
        EXPECT_THROW(rightsFromArguments(words), UsageError) << words.front();
}

TEST(WorkerRightsTest, moreCoversLess)
{
    const WorkerRights none;
    const WorkerRights both{.reads = {"/a", "/b"}, .spoolFolder = "/s", .usesGpu = true};
    EXPECT_TRUE(both.cover(none));
    EXPECT_TRUE(both.cover({.reads = {"/b"}}));
    EXPECT_TRUE(both.cover(both));
    EXPECT_FALSE(both.cover({.reads = {"/b", "/c"}}));
    EXPECT_FALSE(both.cover({.spoolFolder = "/t"}));
    EXPECT_FALSE(none.cover({.usesGpu = true}));
    EXPECT_FALSE(none.cover({.spoolFolder = "/s"}));
    EXPECT_FALSE(both.cover({.cardFolder = "/c"}));
}

TEST(WorkerRightsTest, whatIsJoinedCoversBoth)
{
    const WorkerRights a{.reads = {"/a"}, .spoolFolder = "/s"};
    const WorkerRights b{.reads = {"/b"}, .usesGpu = true};
    EXPECT_EQ(joined(a, b), (WorkerRights{.reads = {"/a", "/b"}, .spoolFolder = "/s", .usesGpu = true}));
    EXPECT_EQ(joined(a, {.spoolFolder = "/t"}).spoolFolder, "/t");
    EXPECT_EQ(joined(a, {.cardFolder = "/c"}).cardFolder, "/c");
}

} // namespace
} // namespace headroom::protocol

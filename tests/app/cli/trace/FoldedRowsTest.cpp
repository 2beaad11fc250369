// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/FoldedRows.h"

#include <gtest/gtest.h>

namespace headroom::cli {
namespace {

using experiments::WhatIfAnswer;
using experiments::WhatIfRow;

WhatIfRow rowOf(int device, const std::string& allocator, Bytes reserved)
{
    WhatIfRow row;
    row.device = device;
    row.allocator = allocator;
    row.outcome.peakReservedBytes = reserved;
    row.smallestCapacityBytes = reserved;
    return row;
}

WhatIfRow dead(WhatIfRow row, std::int64_t timeNs)
{
    row.outcome.failure = recordings::ReplayFailure{.event = 3, .timeNs = timeNs};
    return row;
}

WhatIfRow recorded(WhatIfRow row)
{
    row.isRecorded = true;
    return row;
}

TEST(FoldedRowsTest, settingsThatComeToTheSameAreOneLineAndTheBestComeFirst)
{
    WhatIfAnswer answer;
    answer.rows = {recorded(rowOf(0, "default", 50)), rowOf(0, "max_split_size_mb:64", 70),
        rowOf(0, "expandable_segments:True", 40), rowOf(0, "max_split_size_mb:128", 70), rowOf(0, "other:1", 90)};
    const auto devices = foldedRows(answer, 3);
    ASSERT_EQ(devices.size(), 1u);
    ASSERT_EQ(devices[0].rows.size(), 3u);
    EXPECT_EQ(devices[0].rows[0].settings(), "default (recorded)");
    EXPECT_EQ(devices[0].rows[1].settings(), "expandable_segments:True");
    EXPECT_EQ(devices[0].rows[2].settings(), "max_split_size_mb:64, 128");
    EXPECT_EQ(devices[0].left, 1u);
    EXPECT_FALSE(devices[0].hasDied);
}

TEST(FoldedRowsTest, whatServesAllComesBeforeWhatReservesLessAndDies)
{
    WhatIfAnswer answer;
    answer.rows = {recorded(dead(rowOf(0, "default", 50), 10)), dead(rowOf(0, "a:1", 20), 5),
        dead(rowOf(0, "b:1", 60), 9), rowOf(0, "c:1", 80)};
    const auto devices = foldedRows(answer, 9);
    ASSERT_EQ(devices.at(0).rows.size(), 4u);
    EXPECT_TRUE(devices[0].hasDied);
    EXPECT_EQ(devices[0].rows[1].settings(), "c:1");
    EXPECT_EQ(devices[0].rows[2].settings(), "b:1"); // comes further
    EXPECT_EQ(devices[0].rows[3].settings(), "a:1");
}

TEST(FoldedRowsTest, littleIsSaidOfDevicesBesideTheOneThatDied)
{
    WhatIfAnswer answer;
    for (const int device : {0, 1})
        for (int i = 0; i < 6; ++i) {
            WhatIfRow row = rowOf(device, "a" + std::to_string(i) + ":1", 10 + i);
            row = i == 0 ? recorded(row) : row;
            answer.rows.push_back(device == 1 && i == 0 ? dead(row, 1) : row);
        }
    const auto devices = foldedRows(answer, 5);
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0].rows.size(), 2u);
    EXPECT_EQ(devices[0].left, 4u);
    EXPECT_EQ(devices[1].rows.size(), 5u);
    EXPECT_TRUE(devices[1].hasDied);
}

} // namespace
} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Figure.h"

#include <gtest/gtest.h>

namespace headroom::figures {
namespace {

TEST(TableTextTest, aRowIsALine)
{
    EXPECT_EQ(
        toCsv({{"Trial", "Peak (GiB)"}, {{"all", "9.246"}, {"", "1"}}}), "Trial,Peak (GiB)\r\nall,9.246\r\n,1\r\n");
}

} // namespace
} // namespace headroom::figures

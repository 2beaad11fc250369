// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/Csv.h"

#include <gtest/gtest.h>

#include <sstream>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;

std::string csv(const OrderedJson& records)
{
    std::ostringstream out;
    writeCsv(eachOf(records), out);
    return out.str();
}

TEST(CsvTest, nestedKeysBecomeDottedColumnsInOrder)
{
    const auto records = OrderedJson::parse(R"([{"b":1,"a":{"y":2.5,"x":"t"}},{"b":3,"a":{"y":null,"x":"u"}}])");
    EXPECT_EQ(csv(records), "b,a.y,a.x\n1,2.5,t\n3,null,u\n");
}

TEST(CsvTest, everyRowHasEveryColumn)
{
    const auto records = OrderedJson::parse(R"([{"a":1},{"b":true}])");
    EXPECT_EQ(csv(records), "a,b\n1,null\nnull,true\n");
}

TEST(CsvTest, quotesWhatNeedsIt)
{
    const auto records = OrderedJson::parse(R"([{"a":"x,y","b":"say \"hi\"","c":"two\nlines","d":""}])");
    EXPECT_EQ(csv(records), "a,b,c,d\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\",\"\"\n");
}

TEST(CsvTest, listsAreJsonText)
{
    EXPECT_EQ(csv(OrderedJson::parse(R"([{"a":[1,"x"]}])")), "a\n\"[1,\"\"x\"\"]\"\n");
}

TEST(CsvTest, anObjectThatIsSometimesNullHasOnlyItsInnerColumns)
{
    const auto records = OrderedJson::parse(R"([{"oom":null},{"oom":{"bytes":7}}])");
    EXPECT_EQ(csv(records), "oom.bytes\nnull\n7\n");
    EXPECT_EQ(csv(OrderedJson::parse(R"([{"oom":null}])")), "oom\nnull\n");
}

TEST(CsvTest, aValueKeepsItsColumnBesideAKeyThatBeginsLikeIt)
{
    const auto records = OrderedJson::parse(R"([{"device":"cpu","device.allocator":null},{"device":"x"}])");
    EXPECT_EQ(csv(records), "device,device.allocator\ncpu,null\nx,null\n");
}

} // namespace
} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/ModelConfigFile.h"

#include "tests/support/Refusal.h"

#include <gtest/gtest.h>

namespace headroom::protocol {
namespace {

using config::Value;
using config::ValueMap;

std::string objection(const std::string& text)
{
    return refusal<FileError>([&] { modelConfigFromText(text, "c.json"); });
}

TEST(ModelConfigFileTest, scalarsAndListsAreReadAndObjectsFlattened)
{
    EXPECT_EQ(modelConfigFromText(R"({"_class_name":"X","a":1,"b":1e-06,"c":true,"d":null,"e":[1,2,2],"f":[],
                                      "g":{"h":0.5,"i":{"j":"k"}},"empty":{},"l":[{"m":1}],"n":18446744073709551615})",
                  "c.json"),
        (ValueMap{{"_class_name", "X"}, {"a", 1}, {"b", 1e-06}, {"c", true}, {"d", Value()},
            {"e", Value::List{1, 2, 2}}, {"f", Value::List{}}, {"g.h", 0.5}, {"g.i.j", "k"}, {"l", R"([{"m":1}])"},
            {"n", 18446744073709551615.0}}));
}

TEST(ModelConfigFileTest, whatIsNoObjectIsRefused)
{
    const std::string valid = " (valid: a configuration file of diffusers or transformers)";
    for (const char* text : {"", "[]", "3", "{\"a\":", "{} x", "{\"a\":1,}"})
        EXPECT_EQ(objection(text), "c.json: is no JSON object" + valid) << text;
    EXPECT_EQ(refusal<FileError>([] { readModelConfigFile("/no/such/config.json"); }),
        "/no/such/config.json: cannot be read" + valid);
    EXPECT_EQ(refusal<FileError>([] { readModelConfigFile("/tmp"); }), "/tmp: cannot be read" + valid);
}

TEST(ModelConfigFileTest, keysThatStandTwiceAreRefused)
{
    EXPECT_EQ(objection(R"({"a":1,"b":{"a":2},"a":3})"), "c.json: has the key \"a\" twice");
    EXPECT_EQ(objection(R"({"b":{"c":2,"c":2}})"), "c.json: has the key \"c\" twice");
    EXPECT_EQ(modelConfigFromText(R"({"a":{"x":1},"b":{"x":2}})", "c.json"), (ValueMap{{"a.x", 1}, {"b.x", 2}}));
}

TEST(ModelConfigFileTest, deepNestingIsRefusedWhereItBegins)
{
    EXPECT_EQ(objection("{\"a\":" + std::string(1'000'000, '[')), "c.json: is nested deeper than a configuration is");
}

} // namespace
} // namespace headroom::protocol

// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ArchiveJson.h"

#include "tests/support/Refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::archive::archive_json_test {
namespace {

using testing::HasSubstr;

TEST(ArchiveJsonTest, isWhatTheTextSays)
{
    for (const char* text : {"1", "-7", "2.5", "\"a\\u00e9\"", "true", "null", "[]", "{}", "[1,[2,{\"a\":[]}],3]",
             R"({"a": {"b": [1, {"c": null}], "d": "e"}, "f": -1.5e3, "a": 18446744073709551615})"})
        EXPECT_EQ(parseJson(text, "model.json"), Json::parse(text)) << text;
}

TEST(ArchiveJsonTest, membersAreLeftOutBesideTheOneThatTellsThem)
{
    const LeftOut leftOut{{"strides", "dtype"}, {"device", "dtype"}};
    EXPECT_EQ(parseJson(R"([{"dtype": 7, "strides": [{"as_int": 1}, {}], "sizes": [], "device": {"type": "cpu"}}, 3])",
                  "model.json", leftOut),
        Json::parse(R"([{"dtype": 7, "sizes": []}, 3])"));
    EXPECT_EQ(
        parseJson(R"({"dtype": "x", "device": null, "strides": {"dtype": 1, "strides": 2}, "end": 1})", "", leftOut),
        Json::parse(R"({"dtype": "x", "end": 1})"));
}

// Of three tensors that are called so.
TEST(ArchiveJsonTest, membersOfTheSameNameElsewhereStay)
{
    const std::string text = R"({"dtype": {"sizes": []}, "strides": {"dtype": 1}, "device": 5})";
    EXPECT_EQ(parseJson(text, "", {{"strides", "dtype"}, {"device", "dtype"}}), Json::parse(text));
}

TEST(ArchiveJsonTest, textThatIsNoJsonIsRefusedWithItsPlace)
{
    for (const char* text : {"", "[1,", "{\"a\":}", "[1] 2", "nul", "{\"a\" 1}", "\"\\ud800\""})
        EXPECT_THAT(
            refusal<FileError>([&] { parseJson(text, "model.json"); }), HasSubstr("model.json: is no JSON: byte "))
            << text;
    EXPECT_THAT(
        refusal<FileError>([&] { parseJson("[1e400]", "model.json"); }), HasSubstr("beyond every 64-bit float"));
    EXPECT_THAT(refusal<FileError>([&] { parseJson(std::string(9'000'000, '['), "model.json"); }),
        HasSubstr("more than 5000000 values"));
}

} // namespace
} // namespace headroom::archive::archive_json_test

// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/Json.h"
#include "tests/support/Refusal.h"

namespace headroom::protocol {
namespace {

using config::Value;
using config::ValueMap;

TEST(JsonTest, valuesReadBackAsThemselves)
{
    const std::vector<Value> values{Value(), true, -4, std::int64_t{1} << 62, 0.1, 2.0, "text \"quoted\"",
        Value::List{1, Value::List{2.5, "x"}, Value()}};
    for (const Value& value : values)
        EXPECT_EQ(valueFromJson(toJson(value)), value) << toJson(value);
}

TEST(JsonTest, integersAndRealsStayApartInText)
{
    const ValueMap values{{"integer", 2}, {"real", 2.0}};
    const std::string text = toJson(values).dump();
    EXPECT_EQ(text, R"({"integer":2,"real":2.0})");
    EXPECT_EQ(valuesFromJson(Json::parse(text)), values);
}

TEST(JsonTest, objectsAreNoValues)
{
    EXPECT_EQ(
        refusal<TrialError>([] { valueFromJson(Json::object()); }), "request: found {} (valid: a scalar or a list)");
}

TEST(JsonTest, numbersThatDoNotFitAreRefused)
{
    EXPECT_THROW(valueFromJson(Json::parse("18446744073709551615")), TrialError);
}

TEST(JsonTest, listsNestedWithoutEndAreRefused)
{
    const std::string text = std::string(200000, '[') + std::string(200000, ']');
    EXPECT_THROW(valueFromJson(Json::parse(text)), TrialError);
}

TEST(JsonTest, namesWhereTextIsNotJson)
{
    EXPECT_EQ(refusal<TrialError>([] { parseJson("{\"a\":", "worker event"); }),
        "worker event: not JSON: {\"a\": (valid: one JSON object per line)");
    EXPECT_LT(refusal<TrialError>([] { parseJson(std::string(100000, 'x'), "worker event"); }).size(), 400u);
}

TEST(JsonTest, unknownIsNull)
{
    EXPECT_EQ(orNull(std::optional<int>()), Json(nullptr));
    EXPECT_EQ(orNull(std::optional<int>(0)), Json(0));
    EXPECT_EQ(optionalFromJson<int>(Json(nullptr)), std::nullopt);
    EXPECT_EQ(optionalFromJson<int>(Json(7)), 7);
}

TEST(JsonTest, whatTheLibrarySaysIsToldWithoutItsNameForIt)
{
    const auto error = errorOf<Json::parse_error>([] { Json::parse("{").clear(); });
    ASSERT_TRUE(error);
    EXPECT_EQ(problemOf(*error).find("json.exception"), std::string::npos);
    EXPECT_EQ(problemOf(*error).find("parse error"), 0U) << problemOf(*error);
}

} // namespace
} // namespace headroom::protocol

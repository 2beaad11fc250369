// SPDX-License-Identifier: Apache-2.0
#include "core/config/Field.h"

#include "tests/support/Refusal.h"

#include <cmath>
#include <limits>

namespace headroom::config {
namespace {

Field field(const char* name, FieldType type, Value defaultValue)
{
    return {.name = name, .type = type, .defaultValue = std::move(defaultValue), .help = "help"};
}

Field ranged(Field field, double minimum, std::optional<double> maximum = std::nullopt)
{
    field.minimum = minimum;
    field.maximum = maximum;
    return field;
}

Field choice(const char* name, std::vector<std::string> choices)
{
    Field result = field(name, FieldType::Choice, choices.front());
    result.choices = std::move(choices);
    return result;
}

const Field kLayers = ranged(field("layers", FieldType::Integer, 5), 1, 9);
const Field kDropout = ranged(field("dropout", FieldType::Real, 0.0), 0, 1);
const Field kKind = choice("kind", {"gelu", "geglu", "swiglu"});
const Field kWidth = ranged(field("width", FieldType::Integer, {}), 1);
const Field kAxes = field("axes", FieldType::IntegerList, Value::List{2, 2});
const Field kBias = field("bias", FieldType::Boolean, true);
const Field kTitle = field("title", FieldType::Text, "");

FieldSet allFields()
{
    return FieldSet({kLayers, kDropout, kKind, kWidth, kAxes, kBias, kTitle});
}

TEST(FieldTest, acceptsWhatFits)
{
    EXPECT_EQ(kLayers.check(1, "w"), Value(1));
    EXPECT_EQ(kLayers.check(9, "w"), Value(9));
    EXPECT_EQ(kKind.check("swiglu", "w"), Value("swiglu"));
    EXPECT_EQ(kAxes.check(Value::List{16, 56, 56}, "w"), Value(Value::List{16, 56, 56}));
    EXPECT_EQ(kBias.check(false, "w"), Value(false));
    EXPECT_EQ(kTitle.check("any text", "w"), Value("any text"));
}

TEST(FieldTest, anIntegerGivenForARealBecomesOne)
{
    EXPECT_EQ(kDropout.check(1, "w"), Value(1.0));
}

TEST(FieldTest, onlyAFieldWithoutDefaultMayBeNull)
{
    EXPECT_EQ(kWidth.check({}, "w"), Value());
    EXPECT_EQ(refusal([] { kLayers.check({}, "model.layers"); }),
        "model.layers: found null (valid: an integer of at least 1 and at most 9)");
}

TEST(FieldTest, refusesWrongTypesWithWhatWouldBeRight)
{
    EXPECT_EQ(refusal([] { kLayers.check("five", "model.layers"); }),
        "model.layers: found \"five\" (valid: an integer of at least 1 and at most 9)");
    EXPECT_EQ(refusal([] { kLayers.check(2.0, "w"); }), "w: found 2.0 (valid: an integer of at least 1 and at most 9)");
    EXPECT_EQ(
        refusal([] { kLayers.check(true, "w"); }), "w: found true (valid: an integer of at least 1 and at most 9)");
    EXPECT_EQ(
        refusal([] { kDropout.check("x", "w"); }), "w: found \"x\" (valid: a number of at least 0.0 and at most 1.0)");
    EXPECT_EQ(refusal([] { kBias.check(1, "w"); }), "w: found 1 (valid: true or false)");
    EXPECT_EQ(refusal([] { kKind.check("relu", "w"); }), "w: found \"relu\" (valid: gelu, geglu, swiglu)");
    EXPECT_EQ(
        refusal([] { kAxes.check(Value::List{2, "x"}, "w"); }), "w: found [2, \"x\"] (valid: a list of integers)");
    EXPECT_EQ(refusal([] { kTitle.check(4, "w"); }), "w: found 4 (valid: text)");
    EXPECT_EQ(refusal([] { kWidth.check(0, "w"); }), "w: found 0 (valid: an integer of at least 1)");
}

TEST(FieldTest, refusesValuesOutsideTheRange)
{
    for (const int value : {0, 10, -1})
        EXPECT_THROW(kLayers.check(value, "w"), UsageError) << value;
    for (const double value : {-0.1, 1.1, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_THROW(kDropout.check(value, "w"), UsageError) << value;
}

TEST(FieldSetTest, completesWithDefaults)
{
    const ValueMap complete = allFields().complete({{"layers", 3}, {"dropout", 1}}, "model");
    EXPECT_EQ(complete.size(), allFields().all().size());
    EXPECT_EQ(complete.at("layers"), Value(3));
    EXPECT_EQ(complete.at("dropout"), Value(1.0));
    EXPECT_EQ(complete.at("kind"), Value("gelu"));
    EXPECT_EQ(complete.at("width"), Value());
}

TEST(FieldSetTest, theDefaultsAreCompleteAndDoNotDiffer)
{
    EXPECT_EQ(allFields().complete({}, "model"), allFields().defaults());
    EXPECT_TRUE(allFields().differing(allFields().defaults()).empty());
    EXPECT_EQ(allFields().differing(allFields().complete({{"layers", 3}}, "w")), (ValueMap{{"layers", 3}}));
}

TEST(FieldSetTest, refusesUnknownKeysNamingTheKnown)
{
    EXPECT_EQ(refusal([] { allFields().complete({{"layer", 3}}, "model"); }),
        "model: unknown key \"layer\", did you mean \"layers\"? "
        "(valid: layers, dropout, kind, width, axes, bias, title)");
    EXPECT_EQ(refusal([] { allFields().get("zzzzzzzz", "model"); }),
        "model: unknown key \"zzzzzzzz\" (valid: layers, dropout, kind, width, axes, bias, title)");
}

TEST(FieldSetTest, namesTheKeyOfABadValue)
{
    EXPECT_EQ(
        refusal([] { allFields().complete({{"bias", 3}}, "model"); }), "model.bias: found 3 (valid: true or false)");
    EXPECT_EQ(refusal([] { allFields().complete({{"bias", 3}}, ""); }), "bias: found 3 (valid: true or false)");
}

TEST(ClosestNameTest, findsWhatWasProbablyMeant)
{
    const std::vector<std::string> names{"checkpointing", "casting", "split_ffn", "ema"};
    EXPECT_EQ(closestName("split_fnn", names), "split_ffn");
    EXPECT_EQ(closestName("split-ffn", names), "split_ffn");
    EXPECT_EQ(closestName("checkpoint", names), "checkpointing");
    EXPECT_EQ(closestName("emma", names), "ema");
    EXPECT_EQ(closestName("", names), "");
    EXPECT_EQ(closestName("quantization", names), "");
    EXPECT_EQ(closestName("anything", {}), "");
}

TEST(ClosestNameTest, findsNamesOfWhichPartsWereLeftOut)
{
    const std::vector<std::string> names{"ltx-video-2b", "ltx-video-13b", "flux-schnell", "flux-dev"};
    EXPECT_EQ(closestName("LTX-13B", names), "ltx-video-13b");
    EXPECT_EQ(closestName("13b-ltx", names), "ltx-video-13b");
    EXPECT_EQ(closestName("flux", names), "flux-dev");
    EXPECT_EQ(closestName("ltx-7b", names), "");
    EXPECT_EQ(closestName("2b", names), "");
}

TEST(ClosestNameTest, isNeverWhatWasWritten)
{
    EXPECT_EQ(closestName("model", {"model", "device"}), "");
    EXPECT_EQ(closestName("model", {"model", "modal"}), "modal");
}

TEST(ClosestNameTest, capitalsDoNotCount)
{
    EXPECT_EQ(closestName("FLUX-DEV", {"flux-schnell", "flux-dev"}), "flux-dev");
    EXPECT_EQ(closestName("llamaforcausallm", {"LlamaForCausalLM"}), "LlamaForCausalLM");
}

TEST(ClosestNameTest, aShortNameIsNotTakenForAnyOther)
{
    EXPECT_EQ(closestName("on", {"off"}), "");
    EXPECT_EQ(closestName("x", {"y"}), "");
}

TEST(ClosestNameTest, aNameWithoutEndTakesNoTime)
{
    EXPECT_EQ(closestName(std::string(10'000'000, 'a'), {"model", "workload"}), "");
}

} // namespace
} // namespace headroom::config

// SPDX-License-Identifier: Apache-2.0
#include "core/config/Suggestion.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "core/config/catalogue/SettingSuggestion.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::config {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusedNotation(const std::string& technique, const std::string& notation)
{
    return refusal([&] { makeSetting(findTechnique(technique, "t"), notation, {}, "--" + technique); });
}

TEST(SuggestionTest, otherProgramsWordsForNumberFormats)
{
    const Field& dtype = workloadFields().get("dtype", "w");
    EXPECT_EQ(refusal([&] { dtype.check("bf16", "--dtype"); }),
        "--dtype: found \"bf16\", did you mean \"bfloat16\"? (valid: " + joined(dtype.choices) + ")");
    for (const auto& [word, own] : std::vector<std::pair<const char*, const char*>>{
             {"fp16", "float16"}, {"half", "float16"}, {"fp32", "float32"}, {"double", "float64"}})
        EXPECT_EQ(closestChoice(word, dtype.choices), own);
    EXPECT_EQ(closestChoice("bfloat61", dtype.choices), "bfloat16");
    EXPECT_THAT(refusedNotation("casting", "bfloat16"), HasSubstr("found \"bfloat16\", did you mean \"bf16\"?"));
}

TEST(SuggestionTest, whatLooksAlikeButMeansSomethingElseIsNotSuggested)
{
    EXPECT_EQ(closestChoice("relu", {"gelu", "geglu", "swiglu"}), "");
    EXPECT_EQ(closestChoice("float16", {"float32", "bfloat16"}), "");
    EXPECT_EQ(closestChoice("float8", {"float32", "bfloat16", "float16"}), "");
    EXPECT_EQ(closestChoice("backward", {"inference", "forward_backward", "train"}), "");
    EXPECT_THAT(refusedNotation("split_ffn", "on"), Not(HasSubstr("did you mean")));
    EXPECT_THAT(refusedNotation("split_ffn", "four"), Not(HasSubstr("did you mean")));
}

TEST(SuggestionTest, notationsThatWereProbablyMeant)
{
    EXPECT_THAT(refusedNotation("checkpointing", "full"), HasSubstr("found \"full\", did you mean \"all\"? (valid: "));
    EXPECT_THAT(refusedNotation("checkpointing", "off"), HasSubstr("did you mean \"none\"?"));
    EXPECT_THAT(refusedNotation("checkpointing", "every"), HasSubstr("did you mean \"every:2\"?"));
    EXPECT_THAT(refusedNotation("trainable", "lora"), HasSubstr("did you mean \"lora:16\"?"));
    EXPECT_THAT(refusedNotation("optimizer", "adam"), HasSubstr("did you mean \"adamw\"?"));
    EXPECT_THAT(refusedNotation("ema", "none"), HasSubstr("did you mean \"off\"?"));
}

TEST(SuggestionTest, eachNotationThatIsSuggestedIsOne)
{
    for (const TechniqueDescriptor& technique : techniqueCatalogue())
        for (const NotationForm& form : technique.forms) {
            const std::string word = form.form.substr(0, form.form.find(':'));
            if (const std::string meant = closestNotation(technique, word); !meant.empty()) {
                EXPECT_NO_THROW(technique.normalise(meant, "test")) << technique.key << " " << word;
            }
        }
}

TEST(SuggestionTest, whatIsWrongInANotationIsSaidWithoutAGuess)
{
    EXPECT_THAT(refusedNotation("checkpointing", "every:0"), Not(HasSubstr("did you mean")));
}

TEST(SuggestionTest, aSettingsNameAloneHasAPath)
{
    EXPECT_EQ(closestPath("frames"), "workload.frames");
    EXPECT_EQ(closestPath("dtype"), "workload.dtype");
    EXPECT_EQ(closestPath("repeats"), "protocol.repeats");
    EXPECT_EQ(closestPath("num_layers"), "model.num_layers");
    EXPECT_EQ(closestPath("lr"), "optimizer.lr");
    EXPECT_EQ(closestPath("sequence_lenght"), "workload.sequence_length");
    EXPECT_EQ(closestPath("colour"), "");
}

} // namespace
} // namespace headroom::config

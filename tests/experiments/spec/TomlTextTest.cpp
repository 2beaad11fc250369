// SPDX-License-Identifier: Apache-2.0
#include "core/toml/TomlText.h"

#include "experiments/spec/BudgetReader.h"
#include "experiments/spec/SpecEditor.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/spec/TomlValue.h"
#include "profiling/simulator/profiles/DeviceProfile.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments::toml_text_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string dotted(std::size_t parts, const std::string& word = "a")
{
    std::string key = word;
    for (std::size_t i = 1; i < parts; ++i)
        key += "." + word;
    return key;
}

const std::string kDeep = dotted(50'000);

TEST(TomlTextTest, aKeyOfManyPartsIsRefusedWithItsPlace)
{
    EXPECT_EQ(refusal([] { parseToml("x = 1\n  " + kDeep + " = 2\n", "spec.toml"); }),
        "spec.toml:2:3: a key of more than 32 parts (valid: keys such as techniques.split_ffn.notation)");
    EXPECT_THAT(refusal([] { parseToml(kDeep + " = 2", "spec.toml"); }), StartsWith("spec.toml:1:1: "));
    EXPECT_THAT(refusal([] { parseToml("[" + kDeep + "]", "spec.toml"); }), StartsWith("spec.toml:1:2: "));
    EXPECT_THAT(refusal([] { parseToml("[[" + kDeep + "]]", "spec.toml"); }), StartsWith("spec.toml:1:3: "));
    EXPECT_THAT(
        refusal([] { parseToml("x = {y = 1, " + kDeep + " = 1}", "spec.toml"); }), StartsWith("spec.toml:1:13: "));
}

TEST(TomlTextTest, howeverItsPartsAreWritten)
{
    for (const char* word : {"\"a\"", "'a'", "\"\"", " a ", "\"\\\"\""})
        EXPECT_THAT(refusal([&] { parseToml(dotted(50'000, word) + " = 1", "s"); }), HasSubstr("more than 32 parts"));
    const std::string before = "t = \"\"\"a\"\"\"\"\nu = '''#'''\nv = \"#\\\"\" # \"\n";
    EXPECT_THAT(refusal([&] { parseToml(before + kDeep + " = 1", "s"); }), StartsWith("s:4:1: a key of more than 32"));
}

TEST(TomlTextTest, dotsElsewhereAreNoKeys)
{
    const std::string dots(1000, '.');
    const toml::table table = parseToml(dotted(32) + " = 1\ntext = \"" + dots + "\" # " + dots + "\nlong = '''\n" + dots
            + "'''\nlist = [1.5, 2.5]\n\"" + dots + "\" = 1",
        "s");
    EXPECT_EQ(table["text"].value_or(std::string()), dots);
    EXPECT_EQ(table.size(), 5U);
}

// A million keys took 1.2 GB.
TEST(TomlTextTest, moreValuesThanAPersonWritesAreRefusedBeforeTheyAreRead)
{
    std::string keys;
    std::string list = "x = [";
    std::string tables;
    for (int i = 0; i <= 250'000; ++i) {
        keys += "k" + std::to_string(i) + " = 1\n";
        list += "1,";
        tables += "[[a]]\n";
    }
    for (const std::string& text : {keys, list + "]", tables})
        EXPECT_THAT(refusal([&] { parseToml(text, "s"); }), HasSubstr("more than 250000 tables and values"));
    EXPECT_THAT(refusal([&] { parseToml(keys, "s"); }), StartsWith("s:250001:9: "));
    EXPECT_EQ(parseToml("text = \"" + list + "\"", "s").size(), 1U);
}

TEST(TomlTextTest, whatIsNoTomlHasItsPlace)
{
    EXPECT_THAT(refusal([] { parseToml("a = 1\nb = = 2", "spec.toml"); }), StartsWith("spec.toml:2:"));
    EXPECT_THAT(refusal([] { parseToml("a = \"" + kDeep + "\nb = 1", "spec.toml"); }), StartsWith("spec.toml:1:"));
}

TEST(TomlTextTest, otherAlphabetsAreForTextsAndComments)
{
    EXPECT_EQ(parseToml("\xEF\xBB\xBF# ä\n\"ä\" = 'ä' # ä\nb = \"\"\"\nä \\u00E9\"\"\"", "s").size(), 2U);
    EXPECT_EQ(refusal([] { parseToml("a = 1\nnäme = 2", "s"); }),
        "s:2:2: a character that is not ASCII outside of quotes and comments (valid: \"quotes\" around it)");
    EXPECT_THAT(refusal([] { parseToml("a = 3 \xF5", "s"); }), StartsWith("s:1:7: a character"));
    for (const char* const text : {"a = \"\\ä\"", "a = \"\"\"b\\ä\"\"\"", "a = \"\"\"b\\ \n ä\"\"\""})
        EXPECT_THAT(refusal([&] { parseToml(text, "s"); }), HasSubstr("not ASCII after a backslash"));
}

TEST(TomlTextTest, quotesBeginATextOrNothing)
{
    EXPECT_EQ(parseToml("'a'.\"b\" = [\"c\", # 'd'\n  'e', {\"f\" = '''g'''}]\n# \n\"h\" = ''", "s").size(), 2U);
    EXPECT_EQ(refusal([] { parseToml("a = 0\"\xD1\x9D\"", "s"); }),
        "s:1:6: quotes in the middle of a key or value (valid: a text in quotes of its own)");
    EXPECT_THAT(refusal([] { parseToml("a = '' \"ä\"", "s"); }), StartsWith("s:1:8: quotes in the middle"));
}

TEST(TomlTextTest, everyReaderRefusesIt)
{
    EXPECT_THAT(refusal([] { loadSpecText("x." + kDeep + " = 1", "spec.toml", {}); }), StartsWith("spec.toml:1:1: "));
    EXPECT_THAT(refusal([] { simulator::DeviceProfile::parse(kDeep + " = 1", "d.toml"); }), StartsWith("d.toml:1:1: "));
    EXPECT_THAT(refusal([] { readBudgetText("\n" + kDeep + " = 1", "b.toml"); }), StartsWith("b.toml:2:1: "));
    EXPECT_THAT(refusal([] { SpecEditor(kDeep + " = 1", "spec.toml"); }), StartsWith("spec.toml:1:1: "));
    EXPECT_THAT(
        refusal([] { SpecEditor("", "spec.toml").set("model.dim", "{" + kDeep + " = 1}"); }), HasSubstr("found {a.a."));
    EXPECT_THAT(refusal([] { valueFromText("[{" + kDeep + " = 1}]", "--set x"); }), StartsWith("--set x: found "));
}

TEST(TomlTextTest, soDoesAPathAfterSet)
{
    SpecOverrides overrides;
    EXPECT_EQ(refusal([&] { overrides.set("model." + kDeep, "1", "--set"); }),
        "--set: a path of 50001 words (valid: paths such as workload.batch and split_ffn.accumulate)");
}

} // namespace
} // namespace headroom::experiments::toml_text_test

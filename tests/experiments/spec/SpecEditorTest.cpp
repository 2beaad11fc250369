// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/SpecEditor.h"

#include "core/base/Error.h"
#include "tests/support/Refusal.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;

std::string set(const std::string& text, const std::string& path, const std::string& value,
    std::optional<std::size_t> part = std::nullopt)
{
    SpecEditor editor(text, "spec.toml");
    editor.set(path, value, part);
    return editor.text();
}

std::string cleared(const std::string& text, const std::string& path, std::optional<std::size_t> part = std::nullopt)
{
    SpecEditor editor(text, "spec.toml");
    editor.clear(path, part);
    return editor.text();
}

TEST(SpecEditorTest, replacesNothingButTheValuesCharacters)
{
    EXPECT_EQ(set("[model]\n  dim  =   64 # wide\n", "model.dim", "128"), "[model]\n  dim  =   128 # wide\n");
    EXPECT_EQ(
        set("[model] # m\r\ndim = [ 1, # one\r\n 2 ] # x\r\n", "model.dim", "3"), "[model] # m\r\ndim = 3 # x\r\n");
    EXPECT_EQ(set("model.name = \"a # b\" # c", "model.name", "'x'"), "model.name = 'x' # c");
    EXPECT_EQ(set("description = \"\"\"a\n\"q\" \\\"\"\"\"\"\nname = 'n'\n", "description", "\"d\""),
        "description = \"d\"\nname = 'n'\n");
}

TEST(SpecEditorTest, findsKeysInEveryNotation)
{
    EXPECT_EQ(set("workload = { batch = 1, dtype = \"float32\" }", "workload.batch", "[1, 2]"),
        "workload = { batch = [1, 2], dtype = \"float32\" }");
    EXPECT_EQ(set("[techniques]\nsplit_ffn = { notation = \"4\" }\n", "techniques.split_ffn", "\"2\""),
        "[techniques]\nsplit_ffn = { notation = \"2\" }\n");
    EXPECT_EQ(set("[techniques]\n\"split_ffn\" . notation = \"4\"\n", "techniques.split_ffn", "\"2\""),
        "[techniques]\n\"split_ffn\" . notation = \"2\"\n");
    EXPECT_EQ(set("[techniques.split_ffn]\nnotation = \"4\"\n", "techniques.split_ffn", "\"2\""),
        "[techniques.split_ffn]\nnotation = \"2\"\n");
}

TEST(SpecEditorTest, addsAKeyBelowTheLastOfItsTable)
{
    EXPECT_EQ(set("[model]\nname = \"m\"\n\n# next\n[device]\nname = \"cpu\"\n", "model.dim", "64"),
        "[model]\nname = \"m\"\ndim = 64\n\n# next\n[device]\nname = \"cpu\"\n");
    EXPECT_EQ(set("[model]\nname = \"m\"", "model.dim", "64"), "[model]\nname = \"m\"\ndim = 64");
    EXPECT_EQ(set("[model]", "model.dim", "64"), "[model]\ndim = 64\n");
    EXPECT_EQ(set("model.name = \"m\"\nworkload.batch = 1\n", "model.dim", "64"),
        "model.name = \"m\"\nmodel.dim = 64\nworkload.batch = 1\n");
    EXPECT_EQ(set("model = {}\n", "model.dim", "64"), "model = { dim = 64 }\n");
    EXPECT_EQ(set("model = { name = \"m\" }\n", "model.dim", "64"), "model = { name = \"m\", dim = 64 }\n");
}

TEST(SpecEditorTest, addsATableWhereItUsuallyStands)
{
    EXPECT_EQ(set("name = \"n\"\n\n[device]\nname = \"cpu\"\n", "model.dim", "64"),
        "name = \"n\"\n\n[model]\ndim = 64\n\n[device]\nname = \"cpu\"\n");
    EXPECT_EQ(set("[model]\nname = \"m\"\n\n[[exclude]]\nsplit_ffn = \"4\"\n", "workload.batch", "2"),
        "[model]\nname = \"m\"\n\n[workload]\nbatch = 2\n\n[[exclude]]\nsplit_ffn = \"4\"\n");
    EXPECT_EQ(set("", "model.name", "\"m\""), "[model]\nname = \"m\"\n");
    EXPECT_EQ(set("# a spec\n", "name", "\"m\""), "# a spec\nname = \"m\"\n");
}

TEST(SpecEditorTest, anOptionMakesATableOfANotation)
{
    EXPECT_EQ(set("[techniques]\nsplit_ffn = \"4\" # four\n", "techniques.split_ffn.accumulate", "\"in_place\""),
        "[techniques]\nsplit_ffn.notation = \"4\" # four\nsplit_ffn.accumulate = \"in_place\"\n");
    EXPECT_EQ(set("techniques = { split_ffn = \"4\" }\n", "techniques.split_ffn.accumulate", "\"in_place\""),
        "techniques = { split_ffn.notation = \"4\", split_ffn.accumulate = \"in_place\" }\n");
    EXPECT_EQ(set("[techniques.split_ffn]\naccumulate = \"in_place\"\n", "techniques.split_ffn", "\"4\""),
        "[techniques.split_ffn]\naccumulate = \"in_place\"\nnotation = \"4\"\n");
}

TEST(SpecEditorTest, editsTheChosenPart)
{
    const std::string text = "[model]\nname = \"m\"\n\n[[part]]\n[part.device]\nname = \"cpu\"\n\n[[part]]\n"
                             "workload.batch = 2\n";
    EXPECT_EQ(SpecEditor(text, "s").numberOfParts(), 2u);
    EXPECT_EQ(set(text, "device.name", "\"sim:t4\"", 0),
        "[model]\nname = \"m\"\n\n[[part]]\n[part.device]\nname = \"sim:t4\"\n\n[[part]]\nworkload.batch = 2\n");
    EXPECT_EQ(set(text, "model.dim", "8", 0),
        "[model]\nname = \"m\"\n\n[[part]]\n[part.model]\ndim = 8\n[part.device]\nname = \"cpu\"\n\n[[part]]\n"
        "workload.batch = 2\n");
    EXPECT_EQ(set(text, "workload.batch", "4", 1),
        "[model]\nname = \"m\"\n\n[[part]]\n[part.device]\nname = \"cpu\"\n\n[[part]]\nworkload.batch = 4\n");
    EXPECT_EQ(set(text, "workload.dtype", "\"float16\"", 1),
        "[model]\nname = \"m\"\n\n[[part]]\n[part.device]\nname = \"cpu\"\n\n[[part]]\nworkload.batch = 2\n"
        "workload.dtype = \"float16\"\n");
    EXPECT_THAT(refusal([&] { set(text, "model.dim", "8", 2); }), HasSubstr("there is no part 3"));
}

TEST(SpecEditorTest, editsPartsThatAreInlineOrSingle)
{
    EXPECT_EQ(set("part = [{ device.name = \"cpu\" }, {}]\n", "device.name", "\"cuda:0\"", 1),
        "part = [{ device.name = \"cpu\" }, { device.name = \"cuda:0\" }]\n");
    EXPECT_EQ(set("part = [{ device.name = \"cpu\" }]\n", "workload.batch", "2", 0),
        "part = [{ device.name = \"cpu\", workload.batch = 2 }]\n");
    EXPECT_EQ(set("[part]\n[part.device]\nname = \"cpu\"\n", "device.name", "\"cuda:0\"", 0),
        "[part]\n[part.device]\nname = \"cuda:0\"\n");
}

TEST(SpecEditorTest, takesAKeysLineAwayAndOnlyATableOfItsOwn)
{
    EXPECT_EQ(
        cleared("[model]\nname = \"m\"\ndim = [\n 1,\n 2]\n# end\n", "model.dim"), "[model]\nname = \"m\"\n# end\n");
    EXPECT_EQ(cleared("a = 1\n\n[model]\ndim = 1\n\n[device]\nname = \"cpu\"\n", "model.dim"),
        "a = 1\n\n[device]\nname = \"cpu\"\n");
    EXPECT_EQ(cleared("[model] # ours\ndim = 1\n", "model.dim"), "[model] # ours\n");
    EXPECT_EQ(cleared("# ours\n[model]\ndim = 1\n", "model.dim"), "# ours\n[model]\n");
    EXPECT_EQ(cleared("[model]\n# name = \"m\"\ndim = 1\n", "model.dim"), "[model]\n# name = \"m\"\n");
    EXPECT_EQ(cleared("model = { dim = 1, mult = 2 }\n", "model.dim"), "model = { mult = 2 }\n");
    EXPECT_EQ(cleared("model = { dim = 1, mult = 2 }\n", "model.mult"), "model = { dim = 1 }\n");
    EXPECT_EQ(cleared("[model]\nname = \"m\"\n", "model.dim"), "[model]\nname = \"m\"\n");
    EXPECT_EQ(cleared("[[part]]\nmodel.dim = 1\n", "model.dim", 0), "[[part]]\n");
}

TEST(SpecEditorTest, tellsWhatStandsInTheText)
{
    const SpecEditor editor("[techniques]\ncheckpointing = [ \"none\",  \"all\" ] # both\n", "spec.toml");
    EXPECT_EQ(editor.valueText("techniques.checkpointing"), "[ \"none\",  \"all\" ]");
    EXPECT_EQ(editor.valueText("techniques.split_ffn"), std::nullopt);
    EXPECT_EQ(editor.numberOfParts(), 0u);
}

TEST(SpecEditorTest, namesTheLineOfWhatItCannotDo)
{
    EXPECT_THAT(refusal([] { SpecEditor("[model]\ndim = = 1\n", "spec.toml"); }), HasSubstr("spec.toml:2:"));
    EXPECT_THAT(refusal([] { set("[model]\ndim = 1\n", "model.dim", "1 2"); }), HasSubstr("spec.toml:2: model.dim"));
    EXPECT_THAT(refusal([] { set("[model]\ndim = 1\n", "model.dim", ""); }), HasSubstr("TOML"));
    EXPECT_THAT(refusal([] { set("[model]\ndim = 1\n", "model.dim", "1\nmult = 2"); }), HasSubstr("found 1"));
    EXPECT_THAT(refusal([] { set("[model]\ndim = 1\n", "model.dim", "{ a = 1 }"); }), HasSubstr("found {"));
    EXPECT_THAT(refusal([] { set("", "modle.dim", "1"); }), HasSubstr("did you mean"));
    EXPECT_THAT(refusal([] { set("model = 3\n", "model.dim", "1"); }), HasSubstr("model"));
}

} // namespace
} // namespace headroom::experiments

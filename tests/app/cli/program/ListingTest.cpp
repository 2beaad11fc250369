// SPDX-License-Identifier: Apache-2.0
#include "core/config/catalogue/Catalogue.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using ListingTest = Program;

// Every command, listing and detail.
const std::vector<std::string> kListings{"models", "models ffn-stack", "techniques", "techniques split_ffn", "devices",
    "devices sim:a100-80gb", "devices torch-2.5", "devices cpu", "presets", "presets ffn-split", "env", "doctor"};

std::size_t columns(const std::string& csvLine)
{
    std::size_t count = 1;
    bool isQuoted = false;
    for (const char c : csvLine) {
        isQuoted = isQuoted != (c == '"');
        count += c == ',' && !isQuoted ? 1 : 0;
    }
    return count;
}

TEST_F(ListingTest, jsonAndJsonLinesParseEverywhere)
{
    for (const std::string& listing : kListings) {
        const Ended json = run(listing + " --format json");
        EXPECT_EQ(json.exitCode, 0) << listing << json.err;
        EXPECT_TRUE(json.json().is_object()) << listing;
        const Ended lines = run(listing + " --format jsonl");
        EXPECT_FALSE(lines.out.empty());
        for (const std::string& line : linesOf(lines.out))
            EXPECT_TRUE(OrderedJson::parse(line).is_object()) << listing;
    }
}

TEST_F(ListingTest, csvRowsAreAsLongAsTheirHeader)
{
    for (const char* listing : {"models", "techniques", "devices", "presets", "doctor", "models ffn-stack"}) {
        const std::vector<std::string> lines = linesOf(run(listing + std::string(" --format csv")).out);
        ASSERT_GT(lines.size(), 1u) << listing;
        for (const std::string& line : lines)
            EXPECT_EQ(columns(line), columns(lines.front())) << line;
    }
}

TEST_F(ListingTest, markdownTablesHaveARuleAndNoBlankCell)
{
    for (const char* listing : {"models", "techniques", "devices", "presets", "env", "doctor"}) {
        const std::string text = run(listing + std::string(" --format md")).out;
        EXPECT_THAT(text, HasSubstr("| ---")) << listing;
        EXPECT_THAT(text, Not(HasSubstr("|  |"))) << listing;
    }
}

TEST_F(ListingTest, modelsShowTheClosedForms)
{
    const OrderedJson model = run("models ffn-stack --format json").json();
    const config::ModelDescriptor descriptor = config::findModel("ffn-stack", "test");
    EXPECT_EQ(model.at("parameters"), descriptor.family->parameters(descriptor.fields.defaults()));
    EXPECT_EQ(
        model.at("weight_bytes").at("bfloat16").get<std::int64_t>(), 2 * model.at("parameters").get<std::int64_t>());
    EXPECT_EQ(model.at("fields").size(), descriptor.fields.all().size());
    EXPECT_EQ(model.at("shapes").size(), descriptor.shapes.all().size());
    EXPECT_GT(model.at("flops_per_step").at("train"), model.at("flops_per_step").at("inference"));
}

TEST_F(ListingTest, techniquesShowNotationOptionsAndCounters)
{
    const std::string text = run("techniques split_ffn").out;
    const config::TechniqueDescriptor& technique = config::findTechnique("split_ffn", "test");
    for (const config::NotationForm& form : technique.forms)
        EXPECT_THAT(text, HasSubstr(form.meaning));
    for (const config::Field& option : technique.options.all())
        EXPECT_THAT(text, HasSubstr(option.help));
    for (const config::CounterDescriptor& counter : technique.counters)
        EXPECT_THAT(text, HasSubstr(counter.name));
}

TEST_F(ListingTest, devicesSayWhyAGpuCannotBeUsed)
{
    const OrderedJson devices = run("devices --format json").json().at("devices");
    EXPECT_EQ(devices.at(0).at("name"), "cpu");
    EXPECT_EQ(devices.at(0).at("usable"), true);
    EXPECT_EQ(devices.at(1).at("name"), "cuda:N");
    EXPECT_EQ(devices.at(1).at("usable"), false);
    EXPECT_TRUE(devices.at(1).at("reason").is_string());
}

TEST_F(ListingTest, devicesAreListedEvenWithoutAWorker)
{
    setVariable("HEADROOM_WORKER", "/no/such/worker");
    const Ended ended = run("devices --format json");
    EXPECT_EQ(ended.exitCode, 0);
    for (const OrderedJson& device : ended.json("devices"))
        EXPECT_THAT(device.at("reason").get<std::string>(), HasSubstr("/no/such/worker"));
}

TEST_F(ListingTest, everyConstantOfAProfileHasASource)
{
    for (const OrderedJson& device : run("devices --format json").json("devices")) {
        const std::string name = device.at("name").get<std::string>();
        if (name.starts_with("sim:")) {
            for (const OrderedJson& constant : run("devices " + name + " --format json").json("constants"))
                EXPECT_THAT(constant.at("source").get<std::string>(), Not(IsEmpty())) << name;
        }
    }
}

TEST_F(ListingTest, aPresetIsPrintedAsItIsAndRunsAsAFile)
{
    const std::string toml = run("presets ffn-split").out;
    write("mine.toml", toml);
    const OrderedJson preset = run("run ffn-split --dry-run --format json").json();
    EXPECT_EQ(run("run mine.toml --dry-run --format json").json(), preset);
}

TEST_F(ListingTest, presetsHaveTitlesAndTheirNumberOfTrials)
{
    for (const OrderedJson& preset : run("presets --format json").json("presets")) {
        EXPECT_THAT(preset.at("title").get<std::string>(), Not(IsEmpty()));
        const std::string name = preset.at("name").get<std::string>();
        EXPECT_EQ(run("run " + name + " --dry-run --format json").json().at("trials").size(), preset.at("trials"));
    }
}

TEST_F(ListingTest, thePublishedSplitBenchmarkHasEighteenTrials)
{
    EXPECT_EQ(run("run ffn-split --dry-run --format json").json().at("trials").size(), 18u);
    EXPECT_EQ(run("run ffn-reproducer --dry-run --format json").json().at("trials").size(), 2u);
}

TEST_F(ListingTest, unknownNamesAreBadUsageWithTheClosest)
{
    const auto expectRefused = [&](const std::string& arguments, const std::string& text) {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments;
        EXPECT_THAT(ended.err, HasSubstr(text)) << arguments;
        EXPECT_EQ(linesOf(ended.err).size(), 1u) << arguments;
    };
    expectRefused("models fnn-stack", "unknown model \"fnn-stack\", did you mean \"ffn-stack\"?");
    expectRefused("techniques split_fnn", "unknown technique \"split_fnn\", did you mean \"split_ffn\"?");
    expectRefused("presets dmo", "unknown preset \"dmo\", did you mean \"demo\"?");
    expectRefused("devices sim:a100", "a100-80gb");
    expectRefused("devices cuda:7", "there is no device cuda:7 on this machine");
    expectRefused("models --format xml", "--format: found \"xml\" (valid: table, md, csv, json, jsonl)");
}

TEST_F(ListingTest, nothingIsWritten)
{
    for (const std::string& listing : kListings)
        run(listing);
    EXPECT_TRUE(files().empty());
}

TEST_F(ListingTest, outputThatCannotBeWrittenIsAFileError)
{
    sendOutputTo("/dev/full");
    const Ended ended = run("models");
    EXPECT_EQ(ended.exitCode, 5);
    EXPECT_EQ(ended.err, "headroom: error: standard output cannot be written\n");
}

TEST_F(ListingTest, aGhostIsListedAsATableUnlessAskedOtherwise)
{
    const Ended ended = run("ghost llama-tiny -o ghost");
    EXPECT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("model.safetensors"));
    EXPECT_TRUE(exists("ghost/config.json"));
}

} // namespace
} // namespace headroom::cli

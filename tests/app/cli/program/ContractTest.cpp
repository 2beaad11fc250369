// SPDX-License-Identifier: Apache-2.0
//
// Compares docs/contract.md with what the program prints: nothing is undocumented, and everything documented exists.
#include "core/config/catalogue/Catalogue.h"
#include "experiments/results/MergedRepeats.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "experiments/validation/ValidationDocument.h"
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/app/cli/program/Program.h"
#include "tests/support/Checkout.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>

namespace headroom::cli::contract_test {
namespace {

using experiments::OrderedJson;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using ContractTest = Program;

std::string page()
{
    return contentOf(checkout("docs/contract.md"));
}

std::string firstCodeBlockAfter(const std::string& text, const std::string& fence)
{
    const auto begin = text.find(fence) + fence.size();
    return text.substr(begin, text.find("```", begin) - begin);
}

// The page writes --<technique> for the flags of all techniques.
bool isTechnique(std::string flag)
{
    std::replace(flag.begin(), flag.end(), '-', '_');
    const auto keys = config::techniqueKeys();
    return std::find(keys.begin(), keys.end(), flag.substr(2)) != keys.end();
}

// A trial record with every key that a worker can fill.
OrderedJson fullRecord()
{
    experiments::SpecOverrides overrides;
    overrides.setModels("ffn-stack-tiny");
    overrides.set("model.dim", "32", "--set model.dim");
    protocol::RepeatResult repeat;
    repeat.outcome = Outcome::OutOfMemory;
    repeat.outOfMemory = protocol::OutOfMemoryFacts{"forward", 2, 1};
    repeat.memory.phasePeaks["forward"] = {};
    repeat.memory.harness = {{"kept baseline output", 1}};
    repeat.memory.notCounted = {{"cuFFT", "cufftMakePlan1d", 1, 2}};
    repeat.numerics = protocol::Numerics{};
    repeat.engagement["split_ffn"]["slices_run"] = 1;
    repeat.breakdown = protocol::MemoryBreakdown{.totalBytes = 2,
        .phase = "forward",
        .categories = {{"weights", 2}},
        .modules = {{"layers.0", 2, {{"weights", 2}}}},
        .techniques = {{"", 2}},
        .leaks = {{"ema", 1}},
        .sources = {{"model.py:12", 1, {{"saved_activations", 1}}}},
        .requestedBytes = 1};
    experiments::TrialResult result =
        experiments::trialResult("full", experiments::expand(experiments::loadOverrides(overrides)).front(), {repeat});
    result.errorBound = experiments::ErrorBound{.basis = "measurements"};
    result.model.imported = config::ImportedFacts{.file = "/m.pt2", .content = "00000000000000aa", .dtype = "float32"};
    return toJson(result);
}

TEST_F(ContractTest, listsEveryKeyOfTheTrialRecordAndNoOther)
{
    DocumentedKeys keys("trial");
    ASSERT_GT(keys.size(), 50u);
    const Ended ended = run("run --model ffn-stack-tiny --split-ffn off,2 --device cpu --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    for (const OrderedJson& trial : ended.json("trials")) {
        EXPECT_THAT(keys.undocumented(trial), IsEmpty());
        EXPECT_EQ(toJson(experiments::trialResultFromJson(trial)).dump(), trial.dump()) << "nothing is lost on reading";
    }
    EXPECT_THAT(keys.undocumented(fullRecord()), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, theFiguresOfMemoryAreTheSixThatItNames)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cpu --format json");
    const OrderedJson peak = ended.json().at("trials").at(0).at("memory").at("peak");
    std::string listed;
    for (const auto& [name, value] : peak.items())
        listed += (listed.empty() ? "Figures: `" : ", `") + name + "`";
    EXPECT_THAT(std::regex_replace(page(), std::regex("\n"), " "), HasSubstr(listed + ". On"));
}

TEST_F(ContractTest, listsEveryKeyOfResultsEnvironmentAndSummary)
{
    setVariable("OMP_NUM_THREADS", "2");
    setVariable("HEADROOM_SCRIPT", "unsteady"); // so that there are flags to list
    write("budgets.toml", "[[budget]]\nmax_peak_gib = 1\n");
    const OrderedJson results =
        run("run --model ffn-stack-tiny --device cpu --budgets budgets.toml --format json").json();
    DocumentedKeys environment("environment");
    EXPECT_THAT(environment.undocumented(results.at("environment")), IsEmpty());
    EXPECT_THAT(environment.unseen(), IsEmpty());
    DocumentedKeys summary("summary");
    EXPECT_THAT(summary.undocumented(results.at("summary")), IsEmpty());
    EXPECT_THAT(summary.unseen(), IsEmpty());
    OrderedJson top;
    for (const auto& [key, value] : results.items())
        top[key] = nullptr;
    DocumentedKeys whole("results");
    EXPECT_THAT(whole.undocumented(top), IsEmpty());
    EXPECT_THAT(whole.unseen(), IsEmpty());
}

TEST_F(ContractTest, withoutBudgetsThereAreNoVerdicts)
{
    EXPECT_TRUE(run("run --model ffn-stack-tiny --device cpu --format json").json("summary").at("budgets").is_null());
}

TEST_F(ContractTest, listsEveryKeyOfADryRun)
{
    DocumentedKeys plan("dry run");
    const OrderedJson document = run("run ffn-split --dry-run --format json").json();
    EXPECT_THAT(plan.undocumented(document.at("trials").at(0)), IsEmpty());
    EXPECT_THAT(plan.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfAFit)
{
    setVariable("HEADROOM_SCRIPT", "tight");
    OrderedJson document = run("fit --model ffn-stack-tiny --set workload.step=forward_backward --device sim:t4 "
                               "--format json")
                               .json();
    ASSERT_FALSE(document.at("found").empty());
    DocumentedKeys trial("trial");
    EXPECT_THAT(trial.undocumented(document.at("asked")), IsEmpty());
    EXPECT_THAT(trial.undocumented(document.at("found").at(0).at("trial")), IsEmpty());
    document["asked"] = nullptr; // documented as a trial record, like the next
    for (OrderedJson& found : document["found"])
        found["trial"] = nullptr;
    DocumentedKeys keys("fit");
    EXPECT_THAT(keys.undocumented(document), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfAFill)
{
    setVariable("HEADROOM_SCRIPT", "tight");
    OrderedJson document =
        run("fill --model ffn-stack-tiny --checkpointing none,all --device sim:t4 --axis batch --format json").json();
    ASSERT_EQ(document.at("rows").size(), 2U);
    DocumentedKeys trial("trial");
    for (OrderedJson& row : document["rows"]) {
        EXPECT_THAT(trial.undocumented(row.at("trial")), IsEmpty());
        row["trial"] = nullptr;
    }
    DocumentedKeys keys("fill");
    EXPECT_THAT(keys.undocumented(document), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfEffects)
{
    ASSERT_EQ(run("run --model ffn-stack-tiny --step train --checkpointing none,all --split-ffn off,2 --device sim:t4")
                  .exitCode,
        0);
    OrderedJson document = run("effects --format json").json();
    DocumentedKeys keys("effects");
    for (const OrderedJson& categories : {OrderedJson(nullptr), OrderedJson{{"weights", 1}}}) {
        for (const char* list : {"main", "interactions"}) {
            ASSERT_FALSE(document.at(list).empty());
            document[list][0]["categories"] = categories; // the scripted worker knows none
        }
        EXPECT_THAT(keys.undocumented(document), IsEmpty());
    }
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfSettings)
{
    DocumentedKeys keys("settings");
    const Ended ended = run("settings ltx-checkpointing --trial all --set workload.clip_grad_norm=1 --for diffusers "
                            "--set device.memory_limit_bytes="
                            "4294967296 --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(keys.undocumented(ended.json()), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfACost)
{
    write("prices.toml",
        "currency = \"EUR\"\n[[price]]\ndevice = \"t4\"\nper_hour = 0.5\nsource = \"ours\"\ndate = 2026-11-25\n");
    DocumentedKeys keys("cost");
    const Ended ended =
        run("cost --model ffn-stack-tiny --device sim:t4 --steps 100 --prices prices.toml --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(keys.undocumented(ended.json()), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfAnImport)
{
    DocumentedKeys keys("import");
    const Ended ended = run("trace import " + recordingMadeByHand("protocol_4.pickle") + " --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_THAT(keys.undocumented(ended.json()), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfAReplay)
{
    DocumentedKeys keys("replay");
    for (const char* const name : {"out_of_memory.pickle", "protocol_4.pickle"}) {
        const std::string suggest = std::string(name) == "protocol_4.pickle" ? "" : " --suggest";
        const Ended ended = run("trace replay " + recordingMadeByHand(name) + suggest + " --format json");
        ASSERT_EQ(ended.exitCode, 0) << ended.err;
        EXPECT_THAT(keys.undocumented(ended.json()), IsEmpty());
    }
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, listsEveryKeyOfAComparison)
{
    DocumentedKeys keys("compare");
    const Ended ended = run("compare " + recordingMadeByHand("expandable.pickle") + " "
        + recordingMadeByHand("out_of_memory.pickle") + " --format json");
    ASSERT_EQ(ended.exitCode, 1) << ended.err; // the second one died
    EXPECT_THAT(keys.undocumented(ended.json()), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

// A validation with every key that can be filled.
OrderedJson fullValidation()
{
    experiments::ValidationDocument document;
    experiments::ValidationRow row;
    for (experiments::ValidatedFigures* side : {&row.measured, &row.predicted})
        *side = {.outcome = Outcome::Completed, .allocated = 1, .reserved = 2, .stepSeconds = 0.5};
    document.rows = {row};
    document.causes = {{.shares = {{config::MemoryCategory::Weights, "blocks.*", 1, 2}}}};
    return toJson(document);
}

TEST_F(ContractTest, listsEveryKeyOfAValidation)
{
    DocumentedKeys keys("validation");
    for (OrderedJson document :
        {run("validate --device cpu --against sim:cpu --trials 1 --format json").json(), fullValidation()}) {
        document["environment"] = nullptr; // documented under its own heading
        EXPECT_THAT(keys.undocumented(document), IsEmpty());
    }
    EXPECT_THAT(keys.unseen(), IsEmpty());
}

TEST_F(ContractTest, namesEveryEventWithItsKeys)
{
    ASSERT_EQ(run("run --model ffn-stack-tiny --device cpu --events events.jsonl").exitCode, 0);
    const std::string text = page();
    for (const std::string& line : linesOf(contents("events.jsonl"))) {
        const OrderedJson event = OrderedJson::parse(line);
        for (const auto& [key, value] : event.items())
            EXPECT_THAT(text, HasSubstr("`" + key + "`"));
        EXPECT_THAT(text, HasSubstr("`" + event.at("event").get<std::string>() + "`"));
    }
}

TEST_F(ContractTest, itsSpecIsAccepted)
{
    write("spec.toml", firstCodeBlockAfter(page(), "```toml"));
    const Ended ended = run("run ./spec.toml --dry-run --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    EXPECT_EQ(ended.json().at("experiment"), "ffn");
    EXPECT_EQ(ended.json().at("trials").size(), 10u); // 2 devices x (off, 4 x 2 options, tokens:4 x 2 options)
}

TEST_F(ContractTest, itsSpecHasEveryKeyThatTheProgramKnows)
{
    const std::string spec = firstCodeBlockAfter(page(), "```toml");
    for (const config::Field& field : config::workloadFields().all())
        EXPECT_THAT(spec, HasSubstr("\n" + field.name + " = "));
    for (const config::Field& field : config::protocolFields().all())
        EXPECT_THAT(spec, HasSubstr("\n" + field.name + " = "));
}

TEST_F(ContractTest, everyFlagOfRunIsInItAndTheOtherWayRound)
{
    std::string help;
    for (const char* command : {"run", "fit", "plan", "fill", "settings", "cost", "report", "effects", "parity",
             "calibrate", "rehearse", "ghost", "trace show", "trace export", "trace drop", "trace compact",
             "trace import", "trace replay", "compare", "workspace list", "workspace check", "workspace repair",
             "validate", "models", "techniques", "devices", "presets", "env", "doctor"})
        help += run(std::string(command) + " --help").out;
    const std::string commands = firstCodeBlockAfter(page(), "```");
    const std::regex flag("--[a-z][a-z-]+");
    for (auto it = std::sregex_iterator(commands.begin(), commands.end(), flag); it != std::sregex_iterator(); ++it)
        if (it->str() != "--version" && it->str() != "--help") {
            EXPECT_THAT(help, HasSubstr(it->str()));
        }
    for (auto it = std::sregex_iterator(help.begin(), help.end(), flag); it != std::sregex_iterator(); ++it)
        // The page lists the one as -o, the others are of nsys and torchrun.
        if (!isTechnique(it->str()) && it->str() != "--output" && it->str() != "--type"
            && it->str() != "--nproc-per-node") {
            EXPECT_THAT(commands, HasSubstr(it->str()));
        }
}

TEST_F(ContractTest, whatIsPlannedIsNotAcceptedYet)
{
    for (const char* command : {"baseline", "merge"}) {
        EXPECT_EQ(run(command).exitCode, 2) << command;
        EXPECT_THAT(run("--help").out, Not(HasSubstr("\n  " + std::string(command) + " ")));
    }
}

TEST_F(ContractTest, namesEveryModelTechniqueAndPreset)
{
    const std::string text = page();
    for (const std::string& name : config::modelNames())
        EXPECT_THAT(text, HasSubstr("`" + name + "`"));
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        EXPECT_THAT(text, HasSubstr("`" + technique.key + "`"));
        for (const config::CounterDescriptor& counter : technique.counters)
            EXPECT_THAT(text, HasSubstr("`" + counter.name + "`"));
    }
    for (const OrderedJson& preset : run("presets --format json").json("presets"))
        EXPECT_THAT(text, HasSubstr("`" + preset.at("name").get<std::string>() + "`"));
}

} // namespace
} // namespace headroom::cli::contract_test

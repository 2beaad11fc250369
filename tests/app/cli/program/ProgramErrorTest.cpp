// SPDX-License-Identifier: Apache-2.0
#include "core/base/Wording.h"
#include "core/config/Workload.h"
#include "tests/app/cli/program/Program.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ProgramErrorTest : public Program {
protected:
    /// Expects exactly one error line with the text, and that nothing is printed, run or changed.
    void expectRefused(const std::string& arguments, int exitCode, const std::string& text)
    {
        const auto before = files();
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, exitCode) << arguments << "\n" << ended.err;
        EXPECT_THAT(ended.err, StartsWith("headroom: error: ")) << arguments;
        EXPECT_THAT(ended.err, HasSubstr(text)) << arguments;
        EXPECT_EQ(linesOf(ended.err).size(), 1u) << ended.err;
        EXPECT_THAT(ended.out, IsEmpty()) << arguments;
        EXPECT_EQ(requests(), 0u) << arguments;
        EXPECT_EQ(files(), before) << arguments;
    }

    void expectSpecRefused(const std::string& spec, const std::string& text)
    {
        write("spec.toml", spec);
        expectRefused("run ./spec.toml", 2, text);
        expectRefused("run ./spec.toml --dry-run", 2, text);
    }
};

const std::string kModel = "[model]\nname = \"ffn-stack-tiny\"\n";

TEST_F(ProgramErrorTest, helpAndVersionMayBeWords)
{
    EXPECT_EQ(run("help plan").out, run("plan --help").out);
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_EQ(run("version").out, run("--version").out);
    EXPECT_EQ(run("help plan").exitCode, 0);
}

TEST_F(ProgramErrorTest, theBeginningOfAFlagIsRecognised)
{
    expectRefused("run demo --train lora:4", 2, "--train lora:4, did you mean \"--trainable\"?");
}

TEST_F(ProgramErrorTest, unknownKeysNameFileLineAndTheClosest)
{
    expectSpecRefused("nmae = \"x\"\n" + kModel, "./spec.toml:1");
    expectSpecRefused(kModel + "num_layer = 2\n", "./spec.toml:3");
    expectSpecRefused(kModel + "num_layer = 2\n", "did you mean \"num_layers\"?");
    expectSpecRefused(kModel + "[workload]\nbatches = 2\n", "./spec.toml:4");
    expectSpecRefused(kModel + "[protocol]\nwarmup = 2\n", "warmup_steps");
    expectSpecRefused(kModel + "[device]\nnam = \"cpu\"\n", "./spec.toml:4");
}

TEST_F(ProgramErrorTest, settingsAreOfOneTrialAndAKnownTrainer)
{
    const std::string sweep = "settings --model ltx-video-tiny --checkpointing none,all --step train";
    expectRefused(sweep + " --for pytorch", 2, "found 2 trials (valid: --trial with one of ");
    expectRefused(sweep + " --for pytorch", 2, " (checkpointing all)");
    expectRefused(
        sweep + " --for pytorch --trial every:2", 2, "--trial: found \"every:2\", which is no trial of the spec");
    expectRefused(sweep + " --for pytorch --trial ''", 2, "--trial");
    expectRefused("settings --model ltx-video-tiny --for torchtita", 2, "did you mean \"torchtitan\"?");
    expectRefused(
        "settings --model ltx-video-tiny --for torchtitan", 2, "found step = inference, and torchtitan trains");
    expectRefused(
        "settings --model llama-tiny --for diffusers", 2, "which is no model of diffusers (valid: transformers");
    EXPECT_EQ(run(sweep + " --for pytorch --trial all").exitCode, 0);
}

TEST_F(ProgramErrorTest, costsAreOfOneCombinationAtReadablePrices)
{
    const std::string cost = "cost --model ffn-stack-tiny --device sim:t4 --steps 10 ";
    write("prices.toml", "currency = \"EUR\"\n[[price]]\ndevice = \"t5\"\n");
    expectRefused(cost + "--split-ffn off,2", 2, "found 2 combinations");
    expectRefused(cost + "--prices prices.toml", 2, "prices.toml:2");
    expectRefused(cost + "--prices none.toml", 5, "none.toml");
    expectRefused("cost --model ffn-stack-tiny --device cpu --steps 10", 2, "simulated cards");
    expectRefused("cost --model ffn-stack-tiny", 2, "--steps");
}

TEST_F(ProgramErrorTest, wrongTypesNameWhatIsValid)
{
    expectSpecRefused(kModel + "num_layers = \"two\"\n", "found \"two\" (valid: an integer of at least 1");
    expectSpecRefused(kModel + "bias = 1\n", "found 1 (valid: true or false)");
    expectSpecRefused(kModel + "[workload]\ndtype = \"float12\"\n",
        "valid: " + joined(config::workloadFields().get("dtype", "").choices));
    expectSpecRefused(kModel + "[protocol]\nsteps = 0\n", "found 0 (valid: an integer of at least 1");
    expectSpecRefused("name = 7\n" + kModel, "./spec.toml:1");
    expectSpecRefused("model = 7\n", "./spec.toml:1");
}

TEST_F(ProgramErrorTest, unknownTechniquesNameTheClosest)
{
    expectSpecRefused(
        kModel + "[techniques]\nsplit_fnn = \"4\"\n", "unknown technique \"split_fnn\", did you mean \"split_ffn\"?");
    expectSpecRefused(kModel + "[techniques]\nsplit_fnn = \"4\"\n", "./spec.toml:4");
    expectSpecRefused(kModel + "[techniques.split_ffn]\nnotation = \"4\"\nacumulate = \"in_place\"\n", "./spec.toml:5");
}

TEST_F(ProgramErrorTest, notationsThatDoNotParseNameTheForms)
{
    expectSpecRefused(kModel + "[techniques]\nsplit_ffn = \"four\"\n", "found \"four\" (valid: off, N");
    expectRefused("run --model ffn-stack-tiny --split-ffn four", 2, "--split-ffn: found \"four\" (valid: off, N");
    expectRefused("run --model ffn-stack-tiny --split-ffn off,0", 2, "--split-ffn: found \"0\"");
}

TEST_F(ProgramErrorTest, checkpointingPoliciesThatMeanNothingAreRefused)
{
    expectSpecRefused(
        kModel + "[techniques]\ncheckpointing = \"sometimes\"\n", "found \"sometimes\" (valid: none, all");
    const auto expectPolicyRefused = [this](const std::string& policy, const std::string& text) {
        expectRefused("run --model ffn-stack-tiny --checkpointing " + policy, 2, "--checkpointing: " + text);
    };
    expectPolicyRefused("none,every:0", "found \"every:0\": N is \"0\"");
    expectPolicyRefused("every:2@2", "found \"every:2@2\": K is 2, no remainder");
    expectPolicyRefused("blocks:0-1.1", "found \"blocks:0-1.1\": \"1\" names blocks that stand before it already");
    expectPolicyRefused("strategy:mine", "unknown strategy \"mine\" (valid: all_but_last)");
    expectPolicyRefused("every:3", "checkpointing = every:3: N is more than the model's 2 blocks");
    expectPolicyRefused("skip:2", "checkpointing = skip:2: block 2 is not among the model's 2 blocks, 0 to 1");
}

TEST_F(ProgramErrorTest, aSplitThatDividesNothingIsRefused)
{
    expectSpecRefused(kModel + "[techniques]\nsplit_ffn = \"7\"\n",
        "split_ffn = 7 does not divide the feed-forward's inner width 64");
    expectRefused("run --model ffn-stack-tiny --split-ffn off,7", 2, "--split-ffn: split_ffn = 7 does not divide");
}

TEST_F(ProgramErrorTest, textThatIsNoTomlNamesThePosition)
{
    expectSpecRefused("[model\nname = 1\n", "./spec.toml:1");
    expectSpecRefused("", "model");
    expectSpecRefused("a = \"\xff\xfe\"\n", "./spec.toml:1");
}

TEST_F(ProgramErrorTest, missingFilesAreFileErrors)
{
    expectRefused("run ./missing.toml", 5, "./missing.toml");
    expectRefused("run ./", 5, "spec cannot be read");
    expectRefused("run no-such-preset", 2, "unknown preset \"no-such-preset\"");
    expectRefused("run no-such-preset", 2, "ffn-split");
}

TEST_F(ProgramErrorTest, unknownModelsAndDevicesAreBadUsage)
{
    expectRefused("run --model fnn-stack", 2, "--model: unknown model \"fnn-stack\", did you mean \"ffn-stack\"?");
    expectRefused("run --model ffn-stack-tiny --device gpu", 2, "--device: device \"gpu\" is not known");
    expectRefused("run --model ffn-stack-tiny --device sim:a101", 2, "a100-80gb");
    expectRefused("run --model ffn-stack-tiny --device sim:t4@torch-9", 2, "torch-2.5");
}

// An unset variable in a script must not change what the words after it mean.
TEST_F(ProgramErrorTest, anOptionWithoutItsValueIsRefused)
{
    expectRefused("run demo --workspace --dry-run", 2, "found \"--dry-run\" where its value should be");
    expectRefused("run demo --junit= --resume", 2, "--junit: found nothing after \"=\"");
    expectRefused("run demo --set --resume", 2, "where its value should be");
    expectRefused("run demo --dry-run=false", 2, "dry-run was given a disallowed flag override");
}

TEST_F(ProgramErrorTest, aScaledLossTakesGradientsInFloat32)
{
    expectRefused("run --model ffn-stack-tiny --step train --set workload.autocast=float16 --dtype bfloat16", 2,
        "workload.autocast = float16 scales the loss, and gradients in bfloat16 cannot be unscaled");
}

TEST_F(ProgramErrorTest, badFlagsAreBadUsage)
{
    expectRefused("run demo --split-fnn 4", 2, "did you mean \"--split-ffn\"?");
    expectRefused("rnu demo", 2, "did you mean \"run\"?");
    expectRefused("run demo extra", 2, "extra");
    expectRefused("run demo --timeout soon", 2, "--timeout");
    expectRefused("run demo --timeout 0", 2, "--timeout: found 0.0 (valid: seconds greater than 0)");
    expectRefused("run demo --timeout nan", 2, "--timeout");
    expectRefused("run demo --jobs many", 2, "--jobs");
    expectRefused("run demo --jobs 0", 2, "--jobs: found 0 (valid: at least 1)");
    expectRefused("run demo --format yaml", 2, "--format: found \"yaml\" (valid: table, md, csv, json, jsonl)");
    expectRefused("run demo --keep-going --fail-fast", 2, "--keep-going");
    expectRefused("run demo --set", 2, "--set");
    expectRefused("run demo --set workload.batch", 2, "--set: found \"workload.batch\" (valid: PATH=VALUE");
    expectRefused("run demo --set workload.batch=", 2, "--set");
    expectRefused("run demo --set workload.batsh=2", 2, "--set workload.batsh");
    expectRefused("run demo --filter split_ffn", 2, "--filter: found \"split_ffn\"");
    expectRefused("run demo --filter split_ffn=64", 2, "--filter: no trial matches");
    expectRefused("run", 2, "model");
}

TEST_F(ProgramErrorTest, aMissingWorkerOrResourceFolderIsAFileError)
{
    setVariable("HEADROOM_WORKER", "/no/such/worker");
    expectRefused("run --model ffn-stack-tiny --device cpu", 5, "/no/such/worker: headroom-worker not found");
    setVariable("HEADROOM_RESOURCES", "/no/such/folder");
    expectRefused("run demo", 5, "/no/such/folder: resource folder not found");
}

TEST_F(ProgramErrorTest, eventFilesThatCannotBeWrittenStopTheRunBeforeItBegins)
{
    expectRefused("run --model ffn-stack-tiny --device cpu --events ./no/such/folder/events", 5, "event file");
}

TEST_F(ProgramErrorTest, anEventFileOnAFullDiskIsAFileErrorInTheEnd)
{
    const Ended ended = run("run --model ffn-stack-tiny --device cpu --events /dev/full");
    EXPECT_EQ(ended.exitCode, 5);
    EXPECT_THAT(ended.err, HasSubstr("headroom: error: /dev/full: event file could not be written to its end"));
}

TEST_F(ProgramErrorTest, emptyArgumentsAreBadUsage)
{
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"run", "demo", "--workspace", ""}, {"run", "demo", "--events", ""}, {"run", ""}}) {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exitCode, 2) << arguments.back();
        EXPECT_NE(ended.err.find("valid"), std::string::npos) << ended.err;
    }
    EXPECT_TRUE(files().empty());
}

TEST_F(ProgramErrorTest, hugeSweepsAreRefusedAtOnce)
{
    std::string values = "1";
    for (int i = 2; i <= 400; ++i)
        values += "," + std::to_string(i);
    expectRefused("run --model ffn-stack-tiny --set workload.batch=" + values + " --set workload.seed=" + values, 2,
        "more than 100000 trials");
}

} // namespace
} // namespace headroom::cli

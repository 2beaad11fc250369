// SPDX-License-Identifier: Apache-2.0
//
// The program with headroom-worker itself, on files in upstream's formats.
#include "tests/app/cli/program/DocumentedKeys.h"
#include "tests/app/cli/program/RealDevice.h"
#include "tests/app/cli/program/TensorFile.h"

#include <gmock/gmock.h>

namespace headroom::cli {
namespace {

using experiments::OrderedJson;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kFirst = "layers.0.net.0.proj.weight";

class RealParityTest : public RealDevice {
protected:
    RealParityTest() { m_expected["output"] = stackOutput(m_weights, m_input); }

    void writeFiles()
    {
        write("w.safetensors", safetensorsOf(m_weights));
        write("i.safetensors", safetensorsOf({{"hidden_states", m_input}}));
        write("e.safetensors", safetensorsOf(m_expected));
    }

    Ended compare(const std::string& more = "")
    {
        writeFiles();
        const bool namesOne = more.find("--device") != std::string::npos;
        return run("parity --model ffn-stack-tiny --set model.activation_fn=gelu --weights w.safetensors --inputs "
                   "i.safetensors --expect e.safetensors --format json "
            + more + (namesOne ? "" : " --device " + device()));
    }

    PlainTensors m_weights = stackWeights();
    PlainTensor m_input = noise({2, 3, 16}, 99, 2);
    PlainTensors m_expected;
};

TEST_F(RealParityTest, whatAPlainImplementationComputesPassesInEveryType)
{
    for (const char* more : {"", "--dtype float64", "--dtype bfloat16 --tolerance 0.03", "--split-ffn 2",
             "--checkpointing all --offload block:1"}) {
        const Ended ended = compare(more);
        EXPECT_EQ(ended.exitCode, 0) << more << ended.err;
        EXPECT_EQ(ended.err, "") << more;
        EXPECT_EQ(ended.json().at("pass"), true) << more;
        EXPECT_EQ(ended.json().at("tensors").at(0).at("name"), "output");
    }
}

TEST_F(RealParityTest, theRecordHasTheDocumentedKeysAndNoOther)
{
    m_expected["grad.nothing"] = noise({1}, 1);
    m_expected["output"].shape = {6, 16};
    const Ended ended = compare("--split-ffn 2");
    EXPECT_EQ(ended.exitCode, 1);
    DocumentedKeys keys("parity");
    EXPECT_THAT(keys.undocumented(ended.json()), IsEmpty());
    EXPECT_THAT(keys.unseen(), IsEmpty());
    const OrderedJson record = ended.json();
    EXPECT_EQ(record.at("schema"), "headroom.parity/1");
    EXPECT_EQ(record.at("model"), "ffn-stack-tiny");
    EXPECT_EQ(record.at("techniques").at("split_ffn"), "2");
    EXPECT_EQ(record.at("techniques").at("attention"), "auto");
    EXPECT_EQ(record.at("missing"), OrderedJson::parse(R"(["grad.nothing"])"));
}

TEST_F(RealParityTest, oneChangedWeightFails)
{
    m_weights[kFirst].values[7] += 0.01F;
    const Ended ended = compare();
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.err, HasSubstr("headroom: no parity: \"output\" differs by "));
    EXPECT_EQ(ended.json().at("tensors").at(0).at("pass"), false);
    EXPECT_EQ(compare("--tolerance 0.5").exitCode, 0);
}

TEST_F(RealParityTest, missingExtraAndTransposedWeightsFailByName)
{
    m_weights["layers.0.net.2.bais"] = m_weights.extract("layers.0.net.2.bias").mapped();
    m_weights[kFirst].shape = {16, 64};
    const Ended ended = compare();
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(linesOf(ended.err),
        ElementsAre("headroom: no parity: \"layers.0.net.2.bias\" is missing",
            "headroom: no parity: \"layers.0.net.2.bais\" is no parameter of the model",
            "headroom: no parity: \"" + kFirst + "\" is [16, 64] where the model has [64, 16]"));
    EXPECT_TRUE(ended.json().at("tensors").empty());
}

TEST_F(RealParityTest, damagedFilesAreFileErrors)
{
    writeFiles();
    const std::string whole = contents("w.safetensors");
    const std::string command = "parity --model ffn-stack-tiny --set model.activation_fn=gelu --weights w.safetensors "
                                "--inputs i.safetensors --expect e.safetensors";
    write("w.safetensors", whole.substr(0, whole.size() - 3));
    const Ended cut = run(command);
    EXPECT_EQ(cut.exitCode, 5);
    EXPECT_THAT(cut.err,
        HasSubstr(
            path("w.safetensors") + ": tensor \"layers.1.net.2.weight\": its data_offsets do not lie in the file"));
    EXPECT_EQ(linesOf(cut.err).size(), 1U);
    write("w.safetensors", whole);
    write("i.safetensors", safetensorsOf({{"hidden", m_input}}));
    const Ended other = run(command);
    EXPECT_EQ(other.exitCode, 5);
    EXPECT_THAT(other.err, HasSubstr("i.safetensors: has no tensor \"hidden_states\""));
    EXPECT_EQ(
        run("parity --model ffn-stack-tiny --weights none --inputs i.safetensors --expect e.safetensors").exitCode, 5);
}

TEST_F(RealParityTest, badUsageIsRefusedBeforeAnythingIsRun)
{
    writeFiles();
    const auto refused = [&](const std::string& more) {
        const Ended ended = compare(more);
        EXPECT_EQ(ended.exitCode, 2) << more;
        return ended.err;
    };
    EXPECT_THAT(refused("--dtype float8"), HasSubstr("--dtype: found \"float8\" (valid: float32"));
    EXPECT_THAT(refused("--split-ffn 2,4"), HasSubstr("--split-ffn: found several values (valid: one)"));
    EXPECT_THAT(refused("--device sim:t4"), HasSubstr("--device: sim:t4 computes nothing (valid: cpu, cuda:N)"));
    EXPECT_THAT(refused("--tolerance -1"), HasSubstr("--tolerance: found -1"));
    EXPECT_THAT(refused("--set workload.step=train"), HasSubstr("--set workload.step: has no meaning"));
    EXPECT_THAT(refused("--set workload.output=held"), HasSubstr("--set workload.output: has no meaning"));
    EXPECT_THAT(refused("--split-ffn 3"), HasSubstr("split_ffn"));
    EXPECT_THAT(refused("--set model.widht=3"), HasSubstr("unknown key \"widht\""));
}

TEST_F(RealParityTest, trialsRunWithTheWeightsOfAFile)
{
    writeFiles();
    const std::string command =
        "run --model ffn-stack-tiny --set model.activation_fn=gelu --quick --format json --device "
        "cpu,sim:cpu --set model.weights=w.safetensors";
    const Ended ended = run(command);
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    const OrderedJson plain =
        run("run --model ffn-stack-tiny --set model.activation_fn=gelu --quick --format json --device cpu").json();
    for (const OrderedJson& trial : ended.json("trials")) {
        EXPECT_EQ(trial.at("outcome"), "completed");
        EXPECT_EQ(trial.at("model").at("overrides").at("weights"), path("w.safetensors"));
        EXPECT_EQ(trial.at("memory").at("peak").at("allocated_bytes"),
            plain.at("trials").at(0).at("memory").at("peak").at("allocated_bytes"));
    }
    m_weights.erase(kFirst);
    writeFiles();
    const Ended failed = run(command);
    EXPECT_EQ(failed.exitCode, 3);
    for (const OrderedJson& trial : failed.json("trials"))
        EXPECT_THAT(trial.at("reason").get<std::string>(), HasSubstr("there is no tensor \"" + kFirst + "\""));
}

TEST_F(RealParityTest, aConfigurationFileIsRunAndListed)
{
    write("config.json",
        R"({"_class_name": "LTXVideoTransformer3DModel", "_diffusers_version": "0.32", "in_channels": 4, "out_channels": 4,
            "num_attention_heads": 2, "attention_head_dim": 8, "cross_attention_dim": 16, "num_layers": 3,
            "caption_channels": 12})");
    const Ended ended = run("run --model ./config.json --device cpu,sim:t4 --quick --format json");
    ASSERT_EQ(ended.exitCode, 0) << ended.err;
    for (const OrderedJson& trial : ended.json("trials")) {
        EXPECT_EQ(trial.at("model").at("name"), "ltx-video-tiny");
        EXPECT_EQ(trial.at("model").at("overrides").dump(), R"({"num_layers":3})");
    }
    EXPECT_EQ(run("models ./config.json --format json").json().at("blocks"), 3);
    const Ended surveyed = run("doctor --model ./config.json,flux-tiny --device sim:t4");
    EXPECT_EQ(surveyed.exitCode, 0) << surveyed.err;
    EXPECT_THAT(surveyed.out, HasSubstr("The simulator has a rule for every op."));
    write("config.json", R"({"_class_name": "LTXVideoTransformer3DModel", "num_layers": 3, "axes": [1, 2]})");
    const Ended refused = run("run --model ./config.json --device cpu");
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(
        refused.err, HasSubstr("config.json: axes: found [1, 2], and LTXVideoTransformer3DModel has no such key"));
}

} // namespace
} // namespace headroom::cli

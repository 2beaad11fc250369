// SPDX-License-Identifier: Apache-2.0
#include "experiments/sweep/SpecWriter.h"

#include "core/base/Error.h"
#include "experiments/spec/SpecLoader.h"

#include <gmock/gmock.h>

namespace headroom::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kRich = R"(
name = "rich \"one\""
title = "A title"
[workload]
step = "forward_backward"
[[part]]
model.name = "ffn-stack-tiny"
model.activation_fn = ["gelu", "geglu"]
workload.batch = [1, 2]
device.name = ["cpu", "sim:t4@torch-2.5"]
device.memory_limit_bytes = 8589934592
[part.techniques.split_ffn]
notation = ["off", "2", "tokens:2"]
accumulate = ["in_place", "out_of_place"]
[[part]]
model.name = "ffn-stack-tiny"
model.dropout = 0.0
model.bias = true
protocol.repeats = 3
[[exclude]]
split_ffn = "2"
device.name = ["cpu"]
reason = "known"
[[exclude]]
split_ffn.accumulate = "out_of_place"
split_ffn.notation = "tokens:2"
model.activation_fn = "gelu"
reason = "a \\ and a \", a line\nand a \u001b"
[[budget]]
name = "small"
device = "sim:*"
split_ffn = ["2", "tokens:*"]
max_peak_gib = 1.5
peak = "allocated"
must_complete = true
ambiguous = "pass"
)";

std::vector<std::string> idsOf(const ExperimentSpec& spec)
{
    std::vector<std::string> ids;
    for (const PlannedTrial& planned : expand(spec))
        ids.push_back(planned.trialId + " " + planned.skipReason());
    return ids;
}

TEST(SpecWriterTest, whatItWritesMeansTheSame)
{
    const ExperimentSpec spec = loadSpecText(kRich, "rich.toml", {});
    const ExperimentSpec again = loadSpecText(writeSpec(spec), "again.toml", {});
    EXPECT_EQ(again.canonicalJson(), spec.canonicalJson());
    EXPECT_EQ(again.title, "A title");
    EXPECT_EQ(idsOf(again), idsOf(spec));
}

TEST(SpecWriterTest, overridesArePartOfIt)
{
    SpecOverrides overrides;
    overrides.setDevices("sim:a100-80gb");
    overrides.assign("model.dim=32,64");
    overrides.setTechnique("split_ffn", "off,4");
    const ExperimentSpec spec = loadSpecText(kRich, "rich.toml", overrides);
    const ExperimentSpec again = loadSpecText(writeSpec(spec), "again.toml", {});
    EXPECT_EQ(again.canonicalJson(), spec.canonicalJson());
    EXPECT_THAT(writeSpec(spec), Not(HasSubstr("cpu\", \"sim")));
}

TEST(SpecWriterTest, whatThePartsShareStandsOnce)
{
    const std::string toml = writeSpec(loadSpecText(kRich, "rich.toml", {}));
    EXPECT_EQ(toml.find("forward_backward"), toml.rfind("forward_backward")) << toml;
}

TEST(SpecWriterTest, readsBackTheCanonicalJson)
{
    const ExperimentSpec spec = loadSpecText(kRich, "rich.toml", {});
    const ExperimentSpec again = specFromCanonicalJson(spec.canonicalJson(), "experiment 1");
    EXPECT_EQ(again.canonicalJson(), spec.canonicalJson());
    EXPECT_EQ(idsOf(again), idsOf(spec));
}

TEST(SpecWriterTest, readsSpecsThatWereStoredBeforeBudgets)
{
    const auto spec = specFromCanonicalJson(
        R"({"exclude":[],"name":"old","parts":[{"model.name":"ffn-stack-tiny"}]})", "experiment 1");
    EXPECT_EQ(idsOf(spec).size(), 1u);
}

TEST(SpecWriterTest, refusesWhatIsNoStoredSpec)
{
    for (const char* json : {"", "{}", R"({"name":"x","parts":[],"exclude":[]})", R"({"name":1,"parts":[{}]})"})
        EXPECT_THROW(specFromCanonicalJson(json, "experiment 1"), FileError) << json;
}

TEST(SpecWriterTest, trialsWrittenOneByOneKeepTheirIds)
{
    std::vector<PlannedTrial> some;
    for (const PlannedTrial& planned : expand(loadSpecText(kRich, "rich.toml", {})))
        if (planned.isRunnable() && some.size() < 7)
            some.push_back(planned);
    const std::vector<PlannedTrial> again = expand(loadSpecText(writeSpec(specOfTrials("some", some)), "x.toml", {}));
    ASSERT_EQ(again.size(), some.size());
    for (std::size_t i = 0; i < some.size(); ++i)
        EXPECT_EQ(again[i].trialId, some[i].trialId);
}

} // namespace
} // namespace headroom::experiments

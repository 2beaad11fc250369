// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/TrialCodec.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "tests/core/protocol/RandomTrial.h"
#include "tests/support/Configurations.h"
#include "tests/support/Refusal.h"

#include <set>

namespace headroom::protocol {
namespace {

using namespace config;

Trial published()
{
    Trial trial;
    trial.configuration = defaultConfiguration("ffn-stack", "w");
    trial.configuration.modelFields["activation_fn"] = "gelu";
    choose(trial.configuration, "split_ffn", "4", {{"accumulate", "out_of_place"}});
    trial.device = parseDevice("sim:a100-80gb@torch-2.5", "w");
    return trial;
}

// The same object with its keys put in the other order, as another program may write them.
nlohmann::ordered_json reversed(const Json& json)
{
    if (!json.is_object())
        return nlohmann::ordered_json::parse(json.dump());
    nlohmann::ordered_json result = nlohmann::ordered_json::object();
    for (auto it = json.rbegin(); it != json.rend(); ++it)
        result[it.key()] = reversed(it.value());
    return result;
}

TEST(TrialCodecTest, randomTrialsReadBackAsThemselves)
{
    RandomTrial random(1);
    for (int i = 0; i < 500; ++i) {
        const Trial trial = random.next();
        EXPECT_EQ(trialFromJson(Json::parse(toJson(trial).dump())), trial) << toJson(trial);
    }
}

TEST(TrialCodecTest, idsDoNotDependOnTheOrderOfKeys)
{
    RandomTrial random(2);
    for (int i = 0; i < 200; ++i) {
        const Trial trial = random.next();
        const std::string other = reversed(toJson(trial)).dump();
        EXPECT_NE(other, toJson(trial).dump());
        EXPECT_EQ(trialId(trialFromJson(Json::parse(other))), trialId(trial));
        EXPECT_EQ(configId(configurationFromJson(Json::parse(other))), configId(trial.configuration));
        EXPECT_EQ(idsOf(trial).trial, trialId(trial));
        EXPECT_EQ(idsOf(trial).configuration, configId(trial.configuration));
    }
}

TEST(TrialCodecTest, defaultsWrittenOutGiveTheSameIdAsDefaultsLeftOut)
{
    for (const std::string& name : modelNames()) {
        const Configuration complete = defaultConfiguration(name, "w");
        const Configuration bare = configurationFromJson(Json{{"model", {{"name", name}}}});
        EXPECT_EQ(bare, complete);
        EXPECT_EQ(configId(bare), configId(complete));
    }
}

TEST(TrialCodecTest, optionsOfATechniqueThatIsOffDoNotChangeTheId)
{
    Json json{{"model", {{"name", "ffn-stack-tiny"}}}};
    const std::string id = configId(configurationFromJson(json));
    json["techniques"]["split_ffn"] = {{"notation", "off"}, {"options", {{"accumulate", "out_of_place"}}}};
    EXPECT_EQ(configId(configurationFromJson(json)), id);
}

// A workspace of before a technique was there names the trials without it.
TEST(TrialCodecTest, aTechniqueThatIsOffHasNoPartInTheIds)
{
    Trial without = published();
    without.configuration.techniques.erase("checkpointing");
    EXPECT_EQ(configId(without.configuration), configId(published().configuration));
    EXPECT_EQ(trialId(without), trialId(published()));
}

TEST(TrialCodecTest, whereSegmentsLieIsPartOfTheIdOnlyWhereItIsGiven)
{
    EXPECT_EQ(toJson(published())["device"].count("segment_addresses"), 0U);
    Trial ascending = published();
    ascending.segmentAddresses = SegmentAddresses::Ascending;
    EXPECT_NE(trialId(ascending), trialId(published()));
    EXPECT_EQ(configId(ascending.configuration), configId(published().configuration));
}

TEST(TrialCodecTest, allocatorSettingsArePartOfTheIdOnlyWhereTheyAreGiven)
{
    EXPECT_EQ(toJson(published())["device"].count("allocator"), 0U);
    Trial expandable = published();
    expandable.allocator = "expandable_segments:True,max_split_size_mb:128";
    EXPECT_NE(trialId(expandable), trialId(published()));
    EXPECT_EQ(configId(expandable.configuration), configId(published().configuration));
    EXPECT_EQ(trialFromJson(toJson(expandable)), expandable);
}

// A spec names the trials that it named before there was a choice.
TEST(TrialCodecTest, anOutputThatNobodyAsksToBeHeldHasNoPartInTheIds)
{
    for (const char* step : {"inference", "forward_backward", "train"}) {
        Json json{{"model", {{"name", "ffn-stack-tiny"}}}, {"workload", {{"step", step}}}};
        const std::string id = configId(configurationFromJson(json));
        json["workload"]["output"] = "released";
        EXPECT_EQ(configId(configurationFromJson(json)), id) << step;
        json["workload"]["output"] = "held";
        EXPECT_NE(configId(configurationFromJson(json)), id) << step;
    }
}

TEST(TrialCodecTest, aLossOfTheWholeHasNoPartInTheIds)
{
    Json json{{"model", {{"name", "llama-tiny"}}}, {"workload", {{"step", "train"}, {"loss", "cross_entropy"}}}};
    const std::string id = "9ad4eab3d6f0b77f"; // of before there was a choice
    EXPECT_EQ(configId(configurationFromJson(json)), id);
    json["workload"]["chunks"] = 1;
    EXPECT_EQ(configId(configurationFromJson(json)), id);
    json["workload"]["chunks"] = 2;
    EXPECT_NE(configId(configurationFromJson(json)), id);
}

TEST(TrialCodecTest, fieldsThatCameLaterHaveNoPartInTheIdsUnlessTheyAreGiven)
{
    const Json plain{{"model", {{"name", "llama-tiny"}}}, {"workload", {{"step", "train"}, {"loss", "cross_entropy"}}}};
    const std::string id = "9ad4eab3d6f0b77f"; // of before they were there
    const auto with = [&](const char* place, const Json& value) {
        Json json = plain;
        json[Json::json_pointer(place)] = value;
        return configId(configurationFromJson(json));
    };
    EXPECT_EQ(with("/workload/fused", false), id);
    EXPECT_EQ(with("/workload/output_dtype", "same"), id);
    EXPECT_EQ(with("/model/fields/fused_qkv", false), id);
    EXPECT_NE(with("/workload/fused", true), id);
    EXPECT_NE(with("/workload/output_dtype", "float32"), id);
    EXPECT_NE(with("/model/fields/fused_qkv", true), id);
}

// The id that a training step had before there was a choice.
TEST(TrialCodecTest, theIdOfATrainingStepIsWhatItWas)
{
    const Json json{{"model", {{"name", "ffn-stack"}}}, {"workload", {{"step", "train"}}}};
    EXPECT_EQ(configId(configurationFromJson(json)), "81cb5a6942b5ae7e");
}

// Of before adapters could have a number format of their own.
TEST(TrialCodecTest, adaptersOfTheWorkloadsTypeKeepTheirIds)
{
    const auto withAdapters = [](const ValueMap& options) {
        Trial trial = published();
        choose(trial.configuration, "trainable", "lora:4", options);
        return trial;
    };
    Trial before = withAdapters({});
    before.configuration.techniques["trainable"].options.erase("dtype");
    EXPECT_EQ(trialId(withAdapters({{"dtype", "same"}})), trialId(before));
    EXPECT_NE(trialId(withAdapters({{"dtype", "float32"}})), trialId(withAdapters({})));
    EXPECT_NE(configId(withAdapters({{"dtype", "float32"}}).configuration), configId(withAdapters({}).configuration));
}

TEST(TrialCodecTest, anIntegerGivenForARealGivesTheSameId)
{
    Json json{{"model", {{"name", "ffn-stack-tiny"}}}, {"workload", {{"clip_grad_norm", 1}}}};
    const std::string id = configId(configurationFromJson(json));
    json["workload"]["clip_grad_norm"] = 1.0;
    EXPECT_EQ(configId(configurationFromJson(json)), id);
}

TEST(TrialCodecTest, everyFieldOfTheConfigurationChangesBothIds)
{
    std::set<std::string> configIds{configId(published().configuration)};
    std::set<std::string> trialIds{trialId(published())};
    const auto expectNew = [&](const Trial& trial, const std::string& what) {
        EXPECT_TRUE(configIds.insert(configId(trial.configuration)).second) << what;
        EXPECT_TRUE(trialIds.insert(trialId(trial)).second) << what;
    };
    const ValueMap fields{{"num_layers", 4}, {"dim", 2048}, {"dim_out", 64}, {"mult", 2}, {"activation_fn", "swiglu"},
        {"bias", false}, {"dropout", 0.5}, {"weights", "w.safetensors"}};
    ASSERT_EQ(fields.size(), findModel("ffn-stack", "w").fields.all().size());
    for (const auto& [name, value] : fields) {
        Trial trial = published();
        trial.configuration.modelFields[name] = value;
        expectNew(trial, name);
    }
    const ValueMap workload{{"step", "train"}, {"dtype", "float16"}, {"loss", "mse"}, {"gradients", "zero"},
        {"output", "held"}, {"output_dtype", "float32"}, {"accumulate", 2}, {"clip_grad_norm", 1.0},
        {"autocast", "bfloat16"}, {"seed", 1}, {"batch", 3}, {"sequence_length", 5}};
    ASSERT_EQ(workload.size(), toValues(published().configuration.workload).size());
    for (const auto& [name, value] : workload) {
        Trial trial = published();
        trial.configuration.workload = makeWorkload({{name, value}}, findModel("ffn-stack", "w").shapes, "w");
        expectNew(trial, name);
    }
    for (const char* notation : {"4", "8", "tokens:4", "off"}) {
        Trial trial = published();
        choose(trial.configuration, "split_ffn", notation);
        expectNew(trial, notation);
    }
    for (const char* notation : {"all", "every:1", "every:2", "blocks:0"}) {
        Trial trial = published();
        choose(trial.configuration, "checkpointing", notation);
        expectNew(trial, notation);
    }
    Trial other = published();
    other.configuration.model = "ffn-stack-tiny";
    expectNew(other, "model");
}

TEST(TrialCodecTest, deviceLimitAndProtocolChangeOnlyTheTrialsId)
{
    std::set<std::string> ids{trialId(published())};
    std::vector<Trial> others(13, published());
    others[0].device = parseDevice("cpu", "w");
    others[1].device = parseDevice("sim:a100-80gb", "w");
    others[2].device = parseDevice("sim:t4@torch-2.5", "w");
    others[3].memoryLimitBytes = kGiB;
    others[4].memoryLimitBytes = 0;
    others[5].protocol.steps = 6;
    others[6].protocol.warmupSteps = 3;
    others[7].protocol.keepBaselineOutput = true;
    others[8].protocol.keepBaselineModel = true;
    others[9].protocol.maxWarmupSteps = 50;
    others[10].protocol.maxWarmupSeconds = 1;
    others[11].protocol.steadyWithin = 0.1;
    others[12].protocol.plainWarmup = true;
    for (const Trial& other : others) {
        EXPECT_TRUE(ids.insert(trialId(other)).second) << toJson(other);
        EXPECT_EQ(configId(other.configuration), configId(published().configuration));
    }
}

TEST(TrialCodecTest, moreRepeatsAreTheSameTrial)
{
    Trial more = published();
    more.protocol.repeats = 9;
    EXPECT_EQ(trialId(more), trialId(published()));
}

TEST(TrialCodecTest, randomTrialsHaveIdsOfTheirOwn)
{
    RandomTrial random(4);
    std::set<std::string> texts;
    std::set<std::string> ids;
    for (int i = 0; i < 2000; ++i) {
        Trial trial = random.next();
        trial.protocol.repeats = 1;
        texts.insert(toJson(trial).dump());
        ids.insert(trialId(trial));
    }
    EXPECT_EQ(ids.size(), texts.size());
}

// Stored workspaces are found again by these: when this fails, the hashing changed and they would not be.
TEST(TrialCodecTest, theIdsOfThePublishedTrialAreWhatTheyWere)
{
    EXPECT_EQ(configId(published().configuration), "ad644d45c9e06f6b");
    EXPECT_EQ(trialId(published()), "9185788deed79600");
}

TEST(TrialCodecTest, refusesWhatTheCataloguesDoNotKnow)
{
    const auto decode = [](const char* text) { return [text] { configurationFromJson(Json::parse(text)); }; };
    EXPECT_EQ(refusal(decode(R"({"model":{"name":"bert"}})")),
        "model.name: unknown model \"bert\": one of your own is given as FILE.pt2 (headroom models --capture-script "
        "names what writes it) (valid: "
            + joined(modelNames()) + ")");
    EXPECT_EQ(refusal(decode(R"({"model":{"name":"ffn-stack","fields":{"dim":"x"}}})")),
        "model.dim: found \"x\" (valid: an integer of at least 1 and at most 262144)");
    EXPECT_EQ(refusal(decode(R"({"model":{"name":"ffn-stack"},"techniques":{"split_ffn":{"notation":"x"}}})")),
        refusal([] { settingOf("split_ffn", "x"); }));
    EXPECT_EQ(refusal(decode(R"({"model":{"name":"ffn-stack"},"techniques":{"magic":{"notation":"on"}}})")),
        "techniques: unknown technique \"magic\" (valid: " + joined(techniqueKeys()) + ")");
}

} // namespace
} // namespace headroom::protocol

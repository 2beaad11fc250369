// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/OffloadDescriptor.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "tests/support/Refusal.h"

#include <random>

namespace headroom::config::offload_test {
namespace {

using Groups = OffloadNotation::Groups;
using Reasons = std::vector<std::string>;

OffloadNotation randomOffload(std::mt19937_64& random)
{
    OffloadNotation offload;
    offload.groups = static_cast<Groups>(random() % 4);
    if (offload.groups == Groups::None)
        return offload;
    if (offload.groups == Groups::Blocks)
        offload.blocks = static_cast<std::int64_t>(random() >> (1 + random() % 63)) + 1;
    offload.stream = random() % 2 == 0;
    return offload;
}

struct Tried {
    std::string notation;
    std::string casting = "off";
    ValueMap castingOptions = {};
};

Reasons problemsOf(const Tried& tried, const std::string& modelName = "ltx-video-tiny")
{
    const ModelDescriptor model = findModel(modelName, "w");
    const ValueMap fields = model.fields.complete({}, "model");
    const Workload workload = makeWorkload({}, model.shapes, "workload");
    auto techniques = defaultConfiguration(modelName, "w").techniques;
    techniques["casting"] = {tried.casting, tried.castingOptions};
    const TechniqueDescriptor offload = offloadDescriptor();
    return offload.problems(
        makeSetting(offload, tried.notation, {}, "offload"), {*model.family, fields, workload, techniques});
}

TEST(OffloadTest, readsEveryForm)
{
    EXPECT_EQ(parseOffload("off", "w"), (OffloadNotation{}));
    EXPECT_EQ(parseOffload("block:3", "w"), (OffloadNotation{Groups::Blocks, 3, false}));
    EXPECT_EQ(parseOffload("block:1+stream", "w"), (OffloadNotation{Groups::Blocks, 1, true}));
    EXPECT_EQ(parseOffload("leaf", "w"), (OffloadNotation{Groups::Leaf, 1, false}));
    EXPECT_EQ(parseOffload("leaf+stream", "w"), (OffloadNotation{Groups::Leaf, 1, true}));
    EXPECT_EQ(parseOffload("model", "w"), (OffloadNotation{Groups::Model, 1, false}));
    EXPECT_EQ(parseOffload("model+stream", "w"), (OffloadNotation{Groups::Model, 1, true}));
}

TEST(OffloadTest, whatItWritesReadsBackAsTheSame)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i) {
        const OffloadNotation offload = randomOffload(random);
        EXPECT_EQ(parseOffload(toText(offload), "w"), offload) << toText(offload);
    }
    EXPECT_EQ(offloadDescriptor().normalise("block:04+stream", "w"), "block:4+stream");
}

TEST(OffloadTest, refusesWhatIsNoNotation)
{
    for (const char* text :
        {"", "on", "block", "block:", "block:0", "block:-1", "block:1.5", "block:x", "block:2:3", "leaf:1", "model:1",
            "leaf+", "leaf+streams", "+stream", "off+stream", "stream", "leaf+stream+stream", "OFF"})
        EXPECT_EQ(refusal([&] { parseOffload(text, "spec.toml:7: techniques.offload"); }),
            std::string("spec.toml:7: techniques.offload: found \"") + text
                + "\" (valid: off, block:N with N at least 1, leaf, model; the last three also with +stream)");
}

TEST(OffloadTest, weightsRestPinnedWithAStreamUnlessTheOptionSaysOtherwise)
{
    const TechniqueDescriptor offload = offloadDescriptor();
    const auto isPinned = [&](const char* notation, const ValueMap& options) {
        const TechniqueSetting setting = makeSetting(offload, notation, options, "offload");
        return restsPinned(parseOffload(setting.notation, ""), setting.options);
    };
    EXPECT_FALSE(isPinned("leaf", {}));
    EXPECT_TRUE(isPinned("leaf+stream", {}));
    EXPECT_TRUE(isPinned("leaf", {{"host_memory", "pinned"}}));
    EXPECT_FALSE(isPinned("leaf+stream", {{"host_memory", "pageable"}}));
    EXPECT_EQ(refusal([&] { makeSetting(offload, "leaf", {{"host_memory", "disk"}}, "techniques.offload"); }),
        "techniques.offload.host_memory: found \"disk\" (valid: auto, pinned, pageable)");
}

TEST(OffloadTest, blocksMustBeThereAndBeEnough)
{
    EXPECT_TRUE(problemsOf({"off"}).empty());
    EXPECT_TRUE(problemsOf({"block:2"}).empty());
    EXPECT_TRUE(problemsOf({"leaf+stream"}).empty());
    EXPECT_EQ(
        problemsOf({"block:99+stream"}), Reasons{"offload = block:99+stream: N is more than the model's 2 blocks"});
    ModelFamily family = modelFamilies().front();
    family.blocks = [](const ValueMap&) { return std::int64_t{0}; };
    const ValueMap fields;
    const Workload workload;
    const std::map<std::string, TechniqueSetting> none;
    EXPECT_EQ(offloadDescriptor().problems({"block:1", {}}, {family, fields, workload, none}),
        Reasons{"offload = block:1: " + family.name + " has no blocks; leaf and model work without"});
    EXPECT_TRUE(offloadDescriptor().problems({"leaf", {}}, {family, fields, workload, none}).empty());
}

TEST(OffloadTest, whatCastingUpcastsTogetherHasToBeThereTogether)
{
    const std::map<std::string, std::vector<std::string>> valid{{"e4m3", {"leaf", "block:1", "model"}},
        {"e4m3:group", {"block:1", "model"}}, {"bf16:block", {"block:2", "model"}}, {"e4m3:model", {"model+stream"}}};
    const std::map<std::string, std::vector<std::string>> refused{
        {"e4m3:group", {"leaf"}}, {"bf16:block", {"leaf+stream"}}, {"e4m3:model", {"leaf", "block:2"}}};
    for (const auto& [casting, notations] : valid)
        for (const std::string& notation : notations)
            EXPECT_EQ(problemsOf({notation, casting}), Reasons{}) << notation << " with " << casting;
    for (const auto& [casting, notations] : refused)
        for (const std::string& notation : notations)
            EXPECT_EQ(problemsOf({notation, casting}),
                Reasons{"offload = " + notation + " with casting = " + casting
                    + ": casting upcasts weights together that are not on the device together; valid are groups no "
                      "smaller than casting's units, such as casting by layer"});
}

TEST(OffloadTest, castingCannotLookAheadOfTheWeights)
{
    EXPECT_EQ(problemsOf({"block:1", "e4m3", {{"prefetch", true}}}),
        Reasons{"offload = block:1 with casting = e4m3: casting upcasts the next weights ahead, which are not on the "
                "device yet; valid are casting.prefetch = false and offload = model"});
    EXPECT_TRUE(problemsOf({"block:1", "e4m3", {{"prefetch", false}}}).empty());
    EXPECT_TRUE(problemsOf({"model", "e4m3", {{"prefetch", true}}}).empty());
}

TEST(OffloadTest, candidatesWorkByThemselves)
{
    for (const char* name : {"ltx-video-2b", "ltx-video-tiny", "ffn-stack-tiny"}) {
        const ModelDescriptor model = findModel(name, "w");
        const ValueMap fields = model.fields.complete({}, "model");
        const Workload workload = makeWorkload({}, model.shapes, "workload");
        const auto techniques = defaultConfiguration(name, "w").techniques;
        const ModelContext context{*model.family, fields, workload, techniques};
        const auto candidates = offloadDescriptor().candidateNotations(context);
        EXPECT_FALSE(candidates.empty());
        for (const std::string& notation : candidates) {
            EXPECT_EQ(offloadDescriptor().normalise(notation, "w"), notation);
            EXPECT_TRUE(problemsOf({notation}, name).empty()) << notation;
        }
    }
}

TEST(OffloadTest, countsWhatTheContractNames)
{
    std::vector<std::string> names;
    for (const CounterDescriptor& counter : offloadDescriptor().counters)
        names.push_back(counter.name);
    EXPECT_EQ(names, (std::vector<std::string>{"groups", "bytes_to_host", "bytes_to_device"}));
}

} // namespace
} // namespace headroom::config::offload_test

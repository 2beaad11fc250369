// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/TrialRecordJson.h"

#include "core/base/Error.h"

#include <gmock/gmock.h>

#include <random>

namespace headroom::experiments::trial_record_json_test {
namespace {

using testing::HasSubstr;

/// Results in which every field is drawn, known or not.
class RandomResult {
public:
    explicit RandomResult(unsigned seed)
        : m_random(seed)
    {
    }

    TrialResult draw()
    {
        TrialResult result;
        result.trialId = text();
        result.configId = text();
        result.experiment = text();
        result.label = text();
        result.device = "sim:t4";
        result.allocator = chance() ? "expandable_segments:True" : "";
        result.runtime = chance() ? "torch-2.11" : "";
        result.isPredicted = chance();
        result.model = {text(), values(), number(), bytes(), real()};
        result.workload = values();
        for (int i = 0; i < 3; ++i)
            result.techniques.edit().push_back(
                {"technique_" + std::to_string(i), text(), values(), chance() ? std::optional(text()) : std::nullopt});
        result.conflicts = {text()};
        result.outcome = kOutcomes.at(m_random() % kOutcomes.size());
        for (const char* flag : {"pressured", "not_steady", "not_steady"})
            if (chance())
                result.addFlag(flag, text() + ": " + text());
        result.reason = chance() ? text() : "";
        if (chance())
            result.outOfMemory = protocol::OutOfMemoryFacts{text(), bytes(), bytes(), bytes(), bytes(), bytes()};
        result.memory = memory();
        if (chance())
            result.breakdown = protocol::MemoryBreakdown{.totalBytes = number(),
                .phase = chance() ? "backward" : "",
                .categories = {{"weights", number()}},
                .modules = {{"blocks.0", 3, {{"weights", 3}}}},
                .techniques = {{"", number()}},
                .leaks = {{"other", 4}},
                .sources = {{"model.py:12", number(), {{"weights", 1}}}},
                .requestedBytes = bytes()};
        result.speed = speed();
        if (chance())
            result.numerics = TrialNumerics{{known(), known(), known(), known(), known(), known(), known()}, text()};
        if (chance())
            result.engagement.edit()["technique_1"] = {{"blocks", number()}, {"slices", 0}};
        if (chance())
            result.errorBound = ErrorBound{known(), known(), known(), text()};
        return result;
    }

private:
    bool chance() { return m_random() % 2 == 0; }
    std::int64_t number() { return static_cast<std::int64_t>(m_random()) << (m_random() % 20); }
    double real() { return std::uniform_real_distribution(1e-9, 1e9)(m_random); }
    std::optional<Bytes> bytes() { return chance() ? std::optional<Bytes>(number()) : std::nullopt; }
    std::optional<double> known() { return chance() ? std::optional(real()) : std::nullopt; }
    std::string text() { return "text " + std::to_string(m_random() % 1000) + " \"\u00e9\""; }
    NamedValues values()
    {
        return {{"z", number()}, {"a", real()}, {"m", chance()}, {"k", text()}, {"n", config::Value()},
            {"l", config::Value(config::Value::List{1, 2})}};
    }
    protocol::MemoryFigures figures()
    {
        return {bytes(), bytes(), bytes(), bytes(), bytes(), bytes(), bytes(), bytes()};
    }
    TrialMemory memory()
    {
        TrialMemory memory;
        for (auto moment : {&TrialMemory::afterLoad, &TrialMemory::firstStepPeak, &TrialMemory::peak,
                 &TrialMemory::wholeRunPeak, &TrialMemory::resting, &TrialMemory::restingCleared})
            memory.*moment = figures();
        memory.phasePeaks = {{"forward", figures()}, {"backward", figures()}};
        memory.harness = {{text(), number()}, {text(), number()}};
        memory.savedForBackward = bytes();
        memory.allocRetries = bytes();
        memory.limit = bytes();
        if (chance())
            memory.segmentAddresses = config::SegmentAddresses::Linux;
        if (chance())
            memory.fits = chance();
        memory.need = {bytes(), bytes()};
        return memory;
    }
    TrialSpeed speed()
    {
        TrialSpeed speed{known(), known(), known(), known(), known()};
        if (chance())
            speed.stepSeconds95 = Interval{real(), real()};
        if (chance())
            speed.samplesSeconds = {{real(), real()}, {real()}};
        speed.firstStepSeconds = known();
        if (chance())
            speed.warmupSeconds = {{real()}};
        if (chance())
            speed.isSteady = chance();
        return speed;
    }

    std::mt19937 m_random;
};

TEST(TrialRecordJsonTest, whatIsWrittenIsReadAgain)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        const TrialResult result = RandomResult(seed).draw();
        const std::string text = toJson(result).dump();
        const TrialResult again = trialResultFromJson(OrderedJson::parse(text));
        ASSERT_EQ(toJson(again).dump(), text) << "seed " << seed;
        ASSERT_TRUE(again == result) << "seed " << seed << ": " << text;
    }
}

TEST(TrialRecordJsonTest, flagsAreListedOnceAndReasonsAll)
{
    TrialResult result;
    result.addFlag("not_steady", "repeat 0: drifts");
    result.addFlag("not_steady", "repeat 1: drifts");
    result.addFlag("not_steady", "repeat 0: drifts");
    result.addFlag("pressured", "near the limit");
    const OrderedJson record = toJson(result);
    EXPECT_EQ(record.at("flags").dump(), R"(["not_steady","pressured"])");
    EXPECT_EQ(record.at("flag_reasons").dump(),
        R"(["not_steady: repeat 0: drifts","not_steady: repeat 1: drifts","pressured: near the limit"])");
}

std::string refusalOf(const char* key, const OrderedJson& value)
{
    OrderedJson record = toJson(TrialResult{});
    record[key] = value;
    try {
        trialResultFromJson(record);
    } catch (const TrialError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(TrialRecordJsonTest, whatIsNoRecordIsRefusedWithTheKeyAndWhatIsValid)
{
    EXPECT_EQ(refusalOf("schema", "headroom.trial/2"), "schema: found \"headroom.trial/2\" (valid: headroom.trial/1)");
    EXPECT_THAT(refusalOf("outcome", "oom"), HasSubstr("outcome: found \"oom\" (valid: completed, out_of_memory,"));
    EXPECT_THAT(refusalOf("flag_reasons", {"not_steady"}), HasSubstr("flag_reasons: found \"not_steady\""));
    EXPECT_THROW(trialResultFromJson(OrderedJson::parse(R"({"schema":"headroom.trial/1"})")), OrderedJson::exception);
}

} // namespace
} // namespace headroom::experiments::trial_record_json_test

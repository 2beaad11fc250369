// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/EventLog.h"
#include "experiments/results/TrialRecordJson.h"
#include "experiments/spec/SpecLoader.h"

#include <gmock/gmock.h>

#include <sstream>

namespace headroom::experiments {
namespace {

std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> found;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        found.push_back(line);
    return found;
}

TEST(EventLogTest, writesOneObjectPerEvent)
{
    auto trials = expand(loadSpecText("model.name = \"ffn-stack-tiny\"", "s", {}));
    trials[0].trialId = "t";
    std::ostringstream stream;
    EventLog log(stream, [] { return std::chrono::system_clock::time_point(std::chrono::milliseconds(1500)); });
    log.runStarted("e", trials);
    log.repeatStarted(trials[0], 2);
    log.phaseStarted(trials[0], "forward", 3);
    log.stepFinished(trials[0], 4, 5);
    log.sampleTaken(trials[0], 4, 0.25);
    protocol::RepeatResult result;
    result.reason = "bad byte \xff";
    log.repeatFinished(trials[0], 2, result);
    TrialResult finished;
    finished.outcome = Outcome::Failed;
    log.trialFinished(trials[0], finished);
    log.remark("r");
    EXPECT_THAT(lines(stream.str()),
        testing::ElementsAre(R"({"time":1.5,"event":"run_started","experiment":"e","trials":1})",
            R"({"time":1.5,"event":"repeat_started","trial_id":"t","label":"baseline","repeat":2})",
            R"({"time":1.5,"event":"phase","trial_id":"t","phase":"forward","step":3})",
            R"({"time":1.5,"event":"progress","trial_id":"t","step":4,"total":5})",
            R"({"time":1.5,"event":"sample","trial_id":"t","step":4,"step_seconds":0.25})",
            "{\"time\":1.5,\"event\":\"repeat_finished\",\"trial_id\":\"t\",\"repeat\":2,\"outcome\":\"failed\","
            "\"reason\":\"bad byte \xEF\xBF\xBD\"}",
            R"({"time":1.5,"event":"trial_finished","trial_id":"t","outcome":"failed","record":)"
                + toJson(finished).dump() + "}",
            R"({"time":1.5,"event":"remark","text":"r"})"));
}

TEST(EventLogTest, endsWithTheSummary)
{
    std::ostringstream stream;
    EventLog log(stream);
    RunSummary summary;
    summary.interrupted = true;
    log.runFinished(summary);
    const OrderedJson json = OrderedJson::parse(stream.str());
    EXPECT_EQ(json["event"], "run_finished");
    EXPECT_EQ(json["summary"]["exit_code"], 130);
}

} // namespace
} // namespace headroom::experiments

// SPDX-License-Identifier: Apache-2.0
#include "ui/session/ResultSet.h"

#include "core/config/DeviceSpec.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/models/RecordingFamily.h"
#include "tests/ui/UiTest.h"

namespace headroom::ui {
namespace {

struct Device {
    const char* id;
    Outcome outcome;
    Bytes held;
};

report::ReportTrial trialOf(const char* model, const Device& device)
{
    report::ReportTrial trial;
    trial.result.trialId = device.id;
    trial.result.outcome = device.outcome;
    trial.result.memory.peak.allocated = device.held;
    trial.planned.configuration = config::defaultConfiguration(model, "model.name");
    return trial;
}

std::string firstToLookAt(const char* model, const std::vector<Device>& devices)
{
    report::ReportContent content;
    for (const Device& device : devices)
        content.trials.push_back(trialOf(model, device));
    const ResultSet results("w.db", std::move(content));
    const report::ReportTrial* first = results.firstToLookAt();
    return first == nullptr ? std::string() : first->id();
}

} // namespace

class ResultSetTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void ofASweepTheFirstCompletedTrialIsLookedAtFirst()
    {
        QCOMPARE(
            firstToLookAt("ltx-video-tiny",
                {{"died", Outcome::OutOfMemory, 9}, {"first", Outcome::Completed, 1}, {"more", Outcome::Completed, 5}}),
            std::string("first"));
        QCOMPARE(firstToLookAt("ltx-video-tiny", {}), std::string());
    }

    void ofARecordingTheDeviceThatRanOutOfMemoryIs()
    {
        QCOMPARE(firstToLookAt(config::kRecordingModel,
                     {{"lived", Outcome::Completed, 9}, {"died", Outcome::OutOfMemory, 5},
                         {"other", Outcome::Completed, 7}}),
            std::string("died"));
    }

    void ofARecordingThatLivedTheDeviceThatHeldTheMostIs()
    {
        QCOMPARE(firstToLookAt(
                     config::kRecordingModel, {{"little", Outcome::Completed, 1}, {"most", Outcome::Completed, 9}}),
            std::string("most"));
    }

    void filesAreCalledByNameModelDeviceAndDay()
    {
        const auto wordsOf = [](const char* name, const char* day) {
            report::ReportContent content;
            content.experiment = name;
            content.startedAt = day;
            content.trials.push_back(trialOf("ltx-video-tiny", {"a", Outcome::Completed, 1}));
            content.trials.back().planned.device = config::parseDevice("sim:rtx4090", "device.name");
            return ResultSet("w.db", std::move(content)).fileWords();
        };
        QCOMPARE(wordsOf("unnamed", "2026-03-01 12:30 UTC"), QStringLiteral("ltx-video-tiny sim:rtx4090 2026-03-01"));
        QCOMPARE(
            wordsOf("levers", "2026-03-01 12:30 UTC"), QStringLiteral("levers ltx-video-tiny sim:rtx4090 2026-03-01"));
        QCOMPARE(wordsOf("ltx-video-tiny", ""), QStringLiteral("ltx-video-tiny sim:rtx4090"));
    }
};

HEADROOM_UI_TEST(ResultSetTest)

} // namespace headroom::ui

#include "ResultSetTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/window/RescueDesk.h"

#include "tests/ui/UiTest.h"

namespace headroom::ui {
namespace {

// Of one trial; each repeat took so many seconds a step.
std::shared_ptr<const experiments::UnsavedRun> runOf(const std::string& name, const std::vector<double>& seconds)
{
    experiments::UnsavedRun run;
    run.spec.name = name;
    run.trials.resize(1);
    run.trials[0].trialId = "0123456789abcdef";
    for (const double each : seconds) {
        experiments::UnsavedRepeat repeat;
        repeat.repeat = static_cast<int>(run.repeats.size());
        repeat.result.outcome = Outcome::Completed;
        repeat.result.stepSeconds = {each};
        run.repeats.push_back(repeat);
    }
    return std::make_shared<const experiments::UnsavedRun>(std::move(run));
}

} // namespace

class LostRunsTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void whatHasFinishedNothingIsNotKept()
    {
        LostRuns runs;
        runs.add(nullptr);
        runs.add(runOf("a", {}));
        QVERIFY(runs.isEmpty());
    }

    void aRunWithFewerRepeatsDoesNotTakeThePlaceOfOneWithMore()
    {
        LostRuns runs;
        const auto more = runOf("a", {1, 2, 3});
        runs.add(more);
        runs.add(runOf("a", {1, 2}));
        QCOMPARE(runs.all(), UnsavedRuns{more});
        QCOMPARE(runs.repeats(), std::int64_t(3));
    }

    void aRunThatWentOnTakesThePlaceOfWhatItHasAllOf()
    {
        LostRuns runs;
        runs.add(runOf("a", {1, 2}));
        const auto more = runOf("a", {1, 2, 3});
        runs.add(more);
        QCOMPARE(runs.all(), UnsavedRuns{more});
    }

    void whatWasMeasuredAnewOrIsOfAnotherExperimentIsKeptBeside()
    {
        LostRuns runs;
        const UnsavedRuns all{runOf("a", {1, 2, 3}), runOf("a", {1, 4}), runOf("b", {1, 2})};
        for (const auto& run : all)
            runs.add(run);
        QCOMPARE(runs.all(), all);
        QCOMPARE(runs.repeats(), std::int64_t(7));
    }

    void onlyWhatWasSavedGoes()
    {
        LostRuns runs;
        runs.add(runOf("a", {1}));
        const UnsavedRuns saving = runs.all();
        const auto late = runOf("b", {2});
        runs.add(late);
        runs.remove(saving);
        QCOMPARE(runs.all(), UnsavedRuns{late});
    }
};

HEADROOM_UI_TEST(LostRunsTest)

} // namespace headroom::ui

#include "LostRunsTest.moc"

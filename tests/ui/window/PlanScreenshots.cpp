// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/PlanScreenshots.h"

#include "ui/effects/EffectsView.h"
#include "ui/plan/ChoicePanel.h"
#include "ui/plan/CostDialog.h"
#include "ui/plan/HandoffDialog.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/ChoiceField.h"
#include "ui/plot/FigurePlot.h"
#include "ui/start/FirstRunPage.h"
#include "ui/start/QuestionForm.h"

#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

namespace headroom::ui {
namespace {

constexpr std::size_t kPicturedSimulations = 60;

// The preset's predicted half.
constexpr const char* kFourLevers =
    "name = \"four-levers\"\n[model]\nname = \"ltx-video-2b\"\n[workload]\nstep = \"train\"\n"
    "dtype = \"bfloat16\"\nbatch = 1\nloss = \"mse\"\n[techniques]\ntrainable = \"lora:16\"\n"
    "optimizer = \"adamw\"\ncheckpointing = [\"none\", \"all\"]\ncasting = [\"off\", \"e4m3\"]\n"
    "split_ffn = [\"off\", \"4:recompute\"]\nema = [\"off\", \"host:async\"]\n"
    "[device]\nname = \"sim:rtx4090\"\n";

void waitForReason(PlannerView& plan)
{
    waitFor(
        [&] {
            const QString text = plan.panel().sentence();
            return !text.isEmpty() && !text.contains(QStringLiteral("looking at"))
                && !text.contains(QStringLiteral("Looking"));
        },
        "the reason");
}

void chooseEffectsPicture(EffectsView& effects, int index)
{
    auto* field = effects.findChild<ChoiceField*>(QStringLiteral("effectsPicture"));
    field->setCurrentIndex(index);
    Q_EMIT field->activated(index);
}

} // namespace

void takePlan(const Look& look, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, folder.filePath(QStringLiteral("plan.db")), folder.path());
    MainWindow& window = *shown.program.window();
    PlannerView& plan = *shown.views().plan;
    shown.waitForAnswer();
    shown.views().bringForward(&plan);
    photographer.take(window, QStringLiteral("plan-empty"));
    plan.setOptions({.mostPredictions = kPicturedSimulations,
        .searchTime = std::chrono::minutes(1),
        .patience = PlanInquiry::kPatience});
    shown.views().firstRun->form().ask();
    waitFor([&] { return plan.isSearching() && plan.model().rowCount() > 1; }, "the first combinations");
    photographer.take(window, QStringLiteral("plan-searching"));
    waitFor([&] { return !plan.isSearching(); }, "the plan");
    waitForReason(plan);
    photographer.take(window, QStringLiteral("plan"));
    plan.findChild<QTableView*>(QStringLiteral("planTable"))->selectRow(plan.model().rowCount() - 1);
    waitForReason(plan);
    photographer.take(window, QStringLiteral("plan-why"));
    plan.findChild<QTableView*>(QStringLiteral("planTable"))->selectRow(0);
    waitForReason(plan);
    shown.views().enlargeFocused();
    Q_EMIT plan.panel().largestWanted(QStringLiteral("batch"));
    waitFor([&] { return plan.panel().sentence().startsWith(QStringLiteral("The largest batch that")); },
        "the largest batch");
    photographer.take(window, QStringLiteral("plan-largest"));
    HandoffDialog dialog(plan.plan()->answer->trial, &window);
    dialog.show();
    photographer.take(dialog, QStringLiteral("plan-settings"));
    dialog.hide();
    CostDialog costs(plan.plan()->answer->trial, &window);
    costs.show();
    waitFor([&] { return costs.isComplete(); }, "the costs");
    photographer.take(costs, QStringLiteral("plan-costs"));
    costs.hide();
    shown.views().enlargeFocused();
    shown.program.services().spec.newSpec();
    waitFor([&] { return plan.isOutdated(); }, "the next experiment");
    shown.waitForAnswer();
    photographer.take(window, QStringLiteral("plan-of-another"));
}

void takeEffects(const Look& look, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, folder.filePath(QStringLiteral("effects.db")), folder.path());
    MainWindow& window = *shown.program.window();
    Services& services = shown.program.services();
    EffectsView& effects = *shown.views().effects;
    shown.waitForAnswer();
    services.spec.loadText(kFourLevers, QStringLiteral("four-levers"));
    waitFor([&] { return !services.spec.isPlanning() && services.spec.title() == QStringLiteral("four-levers"); },
        "the plan");
    window.run();
    waitFor([&] { return !services.runs.isBusy() && services.workspaces.results() != nullptr; }, "the run");
    shown.views().bringForward(&effects);
    waitFor([&] { return effects.picture() != nullptr; }, "the effects");
    photographer.take(window, QStringLiteral("effects"));
    effects.tabs().setCurrentIndex(0);
    chooseEffectsPicture(effects, 1);
    photographer.take(window, QStringLiteral("effects-step"));
    chooseEffectsPicture(effects, 2);
    photographer.take(window, QStringLiteral("effects-pair"));
}

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/ReplaySpec.h"
#include "tests/ui/window/PlanScreenshots.h"
#include "tests/ui/window/RecordingScreenshots.h"
#include "tests/ui/window/ShownWindow.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/plot/TradeoffView.h"
#include "ui/printing/ExportDialog.h"
#include "ui/queue/LogView.h"
#include "ui/queue/QueueView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/CommandPalette.h"
#include "ui/window/PreferencesDialog.h"
#include "ui/window/ShortcutSheet.h"
#include "ui/window/SpecFiles.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

#include <cstdio>
#include <string_view>

namespace headroom::ui {
namespace {

void takeEmpty(const Look& look, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, folder.filePath(QStringLiteral("empty.db")), folder.path());
    shown.waitForAnswer();
    MainWindow& window = *shown.program.window();
    photographer.take(window, QStringLiteral("first-steps"));
    shown.views().show(WindowViews::CentralPage::Plots);
    for (QWidget* view : {static_cast<QWidget*>(shown.views().queue), static_cast<QWidget*>(shown.views().experiments)})
        shown.views().bringForward(view);
    photographer.take(window, QStringLiteral("empty"));
}

void takeDialogs(Shown& shown, const Photographer& photographer)
{
    MainWindow& window = *shown.program.window();
    const auto take = [&](QDialog& dialog, const char* name) {
        dialog.show();
        photographer.take(dialog, QLatin1String(name));
    };
    CommandPalette palette(window.commands(), &window);
    take(palette, "commands");
    ShortcutSheet sheet(window.commands(), &window);
    take(sheet, "shortcuts");
    PreferencesDialog preferences(window.preferences(), &window);
    take(preferences, "preferences");
    Services& services = shown.program.services();
    const QTemporaryDir folder;
    ExportDialog dialog(*services.workspaces.results(), folder.path(), services.exporter, &window);
    take(dialog, "export");
    QFile file(dialog.request().path);
    if (file.open(QIODevice::WriteOnly))
        photographer.takeQuestion([&] { dialog.accept(); }, QStringLiteral("export-question"));
    dialog.hide();
    services.spec.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
    photographer.takeQuestion([&] { window.specs().makeNew(); }, QStringLiteral("unsaved-question"));
}

// Those that nothing but their checkpointing tells apart first: they are what one compares.
QStringList trialIds(const Results& results)
{
    QStringList ids;
    QStringList others;
    for (const report::ReportTrial& trial : results->content().trials)
        (trial.isCompleted() && trial.techniques.find('|') == std::string::npos ? ids : others)
            .append(QString::fromStdString(trial.id()));
    return ids + others;
}

// The form shows what the results are of.
void loadShown(Services& services)
{
    services.spec.loadText(
        report::replaySpec(services.workspaces.results()->content().trials), QStringLiteral("sweep"));
    waitFor([&] { return !services.spec.isPlanning(); }, "the plan");
}

// Each plot in front, enlarged, and trials compared.
void takeStage(Shown& shown, const QStringList& ids, const Photographer& photographer)
{
    MainWindow& window = *shown.program.window();
    Selection& selection = shown.program.services().selection;
    TimelineView& timeline = *shown.views().timeline;
    shown.views().bringForward(&timeline);
    waitFor([&] { return timeline.stack().current() && timeline.stack().current()->summary; }, "the timeline");
    photographer.take(window, QStringLiteral("timeline"));
    const figures::TimeWindow& whole = timeline.stack().navigator().whole();
    timeline.stack().setCursor(whole.beginNs + whole.lengthNs() * 7 / 10);
    waitFor([&] { return timeline.stack().source().isIdle(); }, "the values at the cursor");
    photographer.take(window, QStringLiteral("timeline-cursor"));
    shown.views().enlargeFocused();
    photographer.take(window, QStringLiteral("timeline-enlarged"));
    shown.views().enlargeFocused();
    for (const int count : {2, 4}) {
        selection.select(ids.mid(0, count));
        shown.views().bringForward(shown.views().compare);
        waitFor([&] { return shown.views().compare->stack().source().isIdle(); }, "the compared timelines");
        photographer.take(window, QStringLiteral("compare-%1").arg(count));
    }
    selection.select({ids.first()});
    shown.views().bringForward(shown.views().tradeoff);
}

void takeResults(const Look& look, const QString& workspace, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, workspace, folder.path());
    MainWindow& window = *shown.program.window();
    Services& services = shown.program.services();
    waitFor([&] { return services.workspaces.results() != nullptr; }, "results");
    loadShown(services);
    shown.waitForAnswer();
    const QStringList ids = trialIds(services.workspaces.results());
    services.selection.select({ids.first()});
    photographer.take(window, QStringLiteral("results"));
    takeStage(shown, ids, photographer);
    services.selection.select({ids.at(1), ids.first()});
    shown.views().bringForward(shown.views().details);
    shown.views().bringForward(shown.views().experiments);
    photographer.take(window, QStringLiteral("details"));
    services.workspaces.showExperiment(1);
    waitFor([&] { return services.workspaces.results()->content().number == 1; }, "the other experiment");
    window.specs().openPreset(QStringLiteral("demo"));
    waitFor([&] { return !services.spec.isPlanning() && services.spec.title() == QStringLiteral("demo"); }, "the plan");
    shown.views().bringForward(shown.views().trials);
    shown.views().bringForward(shown.views().experiment);
    photographer.take(window, QStringLiteral("measured"));
    takeDialogs(shown, photographer);
}

// A sweep over several axes (the newest experiment): the front, the trials that are not on it, two experiments
// together, and what is of another experiment than the one on the left.
void takeSweep(const Look& look, const QString& workspace, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, workspace, folder.path());
    MainWindow& window = *shown.program.window();
    Services& services = shown.program.services();
    waitFor([&] { return services.workspaces.results() != nullptr; }, "results");
    const auto& trials = services.workspaces.results()->content().trials;
    loadShown(services);
    shown.waitForAnswer();
    services.selection.select({QString::fromStdString(trials.at(trials.size() / 2).id())});
    photographer.take(window, QStringLiteral("sweep"));
    shown.views().trials->onlyFrontAction()->trigger();
    FigurePlot& plot = shown.views().tradeoff->plot();
    plot.actions().zoomIn->trigger();
    photographer.take(window, QStringLiteral("sweep-front"));
    plot.actions().fit->trigger();
    shown.views().trials->onlyFrontAction()->trigger();
    QList<qint64> newest;
    for (const ExperimentEntry& entry : *services.workspaces.experiments())
        newest.prepend(entry.id);
    services.workspaces.showExperiments(newest.mid(newest.size() - 2));
    waitFor([&] { return services.workspaces.results()->isOfSeveral(); }, "both experiments");
    shown.views().bringForward(shown.views().experiments);
    photographer.take(window, QStringLiteral("several"));
    services.spec.newSpec();
    services.spec.set(QStringLiteral("model.name"), QStringLiteral("\"wan-2.1-1.3b\""));
    waitFor([&] { return !services.spec.isPlanning(); }, "the plan");
    shown.views().bringForward(shown.views().experiment);
    photographer.take(window, QStringLiteral("another"));
}

void takeRunning(const Look& look, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, folder.filePath(QStringLiteral("running.db")), folder.path());
    MainWindow& window = *shown.program.window();
    Services& services = shown.program.services();
    services.spec.loadText("[model]\nname = \"ltx-video-2b\"\n[workload]\nstep = \"train\"\ndtype = \"bfloat16\"\n"
                           "[techniques]\ncheckpointing = [\"none\", \"every:2\", \"all\"]\n"
                           "[device]\nname = [\"sim:t4\", \"sim:rtx3090\"]\n",
        QStringLiteral("a card for training"));
    waitFor([&] { return !services.spec.isPlanning(); }, "the plan");
    shown.waitForAnswer();
    window.run();
    waitFor([&] { return !services.runs.isBusy() && services.workspaces.results() != nullptr; }, "the run");
    shown.views().bringForward(shown.views().queue);
    photographer.take(window, QStringLiteral("out-of-memory"));
    services.spec.loadText("[model]\nname = \"ltx-video-2b\"\n[workload]\nstep = \"train\"\ndtype = \"bfloat16\"\n"
                           "batch = 4\n[device]\nname = \"sim:rtx4090\"\n",
        QStringLiteral("four at a time"));
    waitFor([&] { return shown.views().answer->canBeMadeToFit() && !services.spec.isPlanning(); }, "the answer");
    shown.views().answer->makeItFit();
    const auto* end = shown.views().answer->findChild<QPushButton*>(QStringLiteral("fitEnd"));
    waitFor([&] { return end->text() == QStringLiteral("Close"); }, "the search");
    photographer.take(window, QStringLiteral("make-it-fit"));
    services.spec.loadText(
        "[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n"
        "[techniques]\ncheckpointing = [\"none\", \"every:2\", \"all\"]\nsplit_ffn = [\"off\", \"2\"]\n"
        "[device]\nname = \"cpu\"\n[protocol]\nrepeats = 2\n",
        QStringLiteral("measured here"));
    waitFor([&] { return !services.spec.isPlanning() && services.spec.plan()->trials.size() == 6; }, "the plan");
    window.run();
    waitFor([&] { return services.runs.progress().done >= 3; }, "the first trials");
    photographer.take(window, QStringLiteral("running"));
    services.runs.stop();
    waitFor([&] { return !services.runs.isBusy(); }, "the stop");
    shown.views().bringForward(shown.views().log);
    photographer.take(window, QStringLiteral("log"));
}

void typeInto(Shown& shown, const char* line, const QString& text)
{
    auto* edit = shown.views().experiment->findChild<QLineEdit*>(QLatin1String(line));
    edit->setText(text);
    Q_EMIT edit->textEdited(text);
}

// What is wrong, where it is said; and results of another experiment than the one on the left.
void takeMistakes(const Look& look, const QString& workspace, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, workspace, folder.path());
    MainWindow& window = *shown.program.window();
    SpecSession& spec = shown.program.services().spec;
    waitFor([&] { return shown.program.services().workspaces.results() != nullptr; }, "results");
    shown.waitForAnswer();
    typeInto(shown, "model.name.line", QStringLiteral("mistralai/Mistral-7B"));
    typeInto(shown, "workload.batch.editor", QStringLiteral("max"));
    photographer.take(window, QStringLiteral("draft"));
    shown.views().experiment->showField("workload.batch");
    photographer.take(window, QStringLiteral("draft-batch"));
    spec.newSpec();
    spec.set(QStringLiteral("techniques.casting"), QStringLiteral("\"e4m3\""));
    waitFor([&] { return !spec.isPlanning(); }, "the plan");
    shown.views().experiment->showField("techniques.casting");
    photographer.take(window, QStringLiteral("conflict"));
    spec.undo();
    spec.set(QStringLiteral("workload.frames"), QStringLiteral("120"));
    waitFor([&] { return !spec.isPlanning(); }, "the plan");
    shown.views().experiment->showField("workload.frames");
    photographer.take(window, QStringLiteral("frames"));
    spec.loadText("modle = 1\n" + spec.text() + "[techniques]\nchekpointing = \"all\"\n", QStringLiteral("typo"));
    waitFor([&] { return !spec.isPlanning(); }, "the plan");
    photographer.take(window, QStringLiteral("unknown-key"));
    spec.newSpec();
    waitFor([&] { return !spec.isPlanning(); }, "the plan");
    shown.views().experiment->findChild<QToolButton*>(QStringLiteral("model.name.axis"))->click();
    photographer.take(*shown.views().experiment->findChild<QWidget*>(QStringLiteral("model.name.list")),
        QStringLiteral("sweep-list"));
}

// An exported model, and one that cannot be trained, with what is said of them at the model's field.
void takeModels(const Look& look, const QString& models, const Photographer& photographer)
{
    const QTemporaryDir folder;
    Shown shown(look, folder.filePath(QStringLiteral("models.db")), folder.path());
    MainWindow& window = *shown.program.window();
    SpecSession& spec = shown.program.services().spec;
    // Loaded rather than opened: whether a changed experiment may be left would be asked.
    const auto load = [&](const char* file) {
        spec.loadText("[model]\nname = \"" + (models + QLatin1String(file)).toStdString()
                + "\"\n[workload]\nstep = \"train\"\n[device]\nname = \"sim:rtx4090\"\n",
            QStringLiteral("my model"));
        waitFor([&] { return !spec.isPlanning(); }, "the plan");
    };
    load("/llama.pt2");
    shown.waitForAnswer();
    photographer.take(window, QStringLiteral("model-file"));
    load("/evaluation.pt2");
    photographer.take(window, QStringLiteral("model-refused"));
    spec.loadText("[model]\nname = \"" + (models + QStringLiteral("/llama.pt2")).toStdString()
            + "\"\n[workload]\nstep = \"train\"\n[techniques]\ncheckpointing = [\"none\", \"all\"]\n"
              "[device]\nname = \"sim:rtx4090\"\n",
        QStringLiteral("my model"));
    waitFor([&] { return !spec.isPlanning(); }, "the plan");
    window.run();
    waitFor(
        [&] {
            return !shown.program.services().runs.isBusy() && shown.program.services().workspaces.results() != nullptr;
        },
        "the run");
    shown.views().bringForward(shown.views().timeline);
    waitFor(
        [&] { return shown.views().timeline->stack().current() && shown.views().timeline->stack().current()->summary; },
        "the timeline");
    if (auto* grouping = shown.views().timeline->findChild<QComboBox*>(QStringLiteral("peakGrouping")))
        grouping->setCurrentIndex(grouping->findData(QStringLiteral("source")));
    photographer.take(window, QStringLiteral("model-source-lines"));
}

} // namespace
} // namespace headroom::ui

// headroom-screenshots WORKSPACE FOLDER [VIEWS...]
int main(int argc, char** argv)
{
    using namespace headroom::ui;
    if (argc < 3) {
        std::fputs(
            "headroom-screenshots WORKSPACE FOLDER [VIEWS...]\n\n"
            "Takes screenshots of the views of the desktop program, in FOLDER. VIEWS: empty, results, sweep, running, "
            "mistakes,\nmodels (of HEADROOM_SCREENSHOT_MODELS), recording, plan, effects; without any: all.\n",
            argc == 2 && std::string_view(argv[1]) == "--help" ? stdout : stderr);
        return argc == 2 && std::string_view(argv[1]) == "--help" ? 0 : 2;
    }
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen"); // the same pictures everywhere, without a display
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headroom"));
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication::setQuitOnLastWindowClosed(false);
    const QString workspace = QDir().absoluteFilePath(QString::fromLocal8Bit(argv[1]));
    const QString folder = QString::fromLocal8Bit(argv[2]);
    const QStringList wanted = QApplication::arguments().mid(3);
    const auto isWanted = [&](const char* views) { return wanted.isEmpty() || wanted.contains(QLatin1String(views)); };
    for (const Look& look : looks()) {
        const Photographer photographer(folder, look);
        if (isWanted("empty"))
            takeEmpty(look, photographer);
        if (isWanted("results"))
            takeResults(look, workspace, photographer);
        if (isWanted("sweep"))
            takeSweep(look, workspace, photographer);
        if (isWanted("mistakes"))
            takeMistakes(look, workspace, photographer);
        if (const QString models = qEnvironmentVariable("HEADROOM_SCREENSHOT_MODELS");
            isWanted("models") && !models.isEmpty())
            takeModels(look, models, photographer);
        if (isWanted("recording"))
            takeRecording(look, qEnvironmentVariable("HEADROOM_SCREENSHOT_RECORDING"), photographer);
        if (isWanted("plan"))
            takePlan(look, photographer);
        if (isWanted("effects"))
            takeEffects(look, photographer);
        if (isWanted("running"))
            takeRunning(look, photographer);
    }
    return 0;
}

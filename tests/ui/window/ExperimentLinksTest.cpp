// SPDX-License-Identifier: Apache-2.0
#include "tests/support/SketchedArchive.h"
#include "tests/ui/UiTest.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/start/FirstRunPage.h"
#include "ui/window/DesktopProgram.h"
#include "ui/window/ResultsHeading.h"
#include "ui/window/SpecFiles.h"

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QTemporaryDir>

namespace headroom::ui {
namespace {

constexpr int kLinkPatienceMs = 60'000;

const std::string kStack = "[model]\nname = \"ffn-stack-tiny\"\n[workload]\nstep = \"train\"\n"
                           "[techniques]\nsplit_ffn = \"off\"\n[device]\nname = \"sim:rtx4090\"\n";

} // namespace

// What the experiment on the left says to the rest of the window.
class ExperimentLinksTest : public UiTest {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_folder = std::make_unique<QTemporaryDir>();
        StartOptions options;
        options.workspace = m_folder->filePath(QStringLiteral("results.db"));
        options.preferencesFile = m_folder->filePath(QStringLiteral("desktop.ini"));
        m_program = std::make_unique<DesktopProgram>(options);
        m_program->start();
        QTRY_VERIFY_WITH_TIMEOUT(m_program->window() && !services().workspaces.path().isEmpty(), kLinkPatienceMs);
    }

    void cleanup()
    {
        m_program.reset();
        m_folder.reset();
    }

private Q_SLOTS:
    void aWrongWordDiesWithItsExperimentAndTheAnswerSaysForWhatItIs()
    {
        const auto* draft = views().answer->findChild<QLabel*>(QStringLiteral("answerDraft"));
        for (const char* end : {"undo", "new", "example"}) {
            load(kStack);
            typeModel(QStringLiteral("mistralai/Mistral-7B"));
            QCOMPARE(draft->text(), QStringLiteral("For ffn-stack-tiny, not what is typed."));
            window()->run();
            QVERIFY(statusText().contains(QStringLiteral("what is typed into \"Model\" is not valid")));
            QVERIFY(!services().runs.isBusy());
            if (qstrcmp(end, "undo") == 0)
                trigger(QStringLiteral("Undo typing"));
            else if (qstrcmp(end, "new") == 0)
                window()->specs().makeNew();
            else
                window()->specs().openPreset(QStringLiteral("ltx-checkpointing"));
            QTRY_COMPARE(draft->text(), QString());
            waitForPlan();
            const bool isBack = qstrcmp(end, "undo") == 0;
            QTRY_COMPARE(views().experiment->findChild<QLineEdit*>(QStringLiteral("model.name.line"))->text(),
                isBack ? QStringLiteral("ffn-stack-tiny") : QStringLiteral("ltx-video-2b"));
            QCOMPARE(services().spec.text() == kStack, isBack);
        }
    }

    void theReasonWhyNothingCanRunIsSaidOnce()
    {
        load("[model]\nname = \"ltx-video-2b\"\n[workload]\nframes = 120\n[device]\nname = \"sim:rtx4090\"\n");
        const auto* remark = views().answer->findChild<QLabel*>(QStringLiteral("answerRemark"));
        QCOMPARE(remark->text(), QStringLiteral("The reason stands at \"Frames\", on the left."));
        int times = 0;
        for (const QLabel* label : window()->findChildren<QLabel*>())
            times += label->isVisibleTo(window()) && label->text().contains(QStringLiteral("multiple of 8")) ? 1 : 0;
        QCOMPARE(times, 1);
    }

    void resultsSayWhoseTheyAre()
    {
        using Kinship = ResultsHeading::Kinship;
        views().firstRun->findChild<QPushButton*>(QStringLiteral("example-ltx-checkpointing"))->click();
        waitForTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(results() && results()->content().trials.back().isCompleted(), kLinkPatienceMs);
        const ResultsHeading& heading = *views().heading;
        QVERIFY(heading.isVisible());
        QCOMPARE(heading.kinship(), Kinship::Own);
        QCOMPARE(heading.text(),
            QStringLiteral("Results of ltx-checkpointing, ltx-video-2b, sim:a100-80gb, 4 trials, ")
                + QString::fromStdString(results()->content().startedAt));
        services().spec.set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        waitForPlan();
        QCOMPARE(heading.kinship(), Kinship::Earlier);
        services().spec.undo();
        waitForPlan();
        QCOMPARE(heading.kinship(), Kinship::Own);
        window()->specs().makeNew();
        waitForPlan();
        QCOMPARE(heading.kinship(), Kinship::Other);
        QVERIFY(heading.text().contains(QStringLiteral("another experiment than the one on the left")));
        services().spec.set(QStringLiteral("model.name"), QStringLiteral("\"nothing\"")); // says nothing of its kin
        waitForPlan();
        QCOMPARE(heading.kinship(), Kinship::Other);
    }

    void lastChangeIsTheUsersOwn()
    {
        const auto* change = views().answer->findChild<QLabel*>(QStringLiteral("answerLastChange"));
        QVERIFY(awaitAnswer()); // of the experiment that the program starts with
        load(kStack);
        QTRY_VERIFY_WITH_TIMEOUT(
            awaitAnswer() && awaitAnswer()->trial.configuration.model == "ffn-stack-tiny", kLinkPatienceMs);
        QCOMPARE(change->text(), QString());
        services().spec.set(QStringLiteral("techniques.split_ffn"), QStringLiteral("\"2\""));
        QTRY_VERIFY_WITH_TIMEOUT(change->text().contains(QStringLiteral("split_ffn off → 2")), kLinkPatienceMs);
        services().spec.loadPreset(QStringLiteral("ltx-checkpointing"));
        QTRY_VERIFY_WITH_TIMEOUT(
            awaitAnswer() && awaitAnswer()->trial.configuration.model == "ltx-video-2b", kLinkPatienceMs);
        QCOMPARE(change->text(), QString());
    }

    void startingWithAnOwnModelAsksForItsFile()
    {
        for (QPushButton* button : views().firstRun->findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Open a model file")))
                button->click();
        auto* dialog = window()->findChild<QFileDialog*>(QStringLiteral("chooseModelDialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        const QString file = m_folder->filePath(QStringLiteral("config.json"));
        QFile written(file);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write("{\"_class_name\": \"LTXVideoTransformer3DModel\", \"num_layers\": 7}");
        written.close();
        Q_EMIT dialog->fileSelected(file);
        dialog->close();
        waitForPlan();
        QVERIFY(services().spec.plan()->problems.empty());
        const config::Trial& trial = services().spec.plan()->trials.at(0).trial;
        QCOMPARE(trial.configuration.modelFields.at("num_layers"), config::Value(7));
    }

    void aModelFileThatIsDroppedBecomesTheExperimentsModel()
    {
        const QString file = writeModel(SketchedModel());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window(), &enter); // who never entered drops nothing
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window(), &drop);
        QTRY_COMPARE(window()->preferences().recentModels, QStringList{file}); // once it is known what the file is
        waitForPlan();
        QVERIFY(services().spec.plan()->problems.empty());
        const config::Trial& trial = services().spec.plan()->trials.at(0).trial;
        QVERIFY(trial.configuration.model.starts_with("tiny@"));
        QVERIFY(views().experiment->findChild<QWidget*>(QStringLiteral("workload.batch.editor")) != nullptr);
        auto* remarks = views().experiment->findChild<QLabel*>(QStringLiteral("model.remarks"));
        QVERIFY(remarks->isVisibleTo(views().experiment)
            && remarks->text().contains(QStringLiteral("headroom_capture.py")));
        services().spec.set(QStringLiteral("workload.batch"), QStringLiteral("65"));
        waitForPlan();
        QVERIFY(!services().spec.plan()->problems.empty()); // the export's bound is 64
    }

    void whatAModelFileIsRefusedForStandsAtTheModel()
    {
        SketchedModel model;
        model.notes()["training"] = false;
        window()->specs().openModel(writeModel(model));
        waitForPlan();
        QVERIFY(services().spec.plan()->problems.empty());
        auto* remarks = views().experiment->findChild<QLabel*>(QStringLiteral("model.remarks"));
        QVERIFY(remarks->text().startsWith(QStringLiteral("Not trained: the model was exported in evaluation mode")));
        window()->specs().openModel(writeBytes("is no archive"));
        waitForPlan();
        QCOMPARE(services().spec.plan()->problems.size(), std::size_t(1));
        QCOMPARE(services().spec.plan()->problems.at(0).path, std::string("model.name"));
    }

private:
    QString writeBytes(const std::string& bytes)
    {
        const QString file = m_folder->filePath(QStringLiteral("tiny.pt2"));
        QFile written(file);
        if (!written.open(QIODevice::WriteOnly))
            qFatal("the model's file cannot be written");
        written.write(bytes.data(), static_cast<qint64>(bytes.size()));
        return file;
    }
    QString writeModel(const SketchedModel& model) { return writeBytes(model.bytes()); }

    MainWindow* window() { return m_program->window(); }
    WindowViews& views() { return window()->views(); }
    Services& services() { return m_program->services(); }
    const Results& results() { return services().workspaces.results(); }
    QString statusText() { return window()->statusBar()->currentMessage(); }

    void load(const std::string& text)
    {
        services().spec.loadText(text, QStringLiteral("test"));
        waitForPlan();
    }

    Answer awaitAnswer()
    {
        (void)QTest::qWaitFor(
            [&] { return views().answer->answer() && !views().answer->isComputing(); }, kLinkPatienceMs);
        return views().answer->answer();
    }

    // Also before it has begun: what was asked for may still be planned.
    void waitForTheEnd()
    {
        QTRY_VERIFY_WITH_TIMEOUT(
            !services().spec.isPlanning() && services().runs.queue().runs().size() > 0 && !services().runs.isBusy(),
            kLinkPatienceMs);
    }

    void typeModel(const QString& text)
    {
        window()->activateWindow();
        views().bringForward(views().experiment);
        auto* line = views().experiment->findChild<QLineEdit*>(QStringLiteral("model.name.line"));
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }

    void trigger(const QString& command)
    {
        for (QAction* action : window()->commands())
            if (action->text().remove(QLatin1Char('&')) == command && action->isEnabled())
                return action->trigger();
        QFAIL(qPrintable(command));
    }

    void waitForPlan() { QTRY_VERIFY_WITH_TIMEOUT(!services().spec.isPlanning(), kLinkPatienceMs); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<DesktopProgram> m_program;
};

HEADROOM_UI_TEST(ExperimentLinksTest)

} // namespace headroom::ui

#include "ExperimentLinksTest.moc"

// SPDX-License-Identifier: Apache-2.0
//
// What a new user came for, by keys alone: each task from its first field to its answer.
#include "tests/support/Checkout.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/window/Keys.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/compare/CompareView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/ExperimentsView.h"
#include "ui/results/TrialsView.h"

#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QStatusBar>
#include <QTableView>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kLongestTaskMs = 120'000; ///< what a new user has for one

} // namespace

class FiveTasksTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_open = std::make_unique<OpenWindow>(WorkerOfRuns::Real);
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        m_keys = std::make_unique<Keys>(window());
    }

    void cleanup()
    {
        m_keys.reset();
        m_open.reset();
    }

    // A: adapters of a 13B model do not fit 24 GiB; the smallest change that does is applied and run.
    void aModelThatDoesNotFitIsMadeToFit()
    {
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(type("model.name.editor", "ltx-video-13b"));
        QVERIFY(type("workload.frames.editor", "121"));
        QVERIFY(type("workload.height.editor", "512"));
        QVERIFY(type("workload.width.editor", "768"));
        QVERIFY(type("device.name.editor", "sim:rtx4090"));
        QVERIFY(toggle("technique.trainable.toggle"));
        QVERIFY(type("techniques.trainable.number.editor", "32"));
        QVERIFY(toggle("technique.optimizer.toggle"));
        const auto& configuration = spec().plan()->trials.front().trial.configuration;
        QCOMPARE(configuration.techniques.at("trainable").notation, std::string("lora:32"));
        QTRY_VERIFY_WITH_TIMEOUT(answered() && answer().canBeMadeToFit(), kLongestTaskMs);
        m_keys->press(Qt::Key_M, Qt::ControlModifier);
        const auto* changes = answer().findChild<QTableView*>(QStringLiteral("fitTable"));
        QTRY_VERIFY_WITH_TIMEOUT(changes->isVisible(), kLongestTaskMs); // the search goes on below what it has found
        QVERIFY(m_keys->tabTo("fitTable"));
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!planning() && answered() && fits(), kLongestTaskMs);
        m_keys->press(Qt::Key_F5);
        QVERIFY(m_open->waitForTheEnd());
        QTRY_COMPARE(trials(), 1U);
    }

    // B: a sweep over four axes, its front, why a trial peaks above the baseline, and a report.
    void aWholeTradeoffIsRunReadAndReported()
    {
        m_open->load("[model]\nname = \"ffn-stack-tiny\"\n[device]\nname = \"cpu\"\n[protocol]\nrepeats = 1\n");
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(type("workload.step.editor", "train"));
        QVERIFY(sweep("technique.split_ffn.toggle", "techniques.split_ffn.editor", "off, 2, 4"));
        QVERIFY(sweep("technique.checkpointing.toggle", "techniques.checkpointing.editor", "none, all"));
        QVERIFY(sweep("technique.ema.toggle", "techniques.ema.editor", "off, device"));
        QTRY_COMPARE(spec().plan()->runnableTrials(), std::size_t(12));
        m_keys->press(Qt::Key_F5);
        QVERIFY(m_open->waitForTheEnd());
        QTRY_COMPARE(trials(), 12U);
        m_keys->press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        m_keys->press(Qt::Key_2, Qt::ControlModifier);
        const auto* chosen = views().tradeoff->findChild<QLabel*>(QStringLiteral("tradeoffSentence"));
        QVERIFY(chosen != nullptr);
        m_keys->press(Qt::Key_Right);
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY(!chosen->text().isEmpty());
        compareLastWithBaseline();
        exportReport(m_open->file(QStringLiteral("front.html")));
    }

    // C: today's peak beside last week's, from one workspace.
    void todayIsComparedWithLastWeek()
    {
        for (const char* batch : {"1", "2"}) {
            m_open->load("[model]\nname = \"ffn-stack-tiny\"\n[device]\nname = \"cpu\"\n[protocol]\nrepeats = 1\n");
            m_keys->press(Qt::Key_1, Qt::ControlModifier);
            QVERIFY(type("workload.batch.editor", batch));
            m_keys->press(Qt::Key_F5);
            QVERIFY(m_open->waitForTheEnd());
            QTRY_VERIFY(results() && results()->content().trials.front().isCompleted());
        }
        QTRY_COMPARE(m_open->services().workspaces.experiments()->size(), std::size_t(2));
        m_keys->press(Qt::Key_8, Qt::ControlModifier);
        QVERIFY(views().experiments->isAncestorOf(Keys::focus()));
        m_keys->press(Qt::Key_Home);
        m_keys->press(Qt::Key_Down, Qt::ShiftModifier);
        m_keys->press(Qt::Key_Return);
        QTRY_VERIFY(results()->isOfSeveral());
        QTRY_COMPARE(trials(), 2U);
        m_keys->press(Qt::Key_4, Qt::ControlModifier);
        m_keys->press(Qt::Key_A, Qt::ControlModifier);
        QTRY_COMPARE(m_open->services().selection.trials().size(), 2);
        m_keys->press(Qt::Key_C);
        QTRY_COMPARE(views().compare->stack().trialsWithTimeline(), 2U);
    }

    // D: an own model's file, and its largest batch by what the table says of samples.
    void anOwnModelIsOpenedAndItsBatchIsFound()
    {
        const QString model = QString::fromStdString(checkout("tests/reference/imported/llama.pt2").string());
        Keys::whenAsked([&] {
            m_keys->write(model);
            m_keys->press(Qt::Key_Return);
        });
        m_keys->press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!planning() && spec().text().find("llama.pt2") != std::string::npos);
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(type("workload.step.editor", "train"));
        QTRY_VERIFY(!planning() && spec().plan()->problems.empty());
        m_open->load("[model]\nname = \"ffn-stack-tiny\"\n[device]\nname = \"cpu\"\n[protocol]\nrepeats = 1\n");
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(type("workload.batch.editor", "1, 2, 4"));
        m_keys->press(Qt::Key_F5);
        QVERIFY(m_open->waitForTheEnd());
        QTRY_COMPARE(trials(), 3U);
        const auto& columns = results()->table().columns;
        QVERIFY(std::ranges::any_of(columns, [](const auto& column) { return column.title == "samples/s"; }));
    }

    // E: what is wrong is said where it stands, and goes with its experiment.
    void whatIsWrongIsSaidAndUndone()
    {
        m_open->load("[model]\nname = \"ffn-stack-tiny\"\n[device]\nname = \"cpu\"\n");
        const std::string before = spec().text();
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(type("model.name.editor", "mistralai/Mistral-7B"));
        QCOMPARE(spec().drafts().size(), 1);
        m_keys->press(Qt::Key_F5);
        QTRY_VERIFY(window().statusBar()->currentMessage().contains(QStringLiteral("Nothing was run")));
        QCOMPARE(Keys::focus()->objectName(), QStringLiteral("model.name.editor"));
        m_keys->press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(spec().drafts().isEmpty());
        QCOMPARE(spec().text(), before);
        m_open->load("[model]\nname = \"ltx-video-2b\"\n[device]\nname = \"sim:rtx4090\"\n");
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(type("workload.frames.editor", "120"));
        const auto* note = views().experiment->findChild<QLabel*>(QStringLiteral("workload.frames.note"));
        QTRY_VERIFY(note != nullptr && note->text().contains(QStringLiteral("113 or 121")));
        m_keys->press(Qt::Key_F, Qt::ControlModifier);
    }

private:
    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }
    LiveAnswer& answer() { return *views().answer; }
    SpecSession& spec() { return m_open->services().spec; }
    const Results& results() { return m_open->services().workspaces.results(); }
    bool planning() { return spec().isPlanning(); }
    bool answered() { return answer().answer() && !answer().isComputing(); }
    std::size_t trials() { return results() ? results()->content().trials.size() : 0; }

    QString verdict()
    {
        const auto* label = answer().findChild<QLabel*>(QStringLiteral("answerVerdict"));
        return label == nullptr ? QString() : label->text();
    }

    // The smallest change may leave less than the margin free: "Tight: needs 22.5 of 23.6 GiB".
    bool fits()
    {
        const QString said = verdict();
        return said.startsWith(QStringLiteral("Fits")) || said.startsWith(QStringLiteral("Tight"));
    }

    bool settled()
    {
        return QTest::qWaitFor([this] { return !planning(); }, kLongestTaskMs);
    }

    bool type(const char* field, const char* text) { return m_keys->type(field, QLatin1String(text)) && settled(); }

    bool toggle(const char* name)
    {
        if (!m_keys->tabTo(name))
            return false;
        m_keys->press(Qt::Key_Space);
        return settled();
    }

    bool sweep(const char* switched, const char* field, const char* values)
    {
        return toggle(switched) && type(field, values);
    }

    void compareLastWithBaseline()
    {
        m_keys->press(Qt::Key_4, Qt::ControlModifier);
        m_keys->press(Qt::Key_End, Qt::ControlModifier);
        m_keys->press(Qt::Key_C);
        QTRY_COMPARE(m_open->services().selection.trials().size(), 2);
        QTRY_COMPARE(views().compare->stack().trialsWithTimeline(), 2U);
    }

    void exportReport(const QString& file)
    {
        Keys::whenAsked([&] {
            m_keys->type("exportPath", file);
            m_keys->press(Qt::Key_Return);
        });
        m_keys->press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).size() > 1'000, kLongestTaskMs);
    }

    std::unique_ptr<OpenWindow> m_open;
    std::unique_ptr<Keys> m_keys;
};

HEADROOM_UI_TEST(FiveTasksTest)

} // namespace headroom::ui

#include "FiveTasksTest.moc"

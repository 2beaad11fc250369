// SPDX-License-Identifier: Apache-2.0
//
// Nothing that a person has made is lost, and nothing of one experiment is taken for another's.
#include "tests/support/TextFiles.h"
#include "tests/ui/FileBytes.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/window/Keys.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/answer/LiveAnswer.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/look/Veil.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/DetailsView.h"
#include "ui/results/TrialsView.h"
#include "ui/segments/SegmentsView.h"
#include "ui/start/FirstRunPage.h"
#include "ui/timeline/TimelineView.h"
#include "ui/window/ResultsHeading.h"
#include "ui/window/SpecFiles.h"

#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QUndoStack>

namespace headroom::ui {
namespace {

constexpr int kKeptPatienceMs = 120'000;

// Without a name, as most experiments are.
const std::string kUnnamed =
    "name = \"unnamed\"\n[model]\nname = \"ltx-video-tiny\"\n[device]\nname = \"sim:rtx4090\"\n";

// Few ops and huge tensors: simulations take milliseconds.
const std::string kPlanned = "name = \"huge\"\n[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n"
                             "dtype = \"bfloat16\"\nbatch = 2\nframes = 257\nheight = 4096\nwidth = 4096\n"
                             "[techniques]\ntrainable = \"all\"\noptimizer = \"adamw\"\n[device]\nname = "
                             "\"sim:rtx4090\"\n";

} // namespace

class KeptWorkTest : public UiTest {
    Q_OBJECT

protected Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_palette = QApplication::palette();
        m_open = std::make_unique<OpenWindow>();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        m_keys = std::make_unique<Keys>(window());
    }

    void cleanup()
    {
        m_keys.reset();
        m_open.reset();
        QApplication::setPalette(m_palette);
    }

private Q_SLOTS:
    // The page with the text has never been seen.
    void coloursChangeNoExperiment()
    {
        load(kUnnamed);
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        waitForPlan();
        const std::string text = spec().text();
        const auto isKept = [&] {
            QCoreApplication::processEvents();
            return !spec().isPlanning() && spec().text() == text && spec().undoStack()->index() == 1
                && spec().undoStack()->count() == 1 && window().isWindowModified();
        };
        for (const ColourScheme scheme : {ColourScheme::Dark, ColourScheme::Light, ColourScheme::System}) {
            services().theme.setScheme(scheme);
            QVERIFY(isKept());
        }
        QApplication::setPalette(QPalette(Qt::darkBlue)); // as the desktop's own, at sunset
        QVERIFY(isKept());
        views().experiment->showText();
        QVERIFY(isKept());
        views().experiment->showForm();
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("3"));
        waitForPlan();
        services().theme.setScheme(ColourScheme::Dark);
        QCOMPARE(spec().undoStack()->count(), 2);
        spec().undo();
        QCOMPARE(spec().text(), text);
    }

    void everyWayToAnotherExperimentAsksForUnsavedChanges_data()
    {
        QTest::addColumn<QString>("way");
        for (const char* way :
            {"new", "open", "example", "model", "dropped", "first page", "first page's example", "close"})
            QTest::newRow(way) << QString::fromLatin1(way);
    }

    void everyWayToAnotherExperimentAsksForUnsavedChanges()
    {
        QFETCH(QString, way);
        m_open->showSixTrials();
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        waitForPlan();
        const std::string text = spec().text();
        const std::int64_t shown = services().workspaces.results()->content().number;
        QVERIFY(!isAsked([&] { leaveBy(way); }, QMessageBox::Cancel).isEmpty());
        QTest::qWait(50);
        QCOMPARE(spec().text(), text);
        QCOMPARE(spec().undoStack()->index(), 1);
        QVERIFY(window().isVisible() && window().isWindowModified());
        QCOMPARE(services().workspaces.results()->content().number, shown);
        QVERIFY(!isDimmed(*views().tradeoff));
        QVERIFY(!isAsked([&] { leaveBy(way); }, QMessageBox::Discard).isEmpty());
        QTRY_VERIFY(spec().text() != text || !window().isVisible());
    }

    void whatIsSavedIsInTheFileBeforeTheNextExperimentBegins()
    {
        const QString file = m_open->file(QStringLiteral("mine.toml"));
        load(kUnnamed);
        spec().saveAs(file);
        QTRY_COMPARE(spec().path(), file);
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        const std::string text = spec().text();
        QCOMPARE(isAsked([&] { window().specs().makeNew(); }, QMessageBox::Save),
            QStringLiteral("\"mine.toml\" has changes that are not saved. Save them?"));
        QTRY_VERIFY(spec().path().isEmpty());
        QCOMPARE(bytesOf(file), QByteArray::fromStdString(text));
        QVERIFY(!spec().isModified());
        QVERIFY(isAsked([&] { window().specs().makeNew(); }, QMessageBox::Cancel).isEmpty()); // nothing to lose
    }

    void whatIsEditedWhileItIsBeingSavedIsAskedAboutAgain()
    {
        const QString file = m_open->file(QStringLiteral("mine.toml"));
        load(kUnnamed);
        spec().saveAs(file);
        QTRY_COMPARE(spec().path(), file);
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        QVERIFY(!isAsked([&] { window().specs().makeNew(); }, QMessageBox::Save).isEmpty());
        connect(&spec(), &SpecSession::pathChanged, &window(), [this] { // it is written, and this comes in between
            if (spec().undoStack()->count() == 1)
                spec().set(QStringLiteral("workload.frames"), QStringLiteral("25"));
        });
        QVERIFY(!isAsked([&] { QTRY_VERIFY(m_wasAsked || spec().path().isEmpty()); }, QMessageBox::Cancel).isEmpty());
        QVERIFY(spec().text().find("frames = 25") != std::string::npos);
        QVERIFY(spec().isModified());
    }

    void aSpecThatAnotherProgramChangedIsReplacedOnlyAfterAQuestion()
    {
        const QString file = m_open->file(QStringLiteral("mine.toml"));
        load(kUnnamed);
        spec().saveAs(file);
        QTRY_COMPARE(spec().path(), file);
        writeText(file.toStdString(), "# of an editor\n");
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("2"));
        const auto save = [&] {
            window().specs().save();
            QTRY_VERIFY(m_wasAsked);
        };
        QVERIFY(isAsked(save, QMessageBox::Cancel).contains(QStringLiteral("changed by another program")));
        QTRY_VERIFY(spec().isIdle());
        QCOMPARE(bytesOf(file), QByteArray("# of an editor\n"));
        QVERIFY(spec().isModified());
        isAsked(save, QMessageBox::NoButton); // Replace
        QTRY_VERIFY(!spec().isModified());
        QCOMPARE(bytesOf(file), QByteArray::fromStdString(spec().text()));
    }

    void resultsOfAnUnnamedExperimentAreNotTheNextOnes()
    {
        load(kUnnamed);
        qputenv("HEADROOM_WORKER", HEADROOM_BINARY_DIR "/bin/headroom-worker");
        m_open->run();
        QVERIFY(m_open->waitForTheEnd());
        QTRY_VERIFY(
            services().workspaces.results() && services().workspaces.results()->content().trials.front().isCompleted());
        QCOMPARE(views().heading->kinship(), ResultsHeading::Kinship::Own);
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("3"));
        waitForPlan();
        QCOMPARE(views().heading->kinship(), ResultsHeading::Kinship::Earlier);
        QVERIFY(!isDimmed(*views().tradeoff));
        load(kUnnamed + "[workload]\nbatch = 4\n"); // the same model, and no name either
        QCOMPARE(views().heading->kinship(), ResultsHeading::Kinship::Other);
        for (QWidget* view : std::initializer_list<QWidget*>{
                 views().tradeoff, views().timeline, views().segments, views().details, views().trials->table()})
            QVERIFY2(isDimmed(*view), qPrintable(view->objectName()));
        QVERIFY(views().heading->text().contains(QStringLiteral("another experiment than the one on the left")));
        load("[model]\nname = \"ltx-video-tiny\"\nnonsense = 1\n"); // a mistake brings nothing back to life
        QVERIFY(isDimmed(*views().tradeoff));
        load(kUnnamed);
        QCOMPARE(views().heading->kinship(), ResultsHeading::Kinship::Own);
        QVERIFY(!isDimmed(*views().tradeoff));
    }

    void aPlanIsNotLiveUnderANewExperiment()
    {
        qputenv("HEADROOM_WORKER", HEADROOM_BINARY_DIR "/bin/headroom-worker");
        PlannerView& plan = *views().plan;
        plan.setOptions({.mostPredictions = 8,
            .searchTime = std::chrono::hours(1),
            .workers = 2,
            .patience = PlanInquiry::kPatience});
        load(kPlanned);
        QTRY_VERIFY_WITH_TIMEOUT(views().answer->asked().has_value(), kKeptPatienceMs);
        m_keys->press(Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(plan.plan() != nullptr, kKeptPatienceMs);
        const auto* form = plan.findChild<QPushButton*>(QStringLiteral("planToForm"));
        QVERIFY(!plan.isOutdated() && form->isEnabled());
        spec().set(QStringLiteral("workload.batch"), QStringLiteral("4"));
        waitForPlan();
        QVERIFY2(!plan.isOutdated(), "an edit makes no other experiment");
        spec().undo();
        window().specs().makeNew();
        waitForPlan();
        QVERIFY(plan.isOutdated() && !form->isEnabled());
        const std::string text = spec().text();
        m_keys->press(Qt::Key_0, Qt::ControlModifier);
        m_keys->press(Qt::Key_Return); // in the row of the answer
        QCOMPARE(spec().text(), text);
        load(kPlanned); // the experiment that was asked about is back
        QTRY_VERIFY(!plan.isOutdated() && form->isEnabled());
    }

    // From the form to the report by keys alone.
    void aPersonLosesNothingOnTheWay()
    {
        load(kWindowSpec);
        m_keys->press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(m_keys->type("workload.sequence_length.editor", QStringLiteral("8, 16")));
        waitForPlan();
        QVERIFY(m_keys->tabTo("technique.split_ffn.toggle"));
        m_keys->press(Qt::Key_Space);
        waitForPlan();
        const std::string text = spec().text();
        const int edits = spec().undoStack()->index();
        Keys::whenAsked([&] {
            m_keys->write(QStringLiteral("dark"));
            m_keys->press(Qt::Key_Return);
        });
        m_keys->press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(services().theme.isDark());
        QCOMPARE(spec().text(), text);
        QCOMPARE(spec().undoStack()->count(), edits);
        Keys::whenAsked([&] { m_keys->press(Qt::Key_Escape); });
        m_keys->press(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(spec().text(), text);
        m_keys->press(Qt::Key_F5);
        QVERIFY(m_open->waitForTheEnd());
        QTRY_VERIFY(services().workspaces.results() && services().workspaces.results()->content().trials.size() == 2);
        exportOntoMyNotes();
        exportAsProposed();
        QVERIFY(!isAsked([&] { m_keys->press(Qt::Key_N, Qt::ControlModifier); }, QMessageBox::Discard).isEmpty());
        waitForPlan();
        QVERIFY(isDimmed(*views().tradeoff));
    }

private:
    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }
    Services& services() { return m_open->services(); }
    SpecSession& spec() { return services().spec; }
    void load(const std::string& text) { m_open->load(text); }
    void waitForPlan() { QTRY_VERIFY_WITH_TIMEOUT(!spec().isPlanning(), kKeptPatienceMs); }
    static bool isDimmed(QWidget& view) { return view.findChild<Veil*>()->isVisibleTo(&view); }

    // Once the dialog of that name asks.
    static void whenInFront(const char* name, const std::function<void(QWidget& dialog)>& act)
    {
        auto* look = new QTimer(qApp);
        connect(look, &QTimer::timeout, look, [look, name, act] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (dialog == nullptr || dialog->objectName() != QLatin1String(name))
                return;
            look->stop();
            look->deleteLater();
            act(*dialog);
        });
        look->start(20);
    }

    // Enter on a file of that name: a question, and Escape keeps it. Escape once more leaves the dialog.
    void exportOntoMyNotes()
    {
        const QString notes = m_open->file(QStringLiteral("notes.html"));
        writeText(notes.toStdString(), "my precious notes");
        bool wasAsked = false;
        Keys::whenAsked([&] {
            m_keys->type("exportPath", notes);
            whenInFront("replaceFileQuestion", [&](QWidget& question) {
                wasAsked = true;
                whenInFront("exportDialog", [](QWidget& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); });
                QTest::keyClick(&question, Qt::Key_Escape);
            });
            m_keys->press(Qt::Key_Return);
        });
        m_keys->press(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(wasAsked);
        QTRY_VERIFY(services().exporter.isIdle());
        QCOMPARE(bytesOf(notes), QByteArray("my precious notes"));
    }

    void exportAsProposed()
    {
        QString file;
        Keys::whenAsked([&] {
            auto* dialog = QApplication::activeModalWidget();
            file = dialog->findChild<QLineEdit*>(QStringLiteral("exportPath"))->text();
            m_keys->press(Qt::Key_Return);
        });
        m_keys->press(Qt::Key_E, Qt::ControlModifier);
        const QString day = QString::fromStdString(services().workspaces.results()->content().startedAt).left(10);
        QCOMPARE(QFileInfo(file).fileName(), QStringLiteral("window-ffn-stack-tiny-cpu-%1.html").arg(day));
        QTRY_VERIFY(QFileInfo(file).size() > 1'000);
    }

    void leaveBy(const QString& way)
    {
        const QString other = m_open->file(QStringLiteral("other.toml"));
        writeText(other.toStdString(), kUnnamed);
        StartQuestion question;
        question.model = "ltx-video-tiny";
        question.card = "rtx4090";
        if (way == QLatin1String("new"))
            m_keys->press(Qt::Key_N, Qt::ControlModifier);
        else if (way == QLatin1String("open"))
            window().specs().open(other);
        else if (way == QLatin1String("example"))
            window().specs().openPreset(QStringLiteral("ltx-checkpointing"));
        else if (way == QLatin1String("model"))
            window().specs().openModel(other);
        else if (way == QLatin1String("dropped"))
            window().specs().openDropped(other);
        else if (way == QLatin1String("first page"))
            Q_EMIT views().firstRun->asked(question);
        else if (way == QLatin1String("first page's example"))
            Q_EMIT views().firstRun->exampleChosen(QStringLiteral("ltx-checkpointing"));
        else
            window().close();
    }

    // What is asked while that is done, answered by that button, or by the one that destroys if none is named; empty if
    // nothing is asked.
    QString isAsked(const std::function<void()>& act, QMessageBox::StandardButton answer)
    {
        QString text;
        m_wasAsked = false;
        QTimer look;
        connect(&look, &QTimer::timeout, &look, [&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (question == nullptr || m_wasAsked)
                return;
            m_wasAsked = true;
            text = question->text();
            for (QAbstractButton* button : question->buttons())
                if (answer == QMessageBox::NoButton ? question->buttonRole(button) == QMessageBox::DestructiveRole
                                                    : button == question->button(answer))
                    return button->click();
        });
        look.start(10);
        act();
        return text;
    }

    QPalette m_palette;
    bool m_wasAsked = false;
    std::unique_ptr<OpenWindow> m_open;
    std::unique_ptr<Keys> m_keys;
};

HEADROOM_UI_TEST(KeptWorkTest)

} // namespace headroom::ui

#include "KeptWorkTest.moc"

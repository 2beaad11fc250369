// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/ExperimentDock.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/Configuration.h"
#include "experiments/spec/SettingField.h"
#include "tests/ui/UiTest.h"
#include "ui/look/Theme.h"
#include "ui/spec/SpecSession.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QToolButton>

#include <set>

namespace headroom::ui {

class ExperimentDockTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyFieldOfTheCataloguesIsThere();
    void aTechniqueIsSwitchedOnAndOff();
    void aListOfValuesIsAnAxis();
    void switchingOnBeginsWithWhatMostPeopleTake();
    void aNewExperimentBeginsWithTheUsualChoiceAgain();
    void whatIsTypedIsCheckedBeforeItIsTaken();
    void undoInAFieldIsThatOfTheSpec();
    void aResetButtonTakesASettingOut();
    void whatFollowsFromATechniqueIsShownWithItsReason();
    void theWheelChangesNothingOnItsWay();
    void numbersAreWrittenWithAPointInEveryLocale();
    void aTextThatIsNoTomlIsMarkedAndTheFormWaits();
    void partsCanBeChosenWhereThereAreSome();
    void theFooterCountsTrialsAndReasons();
    void everyControlCanBeReachedByTab();
    void nothingIsCutOffAtTheSide();

private:
    template <typename T> T* find(const char* name) const
    {
        T* found = m_dock->findChild<T*>(QLatin1String(name));
        if (found == nullptr)
            qWarning() << "no" << name;
        return found;
    }
    void settle() { QTRY_VERIFY(!m_session->isPlanning()); }
    void load(const std::string& text)
    {
        m_session->loadText(text, QStringLiteral("test"));
        settle();
    }
    bool textHolds(const char* what) const { return m_session->text().find(what) != std::string::npos; }
    void type(const char* name, const QString& text) const
    {
        auto* line = find<QLineEdit>(name);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<SpecSession> m_session;
    std::unique_ptr<QMainWindow> m_window;
    ExperimentDock* m_dock = nullptr;
};

void ExperimentDockTest::init()
{
    UiTest::init();
    m_theme = std::make_unique<Theme>();
    m_session = std::make_unique<SpecSession>();
    m_window = std::make_unique<QMainWindow>();
    m_dock = new ExperimentDock(*m_session, *m_theme, m_window.get());
    m_window->addDockWidget(Qt::LeftDockWidgetArea, m_dock);
    m_window->resize(360, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    load("# mine\n[model]\nname = \"ffn-stack-tiny\"\n\n[workload]\nstep = \"train\"\n");
}

void ExperimentDockTest::cleanup()
{
    m_window.reset();
    m_session.reset();
    m_theme.reset();
    QLocale::setDefault(QLocale::c());
}

// Nothing is named here: what is added to a catalogue has to be in the form.
void ExperimentDockTest::everyFieldOfTheCataloguesIsThere()
{
    for (const std::string& model : config::modelNames()) {
        load("[model]\nname = \"" + model + "\"\n");
        const auto has = [&](const std::string& name) {
            return m_dock->findChild<QWidget*>(QString::fromStdString(name)) != nullptr;
        };
        for (const char* table : {"model", "workload", "protocol", "device", "techniques"})
            for (const config::FieldSet fields = experiments::tableFields(table, model, model);
                const config::Field& field : fields.all())
                QVERIFY2(has(std::string(table) + "." + field.name), (model + ": " + field.name).c_str());
        for (const auto& technique : config::techniqueCatalogue()) {
            QVERIFY(has("technique." + technique.key + ".toggle"));
            const auto* help = find<QLabel>(("technique." + technique.key + ".help").c_str());
            for (const auto& form : technique.forms)
                QVERIFY(help->text().contains(QString::fromStdString(form.form).toHtmlEscaped()));
        }
        for (const auto descriptor = config::findModel(model, {});
            const config::Field& field : descriptor.fields.all()) {
            const auto* row = find<QWidget>(("model." + field.name + ".editor").c_str());
            QVERIFY(!row->accessibleName().isEmpty());
            QVERIFY(row->toolTip().contains(QString::fromStdString(field.help).toHtmlEscaped()));
        }
    }
}

void ExperimentDockTest::aTechniqueIsSwitchedOnAndOff()
{
    for (const auto& technique : config::techniqueCatalogue()) {
        // Cast weights cannot be trained, averages of weights take weights that move.
        const std::string step = technique.key == "casting" ? "inference" : "train";
        const std::string spec = "# mine\n[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"" + step + "\"\n";
        load(spec);
        auto* toggle = find<QCheckBox>(("technique." + technique.key + ".toggle").c_str());
        QVERIFY(!toggle->isChecked());
        toggle->click();
        settle();
        QVERIFY(toggle->isChecked());
        const Plan& plan = *m_session->plan();
        QVERIFY2(plan.problems.empty(), technique.key.c_str());
        QVERIFY(plan.trials.at(0).trial.configuration.techniques.at(technique.key).notation != technique.off);
        QVERIFY(textHolds(technique.key.c_str()));
        QVERIFY(textHolds("# mine\n"));
        toggle->click();
        settle();
        QVERIFY(config::isBaseline(m_session->plan()->trials.at(0).trial.configuration));
        m_session->undoStack()->undo();
        m_session->undoStack()->undo();
        QCOMPARE(m_session->text(), spec);
    }
}

void ExperimentDockTest::aListOfValuesIsAnAxis()
{
    load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n");
    find<QCheckBox>("technique.checkpointing.toggle")->click();
    settle();
    type("techniques.checkpointing.line", QStringLiteral("none, all, every:2"));
    settle();
    QVERIFY(textHolds("checkpointing = [\"none\", \"all\", \"every:2\"]"));
    QCOMPARE(m_session->plan()->trials.size(), std::size_t(3));
    const auto* count = find<QLabel>("techniques.checkpointing.count");
    QCOMPARE(count->text(), QStringLiteral("3 values"));
    QVERIFY(find<QToolButton>("techniques.checkpointing.axis")->isChecked());
    type("workload.batch.editor", QStringLiteral("1, 2"));
    settle();
    QCOMPARE(m_session->plan()->trials.size(), std::size_t(6));
    QVERIFY(textHolds("batch = [1, 2]"));
    const auto* batches = find<QLabel>("workload.batch.count");
    QTRY_VERIFY2(batches->text().isEmpty(), "they are whole beside the name");
    type("workload.batch.editor", QStringLiteral("1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192"));
    settle();
    QTRY_COMPARE(batches->text(), QStringLiteral("14 values"));
}

void ExperimentDockTest::switchingOnBeginsWithWhatMostPeopleTake()
{
    load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n");
    for (const char* technique : {"trainable", "optimizer", "split_ffn", "checkpointing"})
        find<QCheckBox>((std::string("technique.") + technique + ".toggle").c_str())->click();
    settle();
    QVERIFY(textHolds("trainable = \"lora:16\""));
    QVERIFY(textHolds("optimizer = \"adamw\""));
    QVERIFY(textHolds("split_ffn = \"2\""));
    QVERIFY(textHolds("checkpointing = \"all\""));
}

void ExperimentDockTest::aNewExperimentBeginsWithTheUsualChoiceAgain()
{
    const char* spec = "[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n";
    load(spec);
    auto* toggle = find<QCheckBox>("technique.checkpointing.toggle");
    toggle->click();
    settle();
    type("techniques.checkpointing.line", QStringLiteral("every:2"));
    settle();
    for (int clicks = 0; clicks < 2; ++clicks) {
        toggle->click();
        settle();
    }
    QVERIFY2(textHolds("checkpointing = \"every:2\""), "what was set comes back within an experiment");
    load(spec);
    toggle->click();
    settle();
    QVERIFY(textHolds("checkpointing = \"all\""));
}

void ExperimentDockTest::whatIsTypedIsCheckedBeforeItIsTaken()
{
    const std::string before = m_session->text();
    type("workload.batch.editor", QStringLiteral("many"));
    QCOMPARE(m_session->text(), before);
    QVERIFY(find<QLabel>("workload.batch.note")->text().contains(QStringLiteral("an integer of at least 1")));
    type("workload.batch.editor", QStringLiteral("7"));
    settle();
    QVERIFY(textHolds("batch = 7"));
    QVERIFY(find<QLabel>("workload.batch.note")->text().isEmpty());
    find<QCheckBox>("technique.checkpointing.toggle")->click();
    settle();
    const std::string on = m_session->text();
    type("techniques.checkpointing.line", QStringLiteral("evry:2"));
    QCOMPARE(m_session->text(), on);
    QVERIFY(find<QLabel>("techniques.checkpointing.note")->text().contains(QStringLiteral("every:N")));
}

void ExperimentDockTest::undoInAFieldIsThatOfTheSpec()
{
    const std::string before = m_session->text();
    type("workload.batch.editor", QStringLiteral("12"));
    QVERIFY(textHolds("batch = 12"));
    auto* line = find<QLineEdit>("workload.batch.editor");
    QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_session->text(), before);
    QTRY_COMPARE(line->text(), QStringLiteral("2"));
    QTest::keySequence(line, QKeySequence::Redo);
    QTRY_COMPARE(line->text(), QStringLiteral("12"));
}

void ExperimentDockTest::aResetButtonTakesASettingOut()
{
    auto* reset = find<QToolButton>("workload.step.reset");
    QVERIFY(!reset->isHidden());
    reset->click();
    settle();
    QVERIFY(!textHolds("step"));
    QVERIFY(reset->isHidden());
    QCOMPARE(find<QComboBox>("workload.step.editor")->currentText(), QStringLiteral("inference"));
}

void ExperimentDockTest::whatFollowsFromATechniqueIsShownWithItsReason()
{
    load("[model]\nname = \"ltx-video-tiny\"\n");
    const auto* step = find<QComboBox>("workload.step.editor");
    const auto* dtype = find<QComboBox>("workload.dtype.editor");
    QCOMPARE(step->currentText(), QStringLiteral("inference"));
    QCOMPARE(dtype->currentText(), QStringLiteral("float32"));
    find<QCheckBox>("technique.checkpointing.toggle")->click();
    settle();
    QCOMPARE(step->currentText(), QStringLiteral("train"));
    QCOMPARE(dtype->currentText(), QStringLiteral("bfloat16"));
    QVERIFY(find<QLabel>("workload.step.note")->text().contains(QStringLiteral("because checkpointing was given")));
    QVERIFY(find<QToolButton>("workload.step.reset")->isHidden());
    QVERIFY(!textHolds("step"));
    QCOMPARE(m_session->plan()->trials.front().trial.configuration.workload.step, config::StepKind::Train);
    find<QCheckBox>("technique.checkpointing.toggle")->click();
    settle();
    QCOMPARE(step->currentText(), QStringLiteral("inference"));
    QVERIFY(find<QLabel>("workload.step.note")->text().isEmpty());
}

void ExperimentDockTest::theWheelChangesNothingOnItsWay()
{
    auto* combo = find<QComboBox>("workload.dtype.editor");
    find<QLineEdit>("workload.batch.editor")->setFocus();
    const std::string before = m_session->text();
    QWheelEvent wheel(QPointF(5, 5), combo->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, -120), Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(combo, &wheel);
    QCOMPARE(m_session->text(), before);
    QCOMPARE(combo->currentText(), QStringLiteral("float32"));
}

void ExperimentDockTest::numbersAreWrittenWithAPointInEveryLocale()
{
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    type("workload.clip_grad_norm.editor", QStringLiteral("0.5"));
    type("workload.batch.editor", QStringLiteral("12000"));
    settle();
    QVERIFY(textHolds("clip_grad_norm = 0.5\n"));
    QVERIFY(textHolds("batch = 12000\n"));
    QCOMPARE(find<QLineEdit>("workload.clip_grad_norm.editor")->text(), QStringLiteral("0.5"));
}

void ExperimentDockTest::aTextThatIsNoTomlIsMarkedAndTheFormWaits()
{
    m_dock->showText();
    auto* edit = find<QPlainTextEdit>("specText");
    edit->setFocus();
    QTest::keyClicks(edit, QStringLiteral("= 1 "));
    settle();
    QCOMPARE(edit->extraSelections().size(), 1);
    QVERIFY(!find<QWidget>("workload.batch")->isEnabled());
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(edit->extraSelections().isEmpty());
    QVERIFY(find<QWidget>("workload.batch")->isEnabled());
}

void ExperimentDockTest::partsCanBeChosenWhereThereAreSome()
{
    auto* parts = find<QComboBox>("form.part");
    QVERIFY(parts->isHidden());
    load("[model]\nname = \"ffn-stack-tiny\"\n[[part]]\n[part.workload]\nbatch = 1\n[[part]]\n[part.workload]\nbatch = "
         "2\n");
    QVERIFY(!parts->isHidden());
    QCOMPARE(parts->count(), 3);
    m_session->choosePart(1);
    QCOMPARE(find<QLineEdit>("workload.batch.editor")->text(), QStringLiteral("2"));
    type("workload.batch.editor", QStringLiteral("5"));
    QVERIFY(textHolds("batch = 5"));
    QVERIFY(textHolds("batch = 1"));
}

void ExperimentDockTest::theFooterCountsTrialsAndReasons()
{
    load("[model]\nname = \"ffn-stack-tiny\"\ndim = [64, 56]\n[techniques]\nsplit_ffn = [\"off\", \"2\", \"7\"]\n");
    Durations durations;
    for (const auto& trial : m_session->plan()->trials)
        durations.secondsPerRepeat[trial.trialId] = 4;
    m_dock->setDurations(durations);
    const auto* trials = find<QLabel>("planFooter.trials");
    QTRY_COMPARE(trials->text(), QStringLiteral("5 trials, about 20 s"));
    auto* skipped = find<QToolButton>("planFooter.skipped");
    QCOMPARE(skipped->text(), QStringLiteral("1 trial skipped, with reasons"));
    skipped->click();
    QVERIFY(find<QLabel>("planFooter.reasons")->text().contains(QStringLiteral("does not divide")));
}

void ExperimentDockTest::everyControlCanBeReachedByTab()
{
    load("[model]\nname = \"ffn-stack-tiny\"\n[techniques]\nsplit_ffn = \"2\"\n");
    find<QToolButton>("technique.split_ffn.info")->click();
    std::set<QString> reached;
    QWidget* first = find<QToolButton>("heading");
    first->setFocus();
    int lastY = -1;
    for (int i = 0; i < 200; ++i) {
        QWidget* now = QApplication::focusWidget();
        if (now == nullptr || !reached.insert(QStringLiteral("%1/%2").arg(now->objectName()).arg(quintptr(now))).second)
            break;
        const auto* form = find<QWidget>("experimentForm");
        if (form->isAncestorOf(now)) {
            const int y = now->mapTo(form, QPoint(0, now->height() / 2)).y();
            QVERIFY2(y + now->height() >= lastY, qPrintable(now->objectName()));
            lastY = y;
        }
        QTest::keyClick(now, Qt::Key_Tab);
    }
    for (const char* name : {"model.name.editor", "technique.checkpointing.toggle", "technique.split_ffn.info",
             "techniques.split_ffn.axis", "techniques.split_ffn.accumulate.editor", "workload.step.editor",
             "workload.batch.editor", "device.name.editor"})
        QVERIFY2(std::any_of(reached.begin(), reached.end(),
                     [&](const QString& key) { return key.startsWith(QLatin1String(name)); }),
            name);
}

// Every technique on, so that every option is there; as narrow as the dock can be.
void ExperimentDockTest::nothingIsCutOffAtTheSide()
{
    load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n[techniques]\n"
         "trainable = \"lora:4\"\ncasting = \"e4m3\"\noffload = \"block:1\"\nsplit_ffn = \"4:recompute\"\n"
         "checkpointing = \"all\"\nema = \"host:async\"\n");
    settle();
    m_window->resize(m_window->minimumSizeHint().width(), 800);
    m_window->resizeDocks({m_dock}, {1}, Qt::Horizontal);
    auto* scroll = find<QScrollArea>("experimentScroll");
    QTRY_VERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
        qPrintable(QStringLiteral("%1 of %2")
                .arg(scroll->viewport()->width())
                .arg(scroll->widget()->minimumSizeHint().width())));
    QCOMPARE(scroll->widget()->width(), scroll->viewport()->width());
}

HEADROOM_UI_TEST(ExperimentDockTest)

} // namespace headroom::ui

#include "ExperimentDockTest.moc"

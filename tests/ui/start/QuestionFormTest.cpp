// SPDX-License-Identifier: Apache-2.0
#include "ui/start/QuestionForm.h"

#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"
#include "tests/ui/UiTest.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>

namespace headroom::ui {
namespace {

CardList someCards()
{
    return {{{QStringLiteral("a100-80gb"), QStringLiteral("NVIDIA A100 80GB"), 79 * kGiB, kGiB / 2},
                {QStringLiteral("rtx4090"), QStringLiteral("NVIDIA GeForce RTX 4090"), 23 * kGiB, kGiB / 2}},
        {}};
}

config::Trial trialOfSpec(const std::string& spec)
{
    return experiments::expand(experiments::loadSpecText(spec, "question", {})).front().trial;
}

} // namespace

class QuestionFormTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_form = std::make_unique<QuestionForm>();
        m_form->show();
    }

    void cleanup() { m_form.reset(); }

    // A model file that was opened is the first of the list; what is asked names its path, and its sizes are the
    // fields.
    void aModelFileIsOfferedAndChosen()
    {
        const std::string file = HEADROOM_SOURCE_DIR "/tests/reference/imported/llama.pt2";
        const std::string name = config::importModel(file);
        m_form->setCards(someCards());
        m_form->offerModel(name);
        const auto* models = m_form->findChild<QComboBox*>(QStringLiteral("startModel"));
        QCOMPARE(models->currentIndex(), 0);
        QVERIFY2(models->currentText().endsWith(QStringLiteral(" of llama.pt2")), qPrintable(models->currentText()));
        QCOMPARE(m_form->question().model, name);
        auto* length = m_form->findChild<QSpinBox*>(QStringLiteral("startSize-sequence_length"));
        QVERIFY(length != nullptr);
        length->setValue(8);
        const config::Trial trial = trialOfSpec(specOf(m_form->question()));
        QCOMPARE(trial.configuration.model, name);
        QCOMPARE(trial.configuration.workload.shapes.at("sequence_length").integer(), 8);
        const int offered = models->count();
        m_form->offerModel(name); // once more: it stays where it is, as does another choice
        m_form->offerModel("llama-3-8b");
        QCOMPARE(models->count(), offered);
    }

    void nothingIsAskedBeforeThereAreCards()
    {
        QSignalSpy asked(m_form.get(), &QuestionForm::asked);
        QTest::keyClick(m_form.get(), Qt::Key_Return);
        QCOMPARE(asked.count(), 0);
        m_form->setCards(someCards());
        QTest::keyClick(m_form.get(), Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(m_form->question().card, std::string("rtx4090"));
    }

    // For every model of the catalogue its defaults are a question that a spec can say.
    void everyModelCanBeAskedAbout()
    {
        m_form->setCards(someCards());
        auto* models = box("startModel");
        QCOMPARE(static_cast<std::size_t>(models->count()), config::modelNames().size());
        for (int i = 0; i < models->count(); ++i) {
            models->setCurrentIndex(i);
            const StartQuestion question = m_form->question();
            QVERIFY2(problemOf(question).empty(), problemOf(question).c_str());
            const config::Trial trial = trialOfSpec(specOf(question));
            QCOMPARE(trial.configuration.model, question.model);
            QCOMPARE(trial.device.profile, std::string("rtx4090"));
            for (const auto& [name, size] : question.sizes)
                QCOMPARE(trial.configuration.workload.shapes.at(name).integer(), size);
        }
    }

    void theTaskDecidesWhatIsTrained()
    {
        m_form->setCards(someCards());
        m_form->findChild<QSpinBox*>(QStringLiteral("startRank"))->setValue(32);
        auto trial = trialOfSpec(specOf(m_form->question()));
        QCOMPARE(trial.configuration.techniques.at("trainable").notation, std::string("lora:32"));
        QCOMPARE(trial.configuration.workload.step, config::StepKind::Train);
        m_form->findChild<QRadioButton*>(QStringLiteral("startFull"))->click();
        QVERIFY(!m_form->findChild<QSpinBox*>(QStringLiteral("startRank"))->isEnabled());
        trial = trialOfSpec(specOf(m_form->question()));
        QCOMPARE(trial.configuration.techniques.at("trainable").notation, std::string("all"));
        QCOMPARE(trial.configuration.techniques.at("optimizer").notation, std::string("adamw:foreach"));
        m_form->findChild<QRadioButton*>(QStringLiteral("startInference"))->click();
        trial = trialOfSpec(specOf(m_form->question()));
        QCOMPARE(trial.configuration.workload.step, config::StepKind::Inference);
        QCOMPARE(trial.configuration.workload.dtype, config::Dtype::BFloat16);
    }

    // A video's frames are one more than a multiple of 8.
    void sizesThatCannotWorkSaySoAndAreNotAsked()
    {
        m_form->setCards(someCards());
        auto* frames = m_form->findChild<QSpinBox*>(QStringLiteral("startSize-frames"));
        frames->setValue(120);
        QVERIFY(!m_form->findChild<QLabel*>(QStringLiteral("startProblem"))->text().isEmpty());
        QVERIFY(!m_form->findChild<QPushButton*>(QStringLiteral("startAsk"))->isEnabled());
        QSignalSpy asked(m_form.get(), &QuestionForm::asked);
        QTest::keyClick(m_form.get(), Qt::Key_Return);
        QCOMPARE(asked.count(), 0);
        frames->setValue(121);
        QVERIFY(m_form->findChild<QLabel*>(QStringLiteral("startProblem"))->text().isEmpty());
        QTest::keyClick(frames, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front().front().value<StartQuestion>().sizes.at("frames"), std::int64_t(121));
    }

    void keysReachEveryFieldInItsOrder()
    {
        m_form->setCards(someCards());
        m_form->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_form.get()));
        box("startModel")->setCurrentIndex(box("startModel")->findData(QStringLiteral("ltx-video-tiny"))); // made anew
        box("startModel")->setFocus();
        QStringList reached;
        for (int i = 0; i < 20 && !reached.contains(QStringLiteral("startAsk")); ++i) {
            reached.append(QApplication::focusWidget()->objectName());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        const QStringList wanted{QStringLiteral("startModel"), QStringLiteral("startCard"), QStringLiteral("startLora"),
            QStringLiteral("startRank"), QStringLiteral("startSize-batch"), QStringLiteral("startSize-frames"),
            QStringLiteral("startSize-height"), QStringLiteral("startSize-width"),
            QStringLiteral("startSize-text_tokens"), QStringLiteral("startAsk")};
        QCOMPARE(reached, wanted);
    }

private:
    QComboBox* box(const char* name) { return m_form->findChild<QComboBox*>(QLatin1String(name)); }

    std::unique_ptr<QuestionForm> m_form;
};

HEADROOM_UI_TEST(QuestionFormTest)

} // namespace headroom::ui

#include "QuestionFormTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/ScriptForm.h"

#include "tests/ui/UiTest.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

namespace headroom::ui {

class ScriptFormTest : public UiTest {
    Q_OBJECT

private:
    static CardList cards()
    {
        CardList list;
        list.cards = {{QStringLiteral("a100-80gb"), QStringLiteral("NVIDIA A100"), 84'000'000'000, 0},
            {QStringLiteral("rtx4090"), QStringLiteral("NVIDIA GeForce RTX 4090"), 25'000'000'000, 0}};
        return list;
    }

private Q_SLOTS:
    void nothingIsAskedWithoutACommandOrCards()
    {
        ScriptForm form;
        const QSignalSpy asked(&form, &ScriptForm::asked);
        const auto* button = form.findChild<QPushButton*>(QStringLiteral("scriptAsk"));
        auto* command = form.findChild<QLineEdit*>(QStringLiteral("scriptCommand"));
        command->setText(QStringLiteral("python train.py"));
        QVERIFY(!button->isEnabled());
        form.setCards(cards());
        QVERIFY(button->isEnabled());
        command->clear();
        QVERIFY(!button->isEnabled());
        form.ask();
        QCOMPARE(asked.count(), 0);
        QVERIFY(form.findChild<QLabel*>(QStringLiteral("scriptProblem"))->text().isEmpty());
    }

    void aScriptWithoutItsPythonIsExplained()
    {
        ScriptForm form;
        form.setCards(cards());
        form.findChild<QLineEdit*>(QStringLiteral("scriptCommand"))->setText(QStringLiteral("train.py --batch 4"));
        QCOMPARE(form.findChild<QLabel*>(QStringLiteral("scriptProblem"))->text(),
            QStringLiteral("A script is started by its Python: python train.py --batch 4"));
    }

    void enterAsksWhatTheFieldsHave()
    {
        ScriptForm form;
        form.setCards(cards());
        const ScriptQuestion question{QStringLiteral("python \"my train.py\""), QStringLiteral("/home/ana"),
            QStringLiteral("/home/ana/venv"), QStringLiteral("a100-80gb"), 0};
        form.setQuestion(question);
        const QSignalSpy asked(&form, &ScriptForm::asked);
        QTest::keyClick(form.findChild<QLineEdit*>(QStringLiteral("scriptFolder")), Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<ScriptQuestion>(), question);
        QCOMPARE(scriptQuestionFrom(toVariant(question)), question);
    }

    void aCardOfLastTimeIsChosenOnceCardsAreThere()
    {
        ScriptForm form;
        form.setQuestion({QStringLiteral("python t.py"), {}, {}, QStringLiteral("a100-80gb"), 3});
        QCOMPARE(form.question().card, QStringLiteral("a100-80gb"));
        form.setCards(cards());
        QCOMPARE(form.findChild<QComboBox*>(QStringLiteral("scriptCard"))->currentData().toString(),
            QStringLiteral("a100-80gb"));
    }

    void whileOneGoesOnTheButtonEndsIt()
    {
        ScriptForm form;
        form.setCards(cards());
        form.setRunning(true);
        const QSignalSpy stops(&form, &ScriptForm::stopWanted);
        form.findChild<QPushButton*>(QStringLiteral("scriptAsk"))->click();
        QCOMPARE(stops.count(), 1);
    }

    void wordsReachTheCommandLineAsTheyAre()
    {
        const ScriptQuestion question{
            QStringLiteral("python \"my train.py\" --batch 4"), {}, {}, QStringLiteral("rtx4090"), 3};
        const QStringList arguments = argumentsOf(question, QStringLiteral("/w.db"));
        QCOMPARE(arguments.mid(arguments.indexOf(QStringLiteral("--")) + 1),
            (QStringList{QStringLiteral("python"), QStringLiteral("my train.py"), QStringLiteral("--batch"),
                QStringLiteral("4")}));
        QCOMPARE(commandLineOf(question),
            QStringLiteral("headroom rehearse --device rtx4090 --steps 3 -- python \"my train.py\" --batch 4"));
        QCOMPARE(pathFor({{}, {}, QStringLiteral("/venv"), {}, 3}, QStringLiteral("/bin")),
            QStringLiteral("/venv/bin:/bin"));
    }
};

HEADROOM_UI_TEST(ScriptFormTest)

} // namespace headroom::ui

#include "ScriptFormTest.moc"

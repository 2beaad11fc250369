// SPDX-License-Identifier: Apache-2.0
#include "ui/rehearse/RehearseView.h"

#include "tests/ui/UiTest.h"
#include "ui/rehearse/LiveMemory.h"
#include "ui/rehearse/ScriptForm.h"

#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace headroom::ui {

/// With a program in the place of headroom that says what it would say.
class RehearseViewTest : public UiTest {
    Q_OBJECT

private:
    void say(RehearseView& view, const QByteArray& text)
    {
        const QString file = m_folder.filePath(QStringLiteral("headroom"));
        QFile program(file);
        QVERIFY(program.open(QIODevice::WriteOnly | QIODevice::Truncate));
        program.write("#!/bin/sh\n" + text);
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        view.process().setProgram(file);
        CardList cards;
        cards.cards = {{QStringLiteral("rtx4090"), QStringLiteral("NVIDIA GeForce RTX 4090"), 25'000'000'000, 0}};
        view.setCards(cards);
        view.setWorkspace(QStringLiteral("/w.db"));
    }

    static ScriptQuestion question(const QString& command = QStringLiteral("python train.py"))
    {
        return {command, QStringLiteral("/"), QStringLiteral("/venv"), QStringLiteral("rtx4090"), 3};
    }

    static constexpr const char* kFits = R"(cat <<'END'
{"event":"row_started","label":"rtx4090 | train.py"}
{"event":"moment","seconds":0.1,"unlimited":false,"taken_bytes":1073741824,"phase":"load","steps":0,"allocated_bytes":null,"reserved_bytes":null}
{"event":"moment","seconds":0.2,"unlimited":false,"taken_bytes":2147483648,"phase":"forward","steps":1,"allocated_bytes":1073741824,"reserved_bytes":1610612736}
{"event":"row_finished","sentence":"In the first 3 steps: fits, needs 2 GiB of 23.6 GiB.","row":{"verdict":"fits","trial_id":"abc","ranks":[{"needed_bytes":2147483648,"usable_bytes":25384976384,"peak":{"allocated_bytes":1,"reserved_bytes":2}}]}}
{"trial_id":"abc","verdict":"fits"}
END
echo "step 1" >&2
printf '  0%%\r 50%%\r100%%\n' >&2
)";

    QTemporaryDir m_folder;

private Q_SLOTS:
    void theAnswerIsShownWithWhatWasPrinted()
    {
        RehearseView view(m_theme);
        say(view, kFits);
        const QSignalSpy stored(&view, &RehearseView::stored);
        const QSignalSpy wanted(&view, &RehearseView::trialWanted);
        view.begin(question());
        QTRY_COMPARE(stored.count(), 1);
        QCOMPARE(stored.first().first().toString(), QStringLiteral("abc"));
        QCOMPARE(view.sentence(), QStringLiteral("In the first 3 steps: fits, needs 2 GiB of 23.6 GiB."));
        QVERIFY(!view.findChild<LiveMemory*>()->isEmpty());
        QVERIFY(view.findChild<LiveMemory*>()->accessibleDescription().contains(QStringLiteral("2.00 GiB taken")));
        const auto* output = view.findChild<QPlainTextEdit*>(QStringLiteral("rehearsalOutput"));
        QVERIFY(output->toPlainText().endsWith(QStringLiteral("step 1\n100%")));
        view.findChild<QPushButton*>(QStringLiteral("rehearsalOpen"))->click();
        QCOMPARE(wanted.first().first().toString(), QStringLiteral("abc"));
        view.grab(); // it paints without a warning
    }

    void theAnswerBeforeStaysToCompareWith()
    {
        RehearseView view(m_theme);
        say(view, kFits);
        const QSignalSpy stored(&view, &RehearseView::stored);
        view.begin(question());
        QTRY_COMPARE(stored.count(), 1);
        view.begin(question(QStringLiteral("python train.py --batch 8")));
        QTRY_COMPARE(stored.count(), 2);
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("rehearsalBefore"))
                ->text()
                .startsWith(QStringLiteral("Before, python train.py on rtx4090: In the first 3 steps: fits")));
    }

    void itStartsInTheFolderWithTheEnvironmentsPrograms()
    {
        RehearseView view(m_theme);
        say(view, "pwd >&2; echo \"$PATH\" >&2; echo \"$@\" >&2; exit 2\n");
        view.begin(question());
        QTRY_VERIFY(!view.isRunning());
        const QString said = view.findChild<QPlainTextEdit*>(QStringLiteral("rehearsalOutput"))->toPlainText();
        QVERIFY(said.contains(QStringLiteral("\n/\n/venv/bin:")));
        QVERIFY(view.sentence().startsWith(QStringLiteral("rehearse --device rtx4090 --steps 3 --workspace /w.db")));
    }

    void oneThatIsStoppedSaysSo()
    {
        RehearseView view(m_theme);
        say(view, "echo on >&2; exec sleep 60\n");
        const QSignalSpy printed(&view.process(), &RehearsalProcess::printed);
        view.begin(question());
        QTRY_COMPARE(printed.count(), 1);
        view.findChild<QPushButton*>(QStringLiteral("scriptAsk"))->click();
        QTRY_VERIFY(!view.isRunning());
        QTRY_COMPARE(view.sentence(), QStringLiteral("Stopped."));
    }

    void aProgramThatIsNotThereIsNamed()
    {
        RehearseView view(m_theme);
        say(view, "");
        view.process().setProgram(QStringLiteral("/no/such/headroom"));
        view.begin(question());
        QTRY_VERIFY(view.sentence().contains(QStringLiteral("/no/such/headroom cannot be started")));
        QCOMPARE(view.findChild<QPushButton*>(QStringLiteral("scriptAsk"))->text(), QStringLiteral("&Rehearse"));
    }

    void withoutAWorkspaceNothingIsStarted()
    {
        RehearseView view(m_theme);
        const QSignalSpy refused(&view, &RehearseView::refused);
        view.begin(question());
        QCOMPARE(refused.count(), 1);
        QVERIFY(!view.isRunning());
    }

private:
    Theme m_theme;
};

HEADROOM_UI_TEST(RehearseViewTest)

} // namespace headroom::ui

#include "RehearseViewTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/experiment/DockFixture.h"
#include "ui/experiment/SpecTextEdit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QTextBlock>
#include <QTextLayout>

namespace headroom::ui {

class SpecTextTest : public UiTest, private DockFixture {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        open();
        load("# mine\n[model]\nname = \"ltx-video-tiny\"\n\n[workload]\nbatch = 2  # two\n[techniques]\n");
        dock().showText();
        m_edit = find<SpecTextEdit>("specText");
        m_edit->setFocus();
    }

    void cleanup() { close(); }

    void theLinesAreNumbered()
    {
        auto* margin = m_edit->findChild<QWidget*>(QStringLiteral("specText.lines"));
        QVERIFY(margin->isVisible() && margin->width() > 10);
        QVERIFY(m_edit->viewport()->x() >= margin->x() + margin->width());
        const QImage picture = margin->grab().toImage();
        bool isWritten = false;
        for (int y = 0; y < picture.height() && !isWritten; ++y)
            for (int x = 0; x < picture.width(); ++x)
                isWritten = isWritten || picture.pixel(x, y) != picture.pixel(0, picture.height() - 1);
        QVERIFY(isWritten);
    }

    void keysValuesAndCommentsHaveColours()
    {
        const auto colourAt = [&](int line, int column) {
            for (const QTextLayout::FormatRange& range :
                m_edit->document()->findBlockByNumber(line).layout()->formats())
                if (column >= range.start && column < range.start + range.length)
                    return range.format.foreground().color();
            return QColor();
        };
        QCOMPARE(colourAt(0, 3), theme().muted());
        QCOMPARE(colourAt(2, 1), theme().series(0)); // name
        QCOMPARE(colourAt(2, 10), theme().series(2)); // "ltx-video-tiny"
        QCOMPARE(colourAt(5, 8), theme().series(1)); // 2
        QCOMPARE(colourAt(5, 13), theme().muted()); // # two
    }

    void aHashWithinAStringIsNoComment()
    {
        m_edit->setPlainText(QStringLiteral("name = \"a # b\" # c"));
        const auto formats = m_edit->document()->firstBlock().layout()->formats();
        QCOMPARE(formats.back().start, 15);
    }

    void keysOfTheTableAreOffered()
    {
        moveToTheEnd();
        QTest::keyClicks(m_edit, QStringLiteral("chec"));
        QVERIFY(popup()->isVisible());
        QCOMPARE(m_edit->completer().currentCompletion(), QStringLiteral("checkpointing"));
        QTest::keyClick(popup(), Qt::Key_Return);
        QVERIFY(m_edit->toPlainText().endsWith(QStringLiteral("[techniques]\ncheckpointing")));
    }

    void valuesOfTheKeyAreOffered()
    {
        moveToTheEnd();
        QTest::keyClicks(m_edit, QStringLiteral("checkpointing = \"ev"));
        QVERIFY(popup()->isVisible());
        QTest::keyClick(popup(), Qt::Key_Return);
        QVERIFY2(m_edit->toPlainText().contains(QStringLiteral("checkpointing = \"every:2\"")),
            qPrintable(m_edit->toPlainText()));
        settle();
        QCOMPARE(session().plan()->trials.front().trial.configuration.techniques.at("checkpointing").notation,
            std::string("every:2"));
    }

    void whereNothingIsKnownNothingIsOffered()
    {
        m_edit->setPlainText(QStringLiteral("[nonsense]\n"));
        moveToTheEnd();
        QTest::keyClick(m_edit, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(!popup()->isVisible());
        QTest::keyClicks(m_edit, QStringLiteral("[workload]"));
        QTest::keyClick(m_edit, Qt::Key_Return);
        QTest::keyClick(m_edit, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(popup()->isVisible());
        QTest::keyClick(popup(), Qt::Key_Escape);
        QVERIFY(!popup()->isVisible());
    }

private:
    void moveToTheEnd()
    {
        QTextCursor cursor = m_edit->textCursor();
        cursor.movePosition(QTextCursor::End);
        m_edit->setTextCursor(cursor);
    }

    QAbstractItemView* popup() { return m_edit->completer().popup(); }

    SpecTextEdit* m_edit = nullptr;
};

HEADROOM_UI_TEST(SpecTextTest)

} // namespace headroom::ui

#include "SpecTextTest.moc"

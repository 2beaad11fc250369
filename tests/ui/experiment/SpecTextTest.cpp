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

    void aStringOfSeveralLinesIsOne()
    {
        m_edit->setPlainText(
            QStringLiteral("description = \"\"\"one\n[two] # no comment\nthree\"\"\" # yes\nbatch = 2\n"));
        QCOMPARE(colourAt(1, 0), theme().series(2));
        QCOMPARE(colourAt(1, 8), theme().series(2));
        QCOMPARE(colourAt(2, 10), theme().muted());
        QCOMPARE(colourAt(3, 0), theme().series(0));
    }

    void aProblemStandsAtItsLine()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nframes = 120 # too few\n");
        QCOMPARE(m_edit->remarks().size(), 1);
        const SpecRemark& remark = m_edit->remarks().front();
        QCOMPARE(remark.line, 4);
        QVERIFY(remark.text.contains(QStringLiteral("113 or 121")));
        const QTextCursor underlined = m_edit->extraSelections().at(0).cursor;
        QCOMPARE(underlined.selectedText(), QStringLiteral("120"));
        QCOMPARE(m_edit->extraSelections().at(0).format.underlineStyle(), QTextCharFormat::WaveUnderline);
        m_edit->window()->resize(1200, 800);
        QCoreApplication::processEvents();
        QVERIFY2(isPaintedBehind(underlined), "the sentence stands behind its line");
        QVERIFY(!isPaintedBehind(QTextCursor(m_edit->document()->firstBlock())));
        QVERIFY(!note()->isVisible());
    }

    void whereTheLineHasNoRoomTheSentenceStandsBelowTheCursor()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nframes = 120\nbatch = 1\n");
        QVERIFY(!note()->isVisible());
        QTest::keyClick(m_edit, Qt::Key_F8);
        QCOMPARE(m_edit->textCursor().blockNumber(), 3);
        QVERIFY(note()->isVisible());
        QVERIFY(note()->text().contains(QStringLiteral("113 or 121")));
        QVERIFY(note()->height() >= note()->heightForWidth(note()->width()));
        QVERIFY(m_edit->viewport()->rect().contains(note()->geometry()));
        QVERIFY(note()->y() >= m_edit->cursorRect().bottom());
        QTest::keyClick(m_edit, Qt::Key_Down);
        QVERIFY(!note()->isVisible());
    }

    void anUnknownKeyIsUnderlinedItself()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[techniques]\n  chekpointing = \"all\"\n");
        QCOMPARE(m_edit->extraSelections().at(0).cursor.selectedText(), QStringLiteral("chekpointing"));
    }

    void aConflictIsToldAtTheSettingThatHasIt()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n[techniques]\ntrainable = [\"all\", "
             "\"lora:16\"]\ncasting = [\"off\", \"e4m3\"]\n");
        QCOMPARE(m_edit->remarks().size(), 1);
        const SpecRemark& remark = m_edit->remarks().front();
        QCOMPARE(remark.kind, SpecRemark::Kind::Conflict);
        QCOMPARE(remark.line, 7);
        QVERIFY2(remark.text.contains(QStringLiteral("no optimizer can update")), qPrintable(remark.text));
    }

    void aValueThatWorksInNoTrialIsAnErrorAndToldOnce()
    {
        load("[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\n[techniques]\ntrainable = \"all\"\n"
             "casting = [\"off\", \"e4m3\"]\n");
        QCOMPARE(m_edit->remarks().size(), 1);
        const SpecRemark& remark = m_edit->remarks().front();
        QCOMPARE(remark.kind, SpecRemark::Kind::Error);
        QCOMPARE(remark.line, 7);
        QVERIFY(m_edit->extraSelections().at(0).cursor.selectedText().startsWith(QStringLiteral("\"e4m3\"")));
    }

    void valuesOfAListOfSeveralLinesAreOffered()
    {
        moveToTheEnd();
        QTest::keyClicks(m_edit, QStringLiteral("checkpointing = ["));
        QTest::keyClick(m_edit, Qt::Key_Return);
        QTest::keyClicks(m_edit, QStringLiteral("  \"none\","));
        QTest::keyClick(m_edit, Qt::Key_Return);
        QCOMPARE(m_edit->place().key, QStringLiteral("checkpointing"));
        QTest::keyClicks(m_edit, QStringLiteral("  \"ev"));
        QVERIFY(popup()->isVisible());
        QTest::keyClick(popup(), Qt::Key_Escape);
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

    QColor colourAt(int line, int column) const
    {
        for (const QTextLayout::FormatRange& range : m_edit->document()->findBlockByNumber(line).layout()->formats())
            if (column >= range.start && column < range.start + range.length)
                return range.format.foreground().color();
        return {};
    }

    // To the right of the text at the cursor.
    bool isPaintedBehind(const QTextCursor& cursor) const
    {
        const QImage picture = m_edit->viewport()->grab().toImage();
        QTextCursor end(cursor.block());
        end.movePosition(QTextCursor::EndOfBlock);
        const QRect line = m_edit->cursorRect(end);
        const QRgb ground = m_edit->palette().color(QPalette::Base).rgb();
        const double scale = picture.devicePixelRatio();
        for (int y = static_cast<int>(line.top() * scale); y < static_cast<int>(line.bottom() * scale); ++y)
            for (int x = static_cast<int>((line.right() + 8) * scale); x < picture.width(); ++x)
                if (picture.pixel(x, y) != ground)
                    return true;
        return false;
    }

    QLabel* note() const { return m_edit->findChild<QLabel*>(QStringLiteral("specText.note")); }

    QAbstractItemView* popup() { return m_edit->completer().popup(); }

    SpecTextEdit* m_edit = nullptr;
};

HEADROOM_UI_TEST(SpecTextTest)

} // namespace headroom::ui

#include "SpecTextTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/pictures/ViewPicture.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/compare/CompareView.h"
#include "ui/figures/SheetExport.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QTableView>
#include <QTreeView>

namespace headroom::ui {

/// Copies each view of a small run by its key.
class ViewPictureTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_open = std::make_unique<OpenWindow>();
        m_open->showSixTrials();
        QGuiApplication::clipboard()->clear();
    }

    void cleanup() { m_open.reset(); }

    void theTradeoffIsCopiedWithItsCaption()
    {
        views().bringForward(views().tradeoff);
        QTRY_COMPARE(views().tradeoff->plot().figure()->marks.size(), 6U);
        views().tradeoff->plot().setFocus();
        const QByteArray svg = copied();
        QVERIFY2(svg.contains("window: ffn-stack-tiny"), svg.left(200).constData());
        QVERIFY(svg.contains(" on cpu; measured; "));
        QCOMPARE(svg.count("class=\"headroom-figure tradeoff\""), 1);
        save("tradeoff");
    }

    void aTimelineIsCopiedWithItsTreeAndTheTreeAlone()
    {
        views().bringForward(views().timeline);
        QTRY_VERIFY(!views().timeline->stack().lanes().isEmpty());
        QTRY_VERIFY(views().timeline->stack().lanes().front()->hasData());
        views().timeline->stack().lanes().front()->plot().setFocus();
        QByteArray svg = copied();
        QVERIFY(svg.contains("class=\"headroom-figure timeline\""));
        QVERIFY(svg.contains("; measured; "));
        save("timeline");
        auto* tree = views().timeline->findChild<QTreeView*>(QStringLiteral("peakTree"));
        QVERIFY(tree != nullptr);
        if (!tree->isVisible() || tree->model()->rowCount() == 0)
            QSKIP("the scripted worker's trace has no owners");
        tree->setFocus();
        svg = copied();
        QVERIFY(!svg.contains("headroom-figure timeline"));
        QVERIFY(svg.contains("; measured; "));
        save("tree");
    }

    void comparedTrialsAreCopiedWithTheirSentencesAndTables()
    {
        m_open->select(3);
        views().bringForward(views().compare);
        QTRY_VERIFY(!pictureSheet(*views().compare).isEmpty());
        views().compare->setFocus();
        const QByteArray svg = copied();
        QVERIFY(svg.contains("; measured; "));
        QVERIFY(svg.contains("sequence_length") || svg.contains("sequence length"));
        save("compare");
    }

    void aTableIsCopiedAsItIsSeen()
    {
        QAbstractItemView* table = views().trials->table();
        views().bringForward(views().trials);
        table->setFocus();
        const figures::Table shown = shownTable(*table);
        QCOMPARE(shown.rows.size(), 6U);
        const QByteArray svg = copied();
        for (const std::string& header : shown.header)
            QVERIFY2(svg.contains(QString::fromStdString(header).toHtmlEscaped().toUtf8()), header.c_str());
        QVERIFY(!svg.contains("headroom-figure tradeoff"));
        save("trials");
    }

    void aPlotsOwnFilesHaveTheCaptionToo()
    {
        views().bringForward(views().tradeoff);
        QTRY_COMPARE(views().tradeoff->plot().figure()->marks.size(), 6U);
        const QImage bare = pictureOf(*views().tradeoff->plot().shown(), {.scale = 1});
        QVERIFY(views().tradeoff->plot().picture(1).height() > bare.height());
    }

    void whereThereIsNothingNothingIsCopied()
    {
        const QWidget nothing;
        QVERIFY(pictureSheet(nothing).isEmpty());
    }

private:
    WindowViews& views() { return m_open->window().views(); }

    // The SVG of what Ctrl+Shift+I puts on the clipboard, beside an image of it.
    QByteArray copied()
    {
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(&m_open->window(), Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        m_image = data == nullptr ? QImage() : qvariant_cast<QImage>(data->imageData());
        return m_image.isNull() ? QByteArray() : data->data(QStringLiteral("image/svg+xml"));
    }

    // To look at: where the environment names a folder.
    void save(const char* name) const
    {
        QVERIFY(m_image.width() >= 1000);
        if (const QString folder = qEnvironmentVariable("HEADROOM_TEST_PICTURES"); !folder.isEmpty())
            m_image.save(folder + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
    }

    std::unique_ptr<OpenWindow> m_open;
    QImage m_image;
};

HEADROOM_UI_TEST(ViewPictureTest)

} // namespace headroom::ui

#include "ViewPictureTest.moc"

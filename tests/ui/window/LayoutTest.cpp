// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/compare/CompareView.h"
#include "ui/look/ElidedLabel.h"
#include "ui/plot/ChoiceField.h"
#include "ui/plot/TradeoffView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

namespace headroom::ui {
namespace {

QString textOf(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->wordWrap() || label->textFormat() == Qt::RichText ? QString() : label->text();
    if (const auto* field = qobject_cast<const ChoiceField*>(&widget))
        return field->currentText();
    if (const auto* button = qobject_cast<const QToolButton*>(&widget))
        return button->toolButtonStyle() == Qt::ToolButtonIconOnly && !button->icon().isNull() ? QString()
                                                                                               : button->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text();
    return {};
}

// A list's text ends before its arrow.
int roomOf(const QWidget& widget)
{
    const bool hasArrow = qobject_cast<const ChoiceField*>(&widget) != nullptr;
    return widget.width() - (hasArrow ? widget.height() : 0);
}

// What decides is read first: in a window of the usual size it is not elided either.
bool mustBeWhole(const QWidget& widget)
{
    return widget.objectName() == QLatin1String("answerVerdict") && widget.window()->width() >= 1440;
}

int widestLine(const QWidget& widget, const QString& text)
{
    int widest = 0;
    for (QString line : text.split(QLatin1Char('\n')))
        widest = std::max(widest, widget.fontMetrics().horizontalAdvance(line.remove(QLatin1Char('&'))));
    return widest;
}

} // namespace

// The window at the sizes that people have: no words are cut. On a dense screen of 3840 x
// 2160 pixels the size is the last one.
class LayoutTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        UiTest::initTestCase();
        m_open = std::make_unique<OpenWindow>();
        m_open->showSixTrials();
    }

    void cleanupTestCase() { m_open.reset(); }

    void theTableBelowShowsFourRows()
    {
        window().resize(1440, 900);
        window().arrange(Arrangement::Overview);
        views().bringForward(views().trials);
        const QTableView& table = *views().trials->table();
        const auto shown = [&] { return double(table.viewport()->height()) / table.rowHeight(0); };
        QTRY_VERIFY2(shown() >= 4, qPrintable(QString::number(shown())));
    }

    void noWordsAreCut_data() { sizes(); }
    void noWordsAreCut()
    {
        resize();
        for (QWidget* view : std::initializer_list<QWidget*>{views().tradeoff, views().timeline, views().compare}) {
            m_open->select(view == views().compare ? 4 : 1);
            views().bringForward(view);
            QTest::qWait(300); // until everything is read and laid out
            const QStringList cut = cutWords();
            QVERIFY2(cut.isEmpty(), qPrintable(view->objectName() + QLatin1Char('\n') + cut.join(QLatin1Char('\n'))));
        }
    }

private:
    static void sizes()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1024, 700);
        QTest::newRow("default") << QSize(1440, 900);
        QTest::newRow("large") << QSize(1600, 1000);
        QTest::newRow("3840 x 2160 at twice the density") << QSize(1920, 1080);
        QTest::newRow("3840 x 2160") << QSize(3840, 2160);
    }

    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }

    void resize()
    {
        QFETCH(QSize, size);
        window().resize(size);
        window().arrange(Arrangement::Overview);
        views().show(WindowViews::CentralPage::Plots);
        QTest::qWait(50); // a low window folds its tables, and may be narrower then
        window().resize(size);
        QTRY_COMPARE(window().size(), size);
    }

    QStringList cutWords()
    {
        QStringList cut;
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->visibleRegion().isEmpty()
                || (qobject_cast<const ElidedLabel*>(widget) != nullptr && !mustBeWhole(*widget)))
                continue;
            const QString text = textOf(*widget);
            if (widestLine(*widget, text) > roomOf(*widget))
                cut.append(QStringLiteral("%1 \"%2\": %3 px of %4")
                        .arg(widget->objectName(), text)
                        .arg(roomOf(*widget))
                        .arg(widestLine(*widget, text)));
        }
        return cut;
    }

    std::unique_ptr<OpenWindow> m_open;
};

HEADROOM_UI_TEST(LayoutTest)

} // namespace headroom::ui

#include "LayoutTest.moc"

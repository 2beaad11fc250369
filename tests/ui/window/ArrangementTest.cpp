// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/compare/CompareView.h"
#include "ui/experiment/ExperimentDock.h"
#include "ui/experiment/TechniqueCard.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/TradeoffView.h"
#include "ui/queue/QueueView.h"
#include "ui/results/TrialsView.h"
#include "ui/timeline/TimelineView.h"

#include <QAction>
#include <QDockWidget>
#include <QScrollArea>
#include <QTabBar>
#include <QToolBar>

#include <algorithm>

namespace headroom::ui {

class ArrangementTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_open = std::make_unique<OpenWindow>();
        m_open->showSixTrials();
    }

    void cleanup() { m_open.reset(); }

    void aTimelineIsHighEnoughToBeRead()
    {
        views().bringForward(views().timeline);
        QTRY_VERIFY(!views().timeline->stack().lanes().isEmpty());
        QTRY_VERIFY(views().timeline->stack().lanes().front()->hasData());
        const auto height = [&] {
            return views().timeline->stack().lanes().front()->canvas().scene().layout.plot.height;
        };
        QTRY_VERIFY2(height() >= 240, qPrintable(QString::number(height())));
    }

    void aSmallWindowStillHasPlots()
    {
        window().resize(1024, 700);
        window().arrange(Arrangement::Overview);
        views().bringForward(views().tradeoff);
        QTRY_VERIFY(views().tradeoff->plot().canvas().scene().layout.plot.height >= 120);
        views().bringForward(views().timeline);
        QTRY_VERIFY(views().timeline->stack().lanes().front()->hasData());
        QTRY_VERIFY(views().timeline->stack().lanes().front()->canvas().scene().layout.plot.height >= 120);
    }

    void everyTechniqueIsSeenWithoutScrolling_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QSize>("size");
        QTest::newRow("a new experiment") << QString() << QSize(1440, 900);
        QTest::newRow("two parts and a sweep") << QStringLiteral("demo") << QSize(1440, 900);
        QTest::newRow("a sweep over four techniques") << QStringLiteral("four-levers") << QSize(1440, 900);
        QTest::newRow("a new experiment, small") << QString() << QSize(1024, 700);
        QTest::newRow("a sweep over four techniques, small") << QStringLiteral("four-levers") << QSize(1024, 700);
    }

    void everyTechniqueIsSeenWithoutScrolling()
    {
        QFETCH(QString, preset);
        QFETCH(QSize, size);
        window().resize(size);
        SpecSession& spec = m_open->services().spec;
        if (!preset.isEmpty()) {
            spec.loadPreset(preset);
            QTRY_VERIFY(spec.title() == preset && !spec.isPlanning());
        }
        const auto* scroll = views().experiment->findChild<QScrollArea*>(QStringLiteral("experimentScroll"));
        const auto cards = views().experiment->findChildren<TechniqueCard*>();
        QVERIFY(cards.size() >= 10);
        const auto lowest = [&] {
            int end = 0;
            for (const TechniqueCard* card : cards)
                end = std::max(end, card->mapTo(scroll->widget(), QPoint(0, card->height())).y());
            return end;
        };
        QTRY_VERIFY2(lowest() <= scroll->viewport()->height(),
            qPrintable(QStringLiteral("%1 px of %2").arg(lowest()).arg(scroll->viewport()->height())));
    }

    // What F5 runs may be something else than what the plan is about.
    void aRunTakesTheStageFromAPlan()
    {
        m_open->load(kWindowSpec);
        views().bringForward(views().plan);
        QTRY_COMPARE(views().plotInFront(), static_cast<QWidget*>(views().plan));
        m_open->run();
        QTRY_COMPARE(views().plotInFront(), static_cast<QWidget*>(views().tradeoff));
        QVERIFY(m_open->waitForTheEnd());
    }

    void anyViewFillsTheWindowAndReturns()
    {
        const QList<QDockWidget*> docks = views().docks();
        QList<bool> before;
        for (const QDockWidget* dock : docks)
            before.append(dock->isHidden());
        for (QWidget* view : std::initializer_list<QWidget*>{views().tradeoff, views().timeline, views().trials}) {
            views().bringForward(view);
            QTest::qWait(200); // until Qt has moved everything
            const double usual = shareOf(*view);
            QTest::keyClick(&window(), Qt::Key_F12);
            QTRY_VERIFY2(shareOf(*view) > 0.75, qPrintable(QString::number(shareOf(*view))));
            QTest::keyClick(&window(), Qt::Key_F12);
            QTRY_VERIFY2(std::abs(shareOf(*view) - usual) < 0.05,
                qPrintable(QStringLiteral("%1: %2, was %3").arg(view->objectName()).arg(shareOf(*view)).arg(usual)));
            for (int i = 0; i < docks.size(); ++i)
                QCOMPARE(docks[i]->isHidden(), before[i]);
        }
    }

    void aDoubleClickOnATabEnlargesToo()
    {
        views().bringForward(views().tradeoff);
        QTabBar* tabs = nullptr;
        QTRY_VERIFY((tabs = tabsWith(QStringLiteral("Tradeoff"))) != nullptr && tabs->isVisible());
        QTest::qWait(200); // until Qt has moved everything
        Q_EMIT tabs->tabBarDoubleClicked(tabs->currentIndex());
        QTRY_VERIFY(shareOf(*views().tradeoff) > 0.75);
        QVERIFY(!views().experiment->isVisible());
    }

    void askingForAHiddenViewLeavesTheEnlargedOne()
    {
        views().bringForward(views().tradeoff);
        QTest::keyClick(&window(), Qt::Key_F12);
        QTRY_VERIFY(!views().trials->isVisible());
        views().bringForward(views().trials);
        QTRY_VERIFY(views().trials->isVisible() && views().tradeoff->isVisible());
    }

    void anEnlargedViewIsNotWhatIsRemembered()
    {
        const QByteArray usual = views().layout();
        QTest::keyClick(&window(), Qt::Key_F12);
        QVERIFY(!views().experiment->isVisible());
        QCOMPARE(views().layout(), usual);
    }

    void theToolbarSaysWhetherTheTablesAreShown()
    {
        const auto* bar = window().findChild<QToolBar*>(QStringLiteral("mainToolbar"));
        const auto actions = bar->actions();
        const auto tables = std::ranges::find(actions, QStringLiteral("Tables"), &QAction::iconText);
        QVERIFY(tables != actions.end());
        QTRY_VERIFY((*tables)->isChecked());
        (*tables)->trigger();
        QTRY_VERIFY(!views().trials->isVisible() && !(*tables)->isChecked());
        views().bringForward(views().queue);
        QTRY_VERIFY((*tables)->isChecked());
        (*tables)->trigger();
        QTRY_VERIFY(!views().queue->isVisible() && !(*tables)->isChecked());
        (*tables)->trigger();
        QTRY_VERIFY(views().trials->isVisible() && (*tables)->isChecked());
    }

    void tablesFoldAndUnfold()
    {
        const int before = views().tradeoff->height();
        QTest::keyClick(&window(), Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(!views().trials->isVisible() && views().tradeoff->height() > before);
        QTest::keyClick(&window(), Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(views().trials->isVisible());
    }

    void viewsCanStandBesideEachOther()
    {
        auto* stage = window().findChild<QMainWindow*>(QStringLiteral("stage"));
        stage->addDockWidget(Qt::RightDockWidgetArea, views().dockOf(views().timeline));
        QTRY_VERIFY(!views().tradeoff->visibleRegion().isEmpty() && !views().timeline->visibleRegion().isEmpty());
        const QByteArray beside = views().layout();
        window().arrange(Arrangement::Overview);
        QTRY_VERIFY(
            stage->tabifiedDockWidgets(views().dockOf(views().tradeoff)).contains(views().dockOf(views().timeline)));
        views().restoreLayout(beside);
        QTRY_VERIFY(!views().tradeoff->visibleRegion().isEmpty() && !views().timeline->visibleRegion().isEmpty());
    }

    void bytesThatAreNoLayoutChangeNothing()
    {
        const QByteArray usual = views().layout();
        views().restoreLayout(QByteArray("no layout"));
        views().restoreLayout({});
        QCOMPARE(views().layout(), usual);
    }

    void eachArrangementShowsWhatItIsFor()
    {
        window().arrange(Arrangement::SetUp);
        QTRY_VERIFY(views().experiment->isVisible() && !views().trials->isVisible());
        window().arrange(Arrangement::Memory);
        QTRY_VERIFY(!views().experiment->isVisible() && !views().timeline->visibleRegion().isEmpty());
        QVERIFY(views().trials->isVisible());
        window().arrange(Arrangement::Compare);
        QTRY_VERIFY(!views().compare->visibleRegion().isEmpty());
        window().arrange(Arrangement::Overview);
        QTRY_VERIFY(views().experiment->isVisible() && !views().tradeoff->visibleRegion().isEmpty());
    }

    void anotherArrangementLeavesTheWindowsSize()
    {
        window().resize(1440, 900);
        for (const Arrangement arrangement : {Arrangement::Overview, Arrangement::Memory, Arrangement::Overview,
                 Arrangement::Compare, Arrangement::SetUp}) {
            window().arrange(arrangement);
            QTest::qWait(200); // until it is laid out
            QCOMPARE(window().size(), QSize(1440, 900));
        }
    }

private:
    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }

    double shareOf(const QWidget& view)
    {
        const double whole = double(window().width()) * window().height();
        return view.isVisible() ? double(view.width()) * view.height() / whole : 0;
    }

    QTabBar* tabsWith(const QString& text)
    {
        for (QTabBar* tabs : window().findChildren<QTabBar*>())
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->tabText(i) == text)
                    return tabs;
        return nullptr;
    }

    std::unique_ptr<OpenWindow> m_open;
};

HEADROOM_UI_TEST(ArrangementTest)

} // namespace headroom::ui

#include "ArrangementTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/timeline/TracedWorkspace.h"
#include "ui/timeline/TimelineView.h"
#include "ui/timeline/ZoomTrail.h"

#include <QPaintEvent>
#include <QTreeView>

#include <memory>

namespace headroom::ui {

using config::MemoryCategory;

namespace {

/// What of a widget is painted during its lifetime.
class PaintedRegion : public QObject {
public:
    explicit PaintedRegion(QWidget& widget) { widget.installEventFilter(this); }

    const QRegion& region() const { return m_region; }
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            m_region += static_cast<QPaintEvent*>(event)->region();
        return false;
    }

private:
    QRegion m_region;
};

} // namespace

// The tree of the peak explains the stack: each lights up the other. Steps are marked, and levels of zoom lead back.
class TimelineLinksTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_theme = std::make_unique<Theme>();
        m_selection = std::make_unique<Selection>();
        m_view = std::make_unique<TimelineView>(*m_theme, *m_selection);
        m_view->resize(1200, 700);
        m_view->show();
        m_view->setResults(m_workspace.results());
        m_selection->select({m_workspace.trial(0)});
        QTRY_VERIFY(stack().current() && stack().current()->summary && stack().source().isIdle());
        tree().expand(tree().model()->index(0, 0));
    }

    void cleanup() { m_view.reset(); }

    void aRowOfTheTreeLetsItsLayerStandOut()
    {
        const QModelIndex row = rowOfSomeLayer();
        QTest::qWait(300); // until the labels have their places
        const QImage before = lane().canvas().grab().toImage();
        QTest::mouseMove(tree().viewport(), tree().visualRect(row).center());
        QTRY_COMPARE(lane().highlight().kept(), Categories{categoryOf(row)});
        QTRY_VERIFY(lane().canvas().grab().toImage() != before);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(tree().viewport(), &leave);
        QVERIFY(lane().highlight().kept().empty());
        QTRY_COMPARE(lane().canvas().grab().toImage(), before);
    }

    void theKeyboardsRowDoesTheSame()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
        tree().setFocus();
        tree().setCurrentIndex(rowOfSomeLayer());
        QCOMPARE(lane().highlight().kept(), Categories{categoryOf(rowOfSomeLayer())});
        lane().canvas().setFocus();
        QVERIFY(lane().highlight().kept().empty());
    }

    void aLayerLetsItsRowStandOut()
    {
        const auto [place, category] = placeInSomeLayer();
        QCOMPARE(lane().highlight().at(place), std::optional(category));
        QTest::mouseMove(&lane().canvas(), place);
        int rows = 0;
        for (const QModelIndex& row : topRows()) {
            const bool standsOut = row.data(Qt::BackgroundRole).isValid();
            QCOMPARE(standsOut, categoryOf(row) == category);
            rows += standsOut ? 1 : 0;
        }
        QCOMPARE(rows, 1);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&lane().canvas(), &leave);
        for (const QModelIndex& row : topRows())
            QVERIFY(!row.data(Qt::BackgroundRole).isValid());
    }

    // Views paint again only what their model names.
    void theRowThatStandsOutIsPaintedAgain()
    {
        const auto [place, category] = placeInSomeLayer();
        QTest::mouseMove(&lane().canvas(), QPoint(1, 1)); // it may be at that place already
        QTest::qWait(300); // until everything has been painted
        PaintedRegion painted(*tree().viewport());
        QTest::mouseMove(&lane().canvas(), place);
        for (const QModelIndex& row : topRows())
            if (categoryOf(row) == category)
                QTRY_VERIFY(painted.region().contains(tree().visualRect(row).center()));
    }

    void otherColoursFoldNothing()
    {
        const QModelIndex first = tree().model()->index(0, 0, tree().model()->index(0, 0));
        tree().expand(first);
        m_theme->setScheme(m_theme->isDark() ? ColourScheme::Light : ColourScheme::Dark);
        QVERIFY(tree().isExpanded(tree().model()->index(0, 0)));
        QVERIFY(tree().isExpanded(first));
        m_theme->setScheme(ColourScheme::System);
    }

    void stepsAreMarkedWhereTheyBegin()
    {
        const auto& steps = lane().steps().steps();
        QCOMPARE(steps.size(), 1U);
        QCOMPARE(steps.front(), (StepBegin{3, m_workspace.phases(0)[0].beginNs}));
        const std::vector<trace::PhaseSpan> phases{{"load", -1, 0, 10}, {"forward", 0, 10, 30}, {"backward", 0, 30, 60},
            {"forward", 1, 60, 80}, {"optimizer", 1, 80, 90}};
        QCOMPARE(figures::stepBegins(phases), (std::vector<StepBegin>{{0, 10}, {1, 60}}));
    }

    void levelsOfZoomLeadBack()
    {
        TimelineNavigator& navigator = stack().navigator();
        auto* trail = m_view->findChild<ZoomTrail*>();
        const figures::TimeWindow whole = navigator.whole();
        QVERIFY(navigator.trail() == std::vector{whole});
        const figures::TimeWindow outer{whole.lengthNs() / 10, whole.lengthNs() / 2};
        const figures::TimeWindow inner{whole.lengthNs() / 5, whole.lengthNs() / 4};
        navigator.show(outer);
        navigator.show(inner);
        QVERIFY(navigator.trail() == (std::vector{whole, outer, inner}));
        auto* level = trail->findChild<QToolButton*>(QStringLiteral("zoomTrail1"));
        QTRY_VERIFY((level = trail->findChild<QToolButton*>(QStringLiteral("zoomTrail1"))) != nullptr);
        QVERIFY(!level->accessibleName().isEmpty());
        level->click();
        QCOMPARE(navigator.window(), outer);
        QTRY_VERIFY(!trail->findChild<QToolButton*>(QStringLiteral("zoomTrail2"))->isVisible());
        navigator.pan(whole.lengthNs()); // elsewhere: what was zoomed to before is no way to it
        QVERIFY(navigator.trail().front() == whole);
        navigator.fit();
        QTRY_VERIFY(!level->isVisible());
    }

private:
    TimelineStack& stack() { return m_view->stack(); }
    TimelineLane& lane() { return *stack().lanes().front(); }
    QTreeView& tree() { return *m_view->findChild<QTreeView*>(QStringLiteral("peakTree")); }

    std::vector<QModelIndex> topRows()
    {
        const QModelIndex peak = tree().model()->index(0, 0);
        std::vector<QModelIndex> rows;
        for (int row = 0; row < tree().model()->rowCount(peak); ++row)
            rows.push_back(tree().model()->index(row, 0, peak));
        return rows;
    }

    static MemoryCategory categoryOf(const QModelIndex& row)
    {
        return *static_cast<const PeakTreeModel*>(row.model())->categoriesOf(row).begin();
    }

    QModelIndex rowOfSomeLayer() { return topRows().front(); }

    // Where a layer is high enough to be pointed at.
    std::pair<QPoint, MemoryCategory> placeInSomeLayer()
    {
        const PlotScene& scene = lane().canvas().scene();
        for (const figures::Layer& layer : scene.whole->layers)
            for (const figures::BandPoint& point : layer.points)
                if (scene.yOf(point.low) - scene.yOf(point.high) > 6) {
                    const QPoint place(static_cast<int>(scene.xOf(point.x)) + 2,
                        static_cast<int>((scene.yOf(point.low) + scene.yOf(point.high)) / 2));
                    if (const auto category = lane().highlight().at(place))
                        return {place, *category};
                }
        return {};
    }

    TracedWorkspace m_workspace{300, Told::OwnersAndRecords};
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<TimelineView> m_view;
};

HEADROOM_UI_TEST(TimelineLinksTest)

} // namespace headroom::ui

#include "TimelineLinksTest.moc"

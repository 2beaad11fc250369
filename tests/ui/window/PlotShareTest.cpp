// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/UiTest.h"
#include "tests/ui/plan/PlanTrials.h"
#include "tests/ui/window/OpenWindow.h"
#include "ui/compare/CompareView.h"
#include "ui/effects/EffectsView.h"
#include "ui/plan/PlannerView.h"
#include "ui/plot/FigurePlot.h"
#include "ui/plot/TradeoffView.h"
#include "ui/recordings/WhatIfView.h"
#include "ui/segments/SegmentMap.h"
#include "ui/segments/SegmentsView.h"
#include "ui/timeline/TimelineView.h"

#include <QDockWidget>

#include <algorithm>
#include <functional>
#include <map>

namespace headroom::ui {
namespace {

constexpr double kLeastOfWindow = 0.35; ///< what a plot has of a window of the default size or larger
constexpr double kLeastOfSmallWindow = 0.25;
constexpr double kLeastOfPane = 0.6; ///< what a plot has of the view that it is in
constexpr double kLeastBetweenAxes = 0.3; ///< what curves and marks have of it
constexpr int kLongestReadMs = 120'000; ///< a machine that does other things as well

// Eight trials, whose names are as long as those of real sweeps.
constexpr const char* kEightTrials =
    "name = \"shares\"\n[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\ndtype = \"bfloat16\"\n"
    "[techniques]\ntrainable = \"lora:16\"\noptimizer = \"adamw\"\ncheckpointing = [\"none\", \"all\"]\n"
    "casting = [\"off\", \"e4m3\"]\nsplit_ffn = [\"off\", \"4:recompute\"]\n[device]\nname = \"sim:rtx4090\"\n";

// All toggles on, two of them sweeps.
constexpr const char* kEveryTechnique =
    "name = \"every technique\"\n[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\ndtype = "
    "\"bfloat16\"\n[techniques]\ntrainable = \"lora:16\"\noptimizer = \"adamw\"\ncasting = \"e4m3\"\noffload = "
    "\"block:1\"\nsplit_ffn = [\"off\", \"4:recompute\"]\ncheckpointing = [\"none\", \"all\", \"every:2\"]\n"
    "attention = \"math\"\nema = \"device\"\n[device]\nname = \"sim:rtx4090\"\n";

double areaOf(const QWidget& widget)
{
    return double(widget.width()) * widget.height();
}

// Of what is seen of a figure: one that is higher than its place scrolls.
double areaBetweenAxes(const FigureCanvas& canvas)
{
    const figures::Box& plot = canvas.scene().layout.plot;
    const QRectF box = QRectF(plot.x, plot.y, plot.width, plot.height) & canvas.visibleRegion().boundingRect();
    return box.width() * box.height();
}

// What is seen and cannot be narrower, the widest first.
QString widestOf(const QWidget& window)
{
    std::multimap<int, QString, std::greater<>> widths;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (!widget->visibleRegion().isEmpty() && !widget->objectName().isEmpty())
            widths.emplace(std::max(widget->minimumSizeHint().width(), widget->minimumWidth()), widget->objectName());
    QString text;
    for (const auto& [width, name] : widths)
        if (width >= 200)
            text += QStringLiteral("\n%1 px: %2").arg(width).arg(name);
    return text;
}

} // namespace

// Every view with a plot, at the sizes that windows have. On a dense screen of 3840 x 2160 pixels the size is the last
// but one.
class PlotShareTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        UiTest::initTestCase();
        m_open = std::make_unique<OpenWindow>(WorkerOfRuns::Real);
        m_open->load(kEightTrials);
        m_open->run();
        QVERIFY(m_open->waitForTheEnd());
        QTRY_VERIFY_WITH_TIMEOUT(m_open->services().workspaces.results(), kLongestReadMs);
        QTRY_COMPARE_WITH_TIMEOUT(m_open->services().workspaces.results()->content().trials.size(), 8U, kLongestReadMs);
        views().plan->setOptions({.mostPredictions = 28,
            .searchTime = std::chrono::hours(1),
            .workers = 2,
            .patience = PlanInquiry::kPatience});
        views().plan->search(hugeTrial());
        QTRY_VERIFY_WITH_TIMEOUT(!views().plan->isSearching(), kLongestReadMs);
        m_open->load(kWindowSpec); // a form of the usual width, whatever the results are of
    }

    void cleanupTestCase() { m_open.reset(); }

    void theTradeoffsPlot_data() { sizes(); }
    void theTradeoffsPlot()
    {
        show(views().tradeoff, 1);
        const FigurePlot& plot = views().tradeoff->plot();
        QTRY_VERIFY2(hasShare(plot, *views().tradeoff, leastOfWindow()), qPrintable(m_shares));
        QTRY_VERIFY2(
            hasShareBetweenAxes({&views().tradeoff->plot().canvas()}, *views().tradeoff), qPrintable(m_shares));
    }

    void theTimelinesPlot_data() { sizes(); }
    void theTimelinesPlot()
    {
        show(views().timeline, 1);
        TimelineStack& stack = views().timeline->stack();
        QTRY_VERIFY_WITH_TIMEOUT(stack.current() && stack.current()->summary, kLongestReadMs);
        QTRY_VERIFY2(hasShare(stack, *views().timeline, leastOfWindow()), qPrintable(m_shares));
        QTRY_VERIFY2(hasShareBetweenAxes({&stack.lanes().front()->canvas()}, *views().timeline), qPrintable(m_shares));
    }

    void theComparedCurves_data()
    {
        QTest::addColumn<std::size_t>("trials");
        QTest::addColumn<QSize>("size");
        for (const std::size_t trials : {2, 4})
            for (const auto& [name, size] : kWindowSizes)
                QTest::addRow("%zu trials, %s", trials, name) << trials << size;
    }
    void theComparedCurves()
    {
        QFETCH(std::size_t, trials);
        show(views().compare, trials);
        CompareStack& stack = views().compare->stack();
        QTRY_COMPARE_WITH_TIMEOUT(stack.trialsWithTimeline(), trials, kLongestReadMs);
        QTRY_VERIFY2(hasShare(stack, *views().compare, 0), qPrintable(m_shares));
        QTRY_VERIFY2(hasShareBetweenAxes({&stack.curves().canvas(), &stack.difference().canvas()}, *views().compare),
            qPrintable(m_shares));
    }

    void theEffectsPicture_data() { sizes(); }
    void theEffectsPicture()
    {
        show(views().effects, 1);
        QTRY_VERIFY_WITH_TIMEOUT(views().effects->picture() != nullptr, kLongestReadMs);
        QTRY_VERIFY2(hasShare(views().effects->plot(), *views().effects, 0), qPrintable(m_shares));
    }

    void thePlansPlot_data() { sizes(); }
    void thePlansPlot()
    {
        show(views().plan, 1);
        FigurePlot& plot = views().plan->plot();
        QTRY_VERIFY2(hasShare(plot, *views().plan, 0), qPrintable(m_shares));
        QTRY_VERIFY2(hasShareBetweenAxes({&plot.canvas()}, *views().plan), qPrintable(m_shares));
    }

    void theMapOfSegments_data() { sizes(); }
    void theMapOfSegments()
    {
        show(views().segments, 1);
        QTRY_VERIFY_WITH_TIMEOUT(views().segments->moment() != nullptr, kLongestReadMs);
        QTRY_VERIFY2(hasShare(views().segments->map(), *views().segments, 0), qPrintable(m_shares));
    }

    // Toggles that unfold fields, and sweeps: the form may become wider, but not at the cost of the plots.
    void thePlotsBesideAFormWithEveryTechnique()
    {
        m_open->load(kEveryTechnique);
        for (auto [view, plot] : std::initializer_list<std::pair<QWidget*, QWidget*>>{
                 {views().tradeoff, &views().tradeoff->plot()}, {views().timeline, &views().timeline->stack()}}) {
            show(view, QSize(1440, 900), 1);
            QTRY_VERIFY2(hasShare(*plot, *view, kLeastOfWindow), qPrintable(m_shares));
        }
    }

    // Whatever is set up, shown and folded out: the smallest of the screens that people have is wide enough.
    void theWindowIsNeverWiderThanASmallScreen_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("high, with its tables") << QSize(1440, 900);
        QTest::newRow("low, with its tables") << QSize(1440, 700);
    }
    void theWindowIsNeverWiderThanASmallScreen()
    {
        QFETCH(QSize, size);
        m_open->load(kEveryTechnique);
        window().resize(size);
        for (QDockWidget* dock : views().docks()) {
            QWidget* view = dock->widget();
            m_open->select(view == views().compare ? 4 : 1);
            views().show(WindowViews::CentralPage::Plots);
            views().bringForward(view);
            QTRY_VERIFY_WITH_TIMEOUT(views().whatIf->isIdle(), kLongestReadMs); // has the longest words then
            QTest::qWait(50); // until it is laid out
            QVERIFY2(window().minimumSizeHint().width() <= 1024, qPrintable(view->objectName() + widestOf(window())));
        }
    }

private:
    static constexpr std::array<std::pair<const char*, QSize>, 5> kWindowSizes{
        {{"1024 x 700", {1024, 700}}, {"1440 x 900", {1440, 900}}, {"1600 x 1000", {1600, 1000}},
            {"3840 x 2160 at twice the density", {1920, 1080}}, {"3840 x 2160", {3840, 2160}}}};

    static void sizes()
    {
        QTest::addColumn<QSize>("size");
        for (const auto& [name, size] : kWindowSizes)
            QTest::newRow(name) << size;
    }

    MainWindow& window() { return m_open->window(); }
    WindowViews& views() { return window().views(); }
    double leastOfWindow() { return window().width() >= 1440 ? kLeastOfWindow : kLeastOfSmallWindow; }

    void show(QWidget* view, std::size_t trials)
    {
        QFETCH(QSize, size);
        show(view, size, trials);
    }

    void show(QWidget* view, const QSize& size, std::size_t trials)
    {
        window().resize(size);
        window().arrange(Arrangement::Overview);
        views().show(WindowViews::CentralPage::Plots);
        m_open->select(trials);
        views().bringForward(view);
        // A low window folds its tables, and may be narrower then.
        QTRY_VERIFY2((window().resize(size), window().size() == size),
            qPrintable(QStringLiteral("width %1").arg(window().width())));
    }

    bool hasShare(const QWidget& plot, const QWidget& pane, double leastOfWindow)
    {
        const double ofWindow = areaOf(plot) / areaOf(window());
        const double ofPane = areaOf(plot) / areaOf(pane);
        m_shares = QStringLiteral("%1: %2 of the window, %3 of its pane of %4 x %5")
                       .arg(pane.objectName())
                       .arg(ofWindow, 0, 'f', 2)
                       .arg(ofPane, 0, 'f', 2)
                       .arg(pane.width())
                       .arg(pane.height());
        return plot.isVisible() && ofWindow >= leastOfWindow && ofPane >= kLeastOfPane;
    }

    bool hasShareBetweenAxes(const std::vector<const FigureCanvas*>& canvases, const QWidget& pane)
    {
        double area = 0;
        for (const FigureCanvas* canvas : canvases)
            area += areaBetweenAxes(*canvas);
        m_shares = QStringLiteral("%1: %2 of its pane between the axes")
                       .arg(pane.objectName())
                       .arg(area / areaOf(pane), 0, 'f', 2);
        return area / areaOf(pane) >= kLeastBetweenAxes;
    }

    std::unique_ptr<OpenWindow> m_open;
    QString m_shares;
};

HEADROOM_UI_TEST(PlotShareTest)

} // namespace headroom::ui

#include "PlotShareTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffView.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/plot/PlotDriver.h"
#include "tests/ui/results/SketchedResults.h"

#include <QAccessible>
#include <QSignalSpy>

namespace headroom::ui {

using namespace figures;

class TradeoffViewTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_selection = std::make_unique<Selection>();
        m_view = std::make_unique<TradeoffView>(m_theme, *m_selection);
        m_view->resize(900, 600);
        m_view->show();
    }

    void withoutResultsItSaysWhatToDo()
    {
        QVERIFY(QString::fromStdString(figure().emptyText).contains(QStringLiteral("Open an experiment")));
        QVERIFY(!m_view->controls().isEnabled());
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        QVERIFY(figure().emptyText.empty());
        QVERIFY(m_view->controls().isEnabled());
        m_view->setResults(nullptr);
        QVERIFY(!figure().emptyText.empty());
    }

    void aPictureThatComesTooLateIsNotShown()
    {
        m_view->setResults(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        m_view->setResults(nullptr);
        QSignalSpy shown(m_view.get(), &TradeoffView::shown);
        QVERIFY(!shown.wait(1000));
        QVERIFY(!figure().emptyText.empty());
    }

    void theFigureIsTheReports()
    {
        const Results results = sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}});
        show(results);
        const auto input = report::tradeoffInput(results->content(), results->comparison(),
            results->comparison().panels().front(), {.colourBy = "split_ffn", .shapeBy = "split_ffn"});
        QCOMPARE(figure().marks, tradeoffFigure(input).marks);
        QCOMPARE(figure().table, tradeoffFigure(input).table);
    }

    void speedAndMemoryCanBeChosen()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        choose("tradeoffSpeed", QStringLiteral("samples"));
        QCOMPARE(figure().y.label, std::string("Speed (samples/s)"));
        choose("tradeoffMemory", QStringLiteral("allocated"));
        QCOMPARE(figure().x.label, std::string("Peak allocated memory (GiB)"));
    }

    void techniquesGiveColoursAndShapes()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}, {.splitFfn = "2", .peakGib = 0.7}}));
        QVERIFY(figure().marks[0].look.series != figure().marks[1].look.series); // the axis of the sweep
        choose("tradeoffColour", QStringLiteral("case"));
        choose("tradeoffShape", QStringLiteral("case"));
        QCOMPARE(figure().marks[0].look.series, figure().marks[1].look.series);
        choose("tradeoffColour", QStringLiteral("split_ffn"));
        QVERIFY(figure().marks[0].look.series != figure().marks[1].look.series);
        QVERIFY(figure().marks[1].look.series != figure().marks[2].look.series);
        QCOMPARE(figure().legend[1].text, std::string("split_ffn 4"));
        choose("tradeoffShape", QStringLiteral("split_ffn"));
        QVERIFY(figure().marks[0].look.shape != figure().marks[1].look.shape);
    }

    void theFrontCanBeLeftOut()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}}));
        QCOMPARE(figure().lines.size(), std::size_t(1));
        awaitPicture([this] { m_view->findChild<QCheckBox*>(QStringLiteral("tradeoffFront"))->click(); });
        QVERIFY(figure().lines.empty());
    }

    void aBudgetNamesTheBestTrialUnderIt()
    {
        show(sketchedResults({{.peakGib = 10}, {.splitFfn = "4", .peakGib = 5, .stepsPerSecond = 0.8},
            {.splitFfn = "2", .peakGib = 7, .stepsPerSecond = 0.9}}));
        auto* budget = m_view->findChild<BudgetField*>(QStringLiteral("tradeoffBudget"));
        awaitPicture([&] { budget->setValue(8); });
        QCOMPARE(figure().references.front().at, 8.0);
        QCOMPARE(figure().notes.front(),
            std::string("Best within budget (8.00 GiB): split_ffn 2, 7.00 GiB, 0.900 steps/s (predicted)"));
        awaitPicture([&] { dragBudgetTo(6); });
        QVERIFY(std::abs(budget->value() - 6) < 0.2);
        QVERIFY(QString::fromStdString(figure().notes.front()).contains(QStringLiteral("split_ffn 4")));
        awaitPicture([&] { budget->setValue(0); });
        QVERIFY(std::none_of(figure().references.begin(), figure().references.end(),
            [](const ReferenceLine& line) { return line.label.starts_with("budget"); }));
    }

    void trialsWithoutAPlaceAreInTheStripWithTheirReason()
    {
        show(sketchedResults(
            {{}, {.splitFfn = "4", .outcome = "out_of_memory"}, {.splitFfn = "2", .outcome = "failed"}}));
        QCOMPARE(figure().strip.size(), std::size_t(2));
        QVERIFY(figure().strip[0].reason.starts_with("out of memory"));
        QVERIFY(figure().strip[1].reason.starts_with("failed"));
    }

    void theSelectionIsSharedBothWays()
    {
        const Results results = sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}});
        show(results);
        const QString first = idOf(results, 0);
        const QString second = idOf(results, 1);
        click(0, Qt::NoModifier);
        QCOMPARE(m_selection->trials(), QStringList{first});
        click(1, Qt::ControlModifier);
        QCOMPARE(m_selection->trials(), (QStringList{first, second}));
        click(0, Qt::ControlModifier);
        QCOMPARE(m_selection->trials(), QStringList{second});
        drive().lassoRound(figure().marks[0], Qt::AltModifier);
        QCOMPARE(m_selection->trials(), QStringList{first});
        QTest::mouseClick(&m_view->plot().canvas(), Qt::LeftButton, {}, drive().inPlot({0.02, 0.02}));
        QCOMPARE(m_selection->trials(), QStringList());
        const QImage before = m_view->grab().toImage();
        m_selection->select({second});
        const QImage selected = m_view->grab().toImage();
        QVERIFY(selected != before);
        m_selection->setHovered(first);
        QVERIFY(m_view->grab().toImage() != selected);
    }

    void aTrialSelectedElsewhereBringsItsPanel()
    {
        report::ReportContent content = sketchedResults({{}, {.splitFfn = "4"}, {.device = "cpu"}})->content();
        content.trials[2].planned.configuration.model = "another";
        const auto results = std::make_shared<const ResultSet>("sketch.db", std::move(content));
        show(results);
        QVERIFY(m_view->findChild<ChoiceField*>(QStringLiteral("tradeoffPanel"))->isVisible());
        QCOMPARE(figure().marks.size(), std::size_t(2));
        awaitPicture([&] { m_selection->select({idOf(results, 2)}); });
        QVERIFY(std::any_of(figure().marks.begin(), figure().marks.end(),
            [&](const Mark& mark) { return QString::fromStdString(mark.id) == idOf(results, 2); }));
    }

    void whatIsZoomedToStaysWhileResultsComeIn()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}}));
        drive().dragBox(Qt::LeftButton, {}, {0.3, 0.1}, {0.8, 0.9});
        const Window box = m_view->plot().canvas().window();
        show(sketchedResults(
            {{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}, {.splitFfn = "2", .peakGib = 0.8}}));
        QCOMPARE(figure().marks.size(), std::size_t(3));
        QCOMPARE(m_view->plot().canvas().window(), box);
    }

    void whatWasChosenIsRemembered()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        choose("tradeoffSpeed", QStringLiteral("samples"));
        choose("tradeoffColour", QStringLiteral("split_ffn"));
        awaitPicture([this] { m_view->findChild<BudgetField*>(QStringLiteral("tradeoffBudget"))->setValue(0.75); });
        m_view->plot().actions().logX->trigger();
        TradeoffView other(m_theme, *m_selection);
        other.restore(m_view->state());
        const QSignalSpy shown(&other, &TradeoffView::shown);
        other.setResults(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        QTRY_VERIFY(!shown.isEmpty());
        QCOMPARE(other.state(), m_view->state());
        QCOMPARE(other.plot().figure()->y.label, std::string("Speed (samples/s)"));
        QCOMPARE(other.plot().shown()->x.scale, Scale::Logarithmic);
        QCOMPARE(other.plot().figure()->references.front().at, 0.75);
    }

    void everyFieldHasANameAndLeavesTheWheelAlone()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        m_view->plot().setFocus();
        for (auto* field : m_view->controls().findChildren<ChoiceField*>()) {
            QVERIFY(!field->objectName().isEmpty() && !field->accessibleName().isEmpty());
            const int before = field->currentIndex();
            QWheelEvent event(QPointF(5, 5), field->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, {},
                Qt::NoScrollPhase, false);
            QApplication::sendEvent(field, &event);
            QCOMPARE(field->currentIndex(), before);
        }
    }

private:
    const Figure& figure() const { return *m_view->plot().figure(); }
    PlotDriver drive() { return PlotDriver(m_view->plot()); }

    static QString idOf(const Results& results, std::size_t trial)
    {
        return QString::fromStdString(results->content().trials[trial].id());
    }

    template <typename Act> void awaitPicture(const Act& act)
    {
        const QSignalSpy shown(m_view.get(), &TradeoffView::shown);
        act();
        QTRY_VERIFY(!shown.isEmpty());
    }

    void show(const Results& results)
    {
        awaitPicture([&] { m_view->setResults(results); });
    }

    void choose(const char* name, const QString& value)
    {
        auto* field = m_view->findChild<ChoiceField*>(QLatin1String(name));
        QVERIFY(field->findData(value) >= 0);
        awaitPicture([&] {
            field->setCurrentIndex(field->findData(value));
            Q_EMIT field->activated(field->currentIndex());
        });
    }

    void click(std::size_t mark, Qt::KeyboardModifiers modifiers)
    {
        QTest::mouseClick(
            &m_view->plot().canvas(), Qt::LeftButton, modifiers, drive().placeOf(figure().marks[mark]).toPoint());
    }

    void dragBudgetTo(double value)
    {
        FigureCanvas& canvas = m_view->plot().canvas();
        canvas.replot();
        const int y = drive().inPlot({0, 0.5}).y();
        const auto px = [&](double at) { return static_cast<int>(std::lround(canvas.xAxis->coordToPixel(at))); };
        drive().dragTo(Qt::LeftButton, {}, {px(figure().references.front().at), y}, {px(value), y});
    }

    Theme m_theme;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<TradeoffView> m_view;
};

HEADROOM_UI_TEST(TradeoffViewTest)

} // namespace headroom::ui

#include "TradeoffViewTest.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffView.h"

#include "tests/ui/UiTest.h"
#include "tests/ui/plot/PlotDriver.h"
#include "tests/ui/results/SketchedResults.h"

#include <QAccessible>
#include <QLabel>
#include <QSet>
#include <QSignalSpy>
#include <QToolButton>

#include <set>

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
        Figure reported = tradeoffFigure(input);
        for (std::size_t i = 0; i < reported.marks.size(); ++i)
            reported.marks[i].hover = figure().marks[i].hover;
        QCOMPARE(figure().marks, reported.marks);
        QCOMPARE(figure().table, reported.table);
    }

    void whatAMarkSaysIsItsRowOfTheTable()
    {
        const Results results = sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}});
        show(results);
        const report::ReportTable& table = results->table();
        std::size_t told = 0;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const report::ReportColumn& head = table.columns[column];
            if (head.kind != report::CellKind::Number || table.rows[1].cells[column].text == "-")
                continue;
            ++told;
            const auto& lines = figure().marks[1].hover.lines;
            const std::string start =
                head.title.substr(0, head.title.find(" (")) + ": " + table.rows[1].cells[column].text;
            QVERIFY2(std::ranges::any_of(lines, [&](const std::string& line) { return line.starts_with(start); }),
                start.c_str());
        }
        QVERIFY(told >= 5);
    }

    void speedAndMemoryCanBeChosen()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}}));
        choose("tradeoffSpeed", QStringLiteral("samples"));
        QCOMPARE(figure().y.label, std::string("Speed (samples/s)"));
        choose("tradeoffSpeed", QStringLiteral("tokens"));
        QCOMPARE(figure().y.label, std::string("Speed (tokens/s)"));
        QVERIFY(figure().marks.front().y > 1);
        choose("tradeoffMemory", QStringLiteral("allocated"));
        QCOMPARE(figure().x.label, std::string("Peak allocated (GiB)"));
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
        QCOMPARE(m_selection->trials(), QStringList{first}); // a click beside all marks takes nothing away
        const QImage before = m_view->grab().toImage();
        m_selection->select({second});
        const QImage selected = m_view->grab().toImage();
        QVERIFY(selected != before);
        m_selection->setHovered(first);
        QVERIFY(m_view->grab().toImage() != selected);
    }

    void theChosenTrialIsExplainedInASentence()
    {
        const Results results = sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8},
            {.splitFfn = "2", .peakGib = 0.75, .stepsPerSecond = 0.75}, {.splitFfn = "8", .outcome = "out_of_memory"}});
        show(results);
        const auto* sentence = m_view->findChild<QLabel*>(QStringLiteral("tradeoffSentence"));
        QVERIFY(!sentence->isVisible());
        m_selection->select({idOf(results, 1)});
        QVERIFY(sentence->isVisible());
        QCOMPARE(sentence->text(),
            QStringLiteral(
                "split_ffn 4 holds 0.500 GiB (peak reserved) at 0.800 steps/s, predicted: 0.500 GiB less than "
                "baseline at 80.0 % of its speed; on the front: no other trial is as fast with less memory."));
        m_selection->select({idOf(results, 2)});
        QVERIFY2(sentence->text().endsWith(
                     QStringLiteral("; not on the front: split_ffn 4 needs 0.250 GiB less and is 6.7 % faster.")),
            qPrintable(sentence->text()));
        m_selection->select({idOf(results, 0)});
        QVERIFY(sentence->text().contains(QStringLiteral("it is what the others are compared with")));
        m_selection->select({idOf(results, 3)});
        QCOMPARE(sentence->text(), QStringLiteral("split_ffn 8: out of memory: as it was sketched."));
    }

    void fromAnyZoomThereIsAWayBackThatCanBeSeen()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}}));
        auto* showAll = m_view->findChild<QToolButton*>(QStringLiteral("showAllOverlay"));
        QVERIFY(!showAll->isVisible());
        drive().turnWheel(drive().inPlot({0.5, 0.5}), Qt::NoModifier);
        QVERIFY2(showAll->isVisible(), "after the wheel");
        QVERIFY(m_view->plot().canvas().rect().contains(showAll->geometry()));
        QTest::mouseClick(showAll, Qt::LeftButton);
        QVERIFY(!showAll->isVisible());
        QCOMPARE(m_view->plot().canvas().window(), windowOf(figure()));
        drive().dragBox(Qt::LeftButton, {}, {0.3, 0.1}, {0.8, 0.9});
        QVERIFY2(showAll->isVisible(), "after a box");
    }

    void everyMarkIsReachedByKeysFromTheFirstFocusOn()
    {
        std::vector<TrialSketch> sketches{{}};
        for (int power = 1; power <= 5; ++power)
            sketches.push_back({.splitFfn = std::to_string(1 << power),
                .peakGib = 0.95 - 0.1 * power + (power % 3) * 0.2,
                .stepsPerSecond = 1.0 - 0.03 * power});
        sketches.push_back({.splitFfn = "64", .outcome = "out_of_memory"});
        const Results results = sketchedResults(sketches);
        show(results);
        m_view->activateWindow();
        QVERIFY(m_view->focusPolicy() & Qt::TabFocus); // what the window looks for when the view is brought forward
        m_view->setFocus();
        QTRY_VERIFY(m_view->plot().canvas().hasFocus());
        QSet<QString> reached;
        for (std::size_t i = 0; i < sketches.size(); ++i) {
            drive().press(Qt::Key_Right);
            drive().press(Qt::Key_Return);
            reached.insert(m_selection->current());
        }
        QCOMPARE(reached.size(), qsizetype(sketches.size()));
        // Who has selected a trial elsewhere goes on from there.
        m_selection->select({idOf(results, 0)});
        drive().press(Qt::Key_Escape);
        drive().press(Qt::Key_Left);
        drive().press(Qt::Key_Return);
        QVERIFY(m_selection->current() != idOf(results, 0));
    }

    void theWheelGivesThePlotTheFocus()
    {
        show(sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5, .stepsPerSecond = 0.8}}));
        m_view->activateWindow();
        m_view->findChild<ChoiceField*>(QStringLiteral("tradeoffSpeed"))->setFocus();
        QVERIFY(!m_view->plot().canvas().hasFocus());
        drive().turnWheel(drive().inPlot({0.5, 0.5}), Qt::NoModifier);
        QTRY_VERIFY(m_view->plot().canvas().hasFocus());
        QTest::keyClick(&m_view->plot().canvas(), Qt::Key_Backspace);
        QTRY_COMPARE(m_view->plot().canvas().window(), windowOf(figure()));
    }

    void experimentsTogetherAreToldApartByColour()
    {
        report::ReportContent content =
            sketchedResults({{}, {.splitFfn = "4", .peakGib = 0.5}, {.splitFfn = "2", .peakGib = 0.7}})->content();
        for (report::ReportTrial& trial : content.trials)
            trial.source = report::TrialSource{1, "before", trial.id()};
        content.trials[1].source->experiment = 2;
        content.trials[1].source->title = "after";
        show(std::make_shared<const ResultSet>("sketch.db", std::move(content)));
        QCOMPARE(figure().marks.size(), std::size_t(3));
        const auto look = [&](const char* label) {
            return std::ranges::find(figure().marks, std::string(label), &Mark::label)->look;
        };
        QVERIFY(look("baseline").series == look("split_ffn 2").series);
        QVERIFY(look("baseline").series != look("split_ffn 4").series);
        QVERIFY(look("baseline").shape != look("split_ffn 2").shape);
        QCOMPARE(figure().legend[0].text, std::string("experiment before"));
        QCOMPARE(figure().legend[1].text, std::string("experiment after"));
        choose("tradeoffColour", QStringLiteral("split_ffn"));
        QVERIFY(look("baseline").series != look("split_ffn 2").series);
    }

    void theAxisWithTheMostSettingsGivesTheColours()
    {
        report::ReportContent content =
            sketchedResults({{}, {.splitFfn = "2", .peakGib = 0.7}, {.splitFfn = "4", .peakGib = 0.6},
                                {.splitFfn = "8", .peakGib = 0.5}})
                ->content();
        for (std::size_t i : {1U, 3U}) // an axis before it in the catalogue, with two settings
            content.trials[i].planned.configuration.techniques.edit().at("casting").edit().notation = "e4m3";
        show(std::make_shared<const ResultSet>("sketch.db", std::move(content)));
        const auto& marks = figure().marks;
        std::set<std::size_t> series;
        for (const Mark& mark : marks)
            series.insert(mark.look.series);
        QCOMPARE(series.size(), std::size_t(4));
        QVERIFY(marks[0].look.shape == marks[2].look.shape && marks[0].look.shape != marks[1].look.shape);
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

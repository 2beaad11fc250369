// SPDX-License-Identifier: Apache-2.0
//
// Which columns and rows the table of trials shows, and how wide.
#include "tests/ui/UiTest.h"
#include "tests/ui/results/SketchedResults.h"
#include "ui/results/TrialsView.h"

#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>

#include <cstdlib>

namespace headroom::ui {

class TrialColumnsTest : public UiTest {
    Q_OBJECT

private:
    static QImage drawn(const QHeaderView& header, int height, const QString& text)
    {
        QStyleOptionHeader option;
        option.initFrom(&header);
        option.rect = QRect(0, 0, 200, height);
        option.text = text;
        QImage image(option.rect.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        header.style()->drawControl(QStyle::CE_Header, &option, &painter, &header);
        return image;
    }

    /// Lines of pixels that a header's letters take.
    static int linesOfLetters(const QHeaderView& header, int height)
    {
        const QImage with = drawn(header, height, QStringLiteral("Hgj|fy"));
        const QImage without = drawn(header, height, {});
        int lines = 0;
        for (int y = 0; y < height; ++y) {
            bool hasInk = false;
            for (int x = 0; x < with.width(); ++x)
                hasInk = hasInk || std::abs(qGray(with.pixel(x, y)) - qGray(without.pixel(x, y))) > 32;
            lines += hasInk ? 1 : 0;
        }
        return lines;
    }

private Q_SLOTS:
    void columnsShareTheWidthAndTextGivesWayFirst()
    {
        const std::vector<ColumnWish> wishes{{300, 100}, {80, 80}, {200, 100}};
        QCOMPARE(sharedWidths(wishes, 1000), (std::vector<int>{300, 80, 200}));
        QCOMPARE(sharedWidths(wishes, 480), (std::vector<int>{200, 80, 200}));
        QCOMPARE(sharedWidths(wishes, 400), (std::vector<int>{160, 80, 160}));
        QCOMPARE(sharedWidths(wishes, 10), (std::vector<int>{100, 80, 100}));
        QVERIFY(sharedWidths({}, 100).empty());
    }

    void namesAreWholeWhereThereIsRoomAndWrapWhereThereIsNone()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        report::ReportContent content = threeSketchedTrials()->content();
        const std::string name = "casting e4m3 | split_ffn 4 | checkpointing every:4+offload | ema host, a long name";
        for (report::ReportTrial& trial : content.trials)
            trial.techniques = name;
        view.resize(2400, 300);
        view.show();
        view.setResults(std::make_shared<const ResultSet>("w.db", std::move(content)));
        TrialsTable& table = *view.table();
        table.setColumnShown(QStringLiteral("techniques"), true);
        const int column = table.trials().trials().columnOf(QStringLiteral("techniques"));
        const int whole = table.fontMetrics().horizontalAdvance(QString::fromStdString(name));
        QVERIFY(table.columnWidth(column) >= whole);
        const int line = table.rowHeight(0);
        view.resize(700, 300);
        QTRY_VERIFY(table.columnWidth(column) < whole);
        QVERIFY2(table.rowHeight(0) >= 2 * table.fontMetrics().height() && table.rowHeight(0) > line,
            "in two lines at least");
    }

    void lettersOfHeadersAreWhole()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.show();
        view.setResults(threeSketchedTrials());
        const QHeaderView& header = *view.table()->horizontalHeader();
        QVERIFY(linesOfLetters(header, header.height()) > 8);
        QCOMPARE(linesOfLetters(header, header.height()), linesOfLetters(header, 3 * header.height()));
    }

    void onlyTheHeaderOfTheSortedColumnHasRoomForAnArrow()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.resize(1200, 300);
        view.show();
        view.setResults(threeSketchedTrials());
        TrialsTable& table = *view.table();
        QHeaderView& header = *table.horizontalHeader();
        const auto roomOfWords = [&](int column) {
            QStyleOptionHeader option;
            option.initFrom(&header);
            option.rect = QRect(0, 0, header.sectionSize(column), header.height());
            if (header.sortIndicatorSection() == column)
                option.sortIndicator = QStyleOptionHeader::SortDown;
            return header.style()->subElementRect(QStyle::SE_HeaderLabel, &option, &header).width();
        };
        QFont font = header.font();
        font.setBold(true);
        const QFontMetrics bold(font);
        for (int column = 0; column < header.count(); ++column) {
            if (table.isColumnHidden(column))
                continue;
            const QString name = table.model()->headerData(column, Qt::Horizontal).toString();
            const int words = header.fontMetrics().horizontalAdvance(name);
            QVERIFY2(header.sectionSizeHint(column) < bold.horizontalAdvance(name) + 3 * bold.averageCharWidth(),
                "words, which Qt takes to be bold, and their sides");
            QVERIFY2(roomOfWords(column) >= words, qPrintable(name));
            table.sortByColumn(column, Qt::DescendingOrder);
            QVERIFY2(roomOfWords(column) >= words, qPrintable(name));
        }
    }

    void axesAreSeenAndWhatTheySayInOneTextIsNotButCanBeSearched()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.resize(900, 300);
        view.show();
        view.setResults(threeSketchedTrials());
        const TrialsModel& trials = view.table()->trials().trials();
        QVERIFY(view.table()->isColumnHidden(trials.columnOf(QStringLiteral("techniques"))));
        QVERIFY(view.table()->isColumnHidden(trials.columnOf(QStringLiteral("case"))));
        QVERIFY(!view.table()->isColumnHidden(trials.columnOf(QStringLiteral("split_ffn"))));
        view.filterField()->setText(QStringLiteral("\"split_ffn 2\""));
        QCOMPARE(view.table()->model()->rowCount(), 1);
        view.setResults(sketchedResults({{.splitFfn = "2"}}));
        view.filterField()->clear();
        QVERIFY2(!view.table()->isColumnHidden(trials.columnOf(QStringLiteral("techniques"))), "there is no axis");
    }

    void onlyTheFrontCanBeSeen()
    {
        Theme theme;
        Selection selection;
        TrialsView view(theme, selection);
        view.show();
        view.setResults(sketchedResults({{.peakGib = 12, .stepsPerSecond = 2},
            {.splitFfn = "2", .peakGib = 9, .stepsPerSecond = 1.5}, {.splitFfn = "4", .peakGib = 13}}));
        view.onlyFrontAction()->trigger();
        QCOMPARE(view.table()->model()->rowCount(), 2);
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("trialsCounts"))->text(), QStringLiteral("2 of 3 trials"));
        view.filterField()->setText(QStringLiteral("nowhere"));
        view.findChild<QPushButton*>(QStringLiteral("clearTrialsFilter"))->click();
        QCOMPARE(view.table()->model()->rowCount(), 3);
        QVERIFY(!view.onlyFrontAction()->isChecked());
    }
};

HEADROOM_UI_TEST(TrialColumnsTest)

} // namespace headroom::ui

#include "TrialColumnsTest.moc"

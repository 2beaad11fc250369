// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/PrintedReport.h"

#include "tests/experiments/report/Sketches.h"
#include "tests/ui/UiTest.h"

#include <QTextDocument>

namespace headroom::ui {

class PrintedReportTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void everySectionIsThereInTheOrderOfTheOtherForms()
    {
        QStringList expected;
        for (const std::string& title : report::titlesOfEverySection())
            expected.append(QString::fromStdString(title));
        const report::ReportContent content = report::contentOfEverySection();
        const report::Comparison comparison(content.trials);
        const PrintedReport report(content, comparison, {1000, 700}, QTextOption::WordWrap);
        QStringList titles;
        for (QTextBlock block = report.document().begin(); block.isValid(); block = block.next())
            if (block.blockFormat().headingLevel() == 2)
                titles.append(block.text());
        QCOMPARE(titles, expected);
        const QString words = report.document().toPlainText();
        for (const char* said : {"two steps of training", "predicted, not measured", "1 GiB is 1,073,741,824 bytes"})
            QVERIFY2(words.contains(QLatin1String(said)), said);
    }
};

HEADROOM_UI_TEST(PrintedReportTest)

} // namespace headroom::ui

#include "PrintedReportTest.moc"

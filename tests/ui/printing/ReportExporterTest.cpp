// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/ReportExporter.h"

#include "core/config/Installation.h"
#include "experiments/report/formats/ReportFormat.h"
#include "profiling/store/ThreadWithoutFiles.h"
#include "tests/ui/FileBytes.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/results/WorkspaceFixture.h"
#include "ui/printing/ExportDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>

namespace headroom::ui {

class ReportExporterTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void reportsAreThoseOfTheCommandLineByteForByte_data()
    {
        QTest::addColumn<ExportFormat>("format");
        QTest::addColumn<report::ReportFormat>("same");
        QTest::newRow("html") << ExportFormat::Html << report::ReportFormat::Html;
        QTest::newRow("md") << ExportFormat::Markdown << report::ReportFormat::Markdown;
        QTest::newRow("csv") << ExportFormat::Csv << report::ReportFormat::Csv;
        QTest::newRow("json") << ExportFormat::Json << report::ReportFormat::Json;
    }

    void reportsAreThoseOfTheCommandLineByteForByte()
    {
        QFETCH(ExportFormat, format);
        QFETCH(report::ReportFormat, same);
        QLocale::setDefault(QLocale(QLocale::German));
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        for (const auto identity : {report::Identity::Shown, report::Identity::Removed}) {
            store::Workspace workspace = experiments::openForReading(fixture.path());
            experiments::DeviceFit deviceFit(config::resourceDirectory());
            const QString expected = fixture.text("expected.") + endingOf(format);
            report::writeReport(expected.toStdString(), same,
                report::readReport(workspace, *workspace.findExperiment(1), deviceFit, identity),
                config::resourceDirectory());
            const store::ThreadWithoutFiles here;
            ReportExporter exporter;
            const QSignalSpy written(&exporter, &ReportExporter::written);
            const QString path = fixture.text("report.") + endingOf(format);
            exporter.write({fixture.text(), 1, format, identity, path});
            QTRY_COMPARE(written.count(), 1);
            QCOMPARE(bytesOf(path), bytesOf(expected));
        }
        QLocale::setDefault(QLocale::c());
    }

    void thePdfHasWordsAndLinesAndNoPictures()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        ReportExporter exporter;
        const QSignalSpy written(&exporter, &ReportExporter::written);
        exporter.write({fixture.text(), 1, ExportFormat::Pdf, report::Identity::Shown, fixture.text("report.pdf")});
        QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30'000);
        const QByteArray pdf = bytesOf(fixture.text("report.pdf"));
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/MediaBox [0 0 842") || pdf.contains("/MediaBox [0 0 595"));
        QVERIFY(pdf.count("/Type /Page\n") >= 2);
        QVERIFY(pdf.contains("/FontFile"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
    }

    void whatCannotBeWrittenIsReportedAndLeavesTheFile()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        ReportExporter exporter;
        const QSignalSpy failed(&exporter, &ReportExporter::failed);
        exporter.write({fixture.text(), 1, ExportFormat::Csv, report::Identity::Shown, fixture.text()});
        QTRY_COMPARE(failed.count(), 1);
        exporter.write({fixture.text(), 99, ExportFormat::Csv, report::Identity::Shown, fixture.text("a.csv")});
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(!std::filesystem::exists(fixture.path("a.csv")));
        QVERIFY(fixture.results());
    }

    void aReportOfTheUsualWorkspaceDoesNotGoWhereProgramsKeepTheirData()
    {
        const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
        const ExportDialog dialog(data + QStringLiteral("/headroom.db"), 1, QStringLiteral("demo"), {});
        QVERIFY(dialog.folder() != data);
        QVERIFY2(QDir(dialog.folder()).exists(), qPrintable(dialog.folder()));
    }

    void inTheDialogTheEndingFollowsTheFormatAndTheFormatTheEnding()
    {
        ExportDialog dialog(QStringLiteral("/data/w.db"), 7, QStringLiteral("a sweep/1"), {});
        auto* path = dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
        auto* format = dialog.findChild<QComboBox*>(QStringLiteral("exportFormat"));
        auto* accept = dialog.findChild<QPushButton*>(QStringLiteral("exportAccept"));
        QCOMPARE(path->text(), QStringLiteral("/data/a-sweep-1.html"));
        format->setCurrentIndex(format->findData(static_cast<int>(ExportFormat::Pdf)));
        QCOMPARE(path->text(), QStringLiteral("/data/a-sweep-1.pdf"));
        path->setFocus();
        path->selectAll();
        QTest::keyClicks(path, QStringLiteral("/other/x.md"));
        QCOMPARE(dialog.request().format, ExportFormat::Markdown);
        QVERIFY(accept->isEnabled());
        QTest::keyClick(path, Qt::Key_Backspace);
        QVERIFY(!accept->isEnabled());
        QTest::keyClicks(path, QStringLiteral("D"));
        QVERIFY(accept->isEnabled());
        dialog.findChild<QCheckBox*>(QStringLiteral("exportAnonymous"))->setChecked(true);
        QCOMPARE(dialog.request().identity, report::Identity::Removed);
        QCOMPARE(dialog.request().experiment, 7);
        QCOMPARE(dialog.folder(), QStringLiteral("/other"));
    }

    void enterExportsWhereverTheFocusIs()
    {
        for (const char* focus : {"", "exportPath", "exportFormat", "exportAnonymous"}) {
            ExportDialog dialog(QStringLiteral("/data/results.db"), 1, QStringLiteral("demo"), {});
            const QSignalSpy accepted(&dialog, &QDialog::accepted);
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            auto* widget = dialog.findChild<QWidget*>(QLatin1String(focus));
            if (*focus != '\0')
                widget->setFocus();
            QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("exportAccept"))->isDefault());
            QTest::keyClick(*focus == '\0' ? &dialog : widget, Qt::Key_Return);
            QVERIFY2(accepted.count() == 1 && dialog.result() == QDialog::Accepted, focus);
        }
    }
};

HEADROOM_UI_TEST(ReportExporterTest)

} // namespace headroom::ui

#include "ReportExporterTest.moc"

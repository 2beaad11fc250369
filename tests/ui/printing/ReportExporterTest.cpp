// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/ReportExporter.h"

#include "core/config/Installation.h"
#include "experiments/report/formats/ReportFormat.h"
#include "profiling/store/ThreadWithoutFiles.h"
#include "tests/support/TextFiles.h"
#include "tests/ui/FileBytes.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/results/WorkspaceFixture.h"
#include "ui/printing/ExportDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTimer>

namespace headroom::ui {

class ReportExporterTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_asked = 0;
    }

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
        ReportExporter exporter;
        const ExportDialog dialog(resultsOf(data + QStringLiteral("/headroom.db")), {}, exporter);
        QVERIFY(dialog.folder() != data);
        QVERIFY2(QDir(dialog.folder()).exists(), qPrintable(dialog.folder()));
    }

    void inTheDialogTheEndingFollowsTheFormatAndTheFormatTheEnding()
    {
        ReportExporter exporter;
        ExportDialog dialog(resultsOf(QStringLiteral("/data/w.db"), 7), {}, exporter);
        auto* path = dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
        auto* format = dialog.findChild<QComboBox*>(QStringLiteral("exportFormat"));
        auto* accept = dialog.findChild<QPushButton*>(QStringLiteral("exportAccept"));
        QCOMPARE(path->text(), QStringLiteral("/data/a-demo-1-2026-03-01.html"));
        format->setCurrentIndex(format->findData(static_cast<int>(ExportFormat::Pdf)));
        QCOMPARE(path->text(), QStringLiteral("/data/a-demo-1-2026-03-01.pdf"));
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
            ReportExporter exporter;
            ExportDialog dialog(resultsOf(QStringLiteral("/data/results.db")), {}, exporter);
            const QSignalSpy accepted(&dialog, &QDialog::accepted);
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            auto* widget = dialog.findChild<QWidget*>(QLatin1String(focus));
            if (*focus != '\0')
                widget->setFocus();
            QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("exportAccept"))->isDefault());
            QTest::keyClick(*focus == '\0' ? &dialog : widget, Qt::Key_Return);
            QTRY_VERIFY2(accepted.count() == 1 && dialog.result() == QDialog::Accepted, focus);
        }
    }

    void anotherFileIsReplacedOnlyAfterAQuestion()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        ReportExporter exporter;
        const QString notes = fixture.text("notes.md");
        writeText(notes.toStdString(), "my precious notes");
        QVERIFY(!isExported(exporter, fixture.text(), notes, Answer::Cancel));
        QCOMPARE(m_asked, 1);
        QCOMPARE(bytesOf(notes), QByteArray("my precious notes"));
        QVERIFY(isExported(exporter, fixture.text(), notes, Answer::Replace));
        QCOMPARE(m_asked, 2);
        QVERIFY(bytesOf(notes).contains("four"));
    }

    void aReportThatTheWindowWroteIsReplacedUnlessItWasChanged()
    {
        const WorkspaceFixture fixture;
        fixture.run(kFour);
        ReportExporter exporter;
        const QString file = fixture.text("report.md");
        for (int times = 0; times < 2; ++times)
            QVERIFY(isExported(exporter, fixture.text(), file, Answer::Cancel));
        QCOMPARE(m_asked, 0);
        QVERIFY2(!isExported(exporter, fixture.text(), file, Answer::Cancel, 2), "it is of another experiment");
        QCOMPARE(m_asked, 1);
        writeText(file.toStdString(), contentOf(file.toStdString()) + "\nand what I think of it");
        QVERIFY(!isExported(exporter, fixture.text(), file, Answer::Cancel));
        QCOMPARE(m_asked, 2);
        QVERIFY(bytesOf(file).endsWith("what I think of it"));
        ReportExporter ofTheNextStart;
        QVERIFY(!isExported(ofTheNextStart, fixture.text(), file, Answer::Cancel));
        QCOMPARE(m_asked, 3);
    }

private:
    enum class Answer { Cancel, Replace };

    static ResultSet resultsOf(const QString& workspace, qint64 experiment = 1)
    {
        report::ReportContent content;
        content.number = experiment;
        content.experiment = "a demo/1";
        content.startedAt = "2026-03-01 12:30 UTC";
        return {workspace.toStdString(), std::move(content)};
    }

    // By Enter in the dialog, with that answer to a question; waits until it is written.
    bool isExported(
        ReportExporter& exporter, const QString& workspace, const QString& file, Answer answer, qint64 experiment = 1)
    {
        ExportDialog dialog(resultsOf(workspace, experiment), {}, exporter);
        dialog.show();
        auto* path = dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
        path->selectAll();
        QTest::keyClicks(path, file);
        bool hasAnswered = false;
        QTimer look;
        connect(&look, &QTimer::timeout, &look, [&] {
            auto* question = dialog.findChild<QMessageBox*>(QStringLiteral("replaceFileQuestion"));
            if (question == nullptr)
                return;
            look.stop();
            ++m_asked;
            hasAnswered = true;
            for (QAbstractButton* button : question->buttons())
                if ((question->buttonRole(button) == QMessageBox::DestructiveRole) == (answer == Answer::Replace))
                    return button->click();
        });
        look.start(10);
        QTest::keyClick(path, Qt::Key_Return);
        (void)QTest::qWaitFor([&] { return hasAnswered || dialog.result() == QDialog::Accepted; });
        QCoreApplication::processEvents();
        if (dialog.result() != QDialog::Accepted) {
            if (!dialog.isVisible())
                qWarning("the dialog is gone");
            return false;
        }
        const QSignalSpy written(&exporter, &ReportExporter::written);
        exporter.write(dialog.request());
        return QTest::qWaitFor([&] { return written.count() == 1; }, 30'000);
    }

    int m_asked = 0; ///< questions
};

HEADROOM_UI_TEST(ReportExporterTest)

} // namespace headroom::ui

#include "ReportExporterTest.moc"

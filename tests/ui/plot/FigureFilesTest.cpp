// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Figure.h"
#include "experiments/figures/svg/SvgWriter.h"
#include "tests/ui/UiTest.h"
#include "tests/ui/figures/PlotFixture.h"
#include "tests/ui/plot/PlotDriver.h"
#include "ui/plot/FigureTableModel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace headroom::ui {
namespace {

using namespace figures;

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// What leaves a plot: its table, images, files.
class FigureFilesTest : public UiTest {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        UiTest::init();
        m_theme.setScheme(ColourScheme::Light);
        m_plot = std::make_unique<FigurePlot>(m_theme);
        m_plot->resize(800, 500);
        m_plot->setFigure(fourMarks());
        m_plot->show();
        m_plot->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(m_plot.get()));
    }

    void theTableIsThePlotsTwin()
    {
        FigureTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFigure(fourMarks());
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.index(1, 0).data().toString(), QStringLiteral("all"));
        QCOMPARE(model.index(1, 3).data(Qt::TextAlignmentRole).toInt(), int(Qt::AlignRight | Qt::AlignVCenter));
        drive().press(Qt::Key_T);
        auto* table = m_plot->findChild<QTableView*>(QStringLiteral("figureTable"));
        QVERIFY(table->isVisible());
        QVERIFY(!canvas().isVisible());
        QVERIFY(!m_plot->actions().zoomIn->isEnabled());
        m_plot->actions().copy->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("Trial,Group,Kind")));
        m_plot->actions().table->trigger();
        QVERIFY(canvas().isVisible());
    }

    void filesHoldWhatIsSeenInLightColours()
    {
        m_theme.setScheme(ColourScheme::Dark);
        const QTemporaryDir folder;
        const QSignalSpy written(m_plot.get(), &FigurePlot::exported);
        for (const char* ending : {"svg", "csv", "pdf", "png"})
            m_plot->exportTo(folder.filePath(QStringLiteral("plot.") + QLatin1String(ending)), {.scale = 2});
        QTRY_COMPARE(written.count(), 4);
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("plot.svg"))).toStdString(), toSvg(*m_plot->figure()));
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("plot.csv"))).toStdString(), toCsv(m_plot->figure()->table));
        QVERIFY(contentOf(folder.filePath(QStringLiteral("plot.pdf"))).startsWith("%PDF-"));
        const QImage png(folder.filePath(QStringLiteral("plot.png")));
        QCOMPARE(png.width(), 1440);
        QCOMPARE(png.pixelColor(2, 2), QColor(Qt::white));
    }

    void aPdfHoldsLinesAndLettersNotPixels()
    {
        const QByteArray pdf = fileOf(*fourMarks(), FileKind::Pdf, {});
        QVERIFY(pdf.contains("/Font"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
    }

    void whatCannotBeWrittenIsSaid()
    {
        const QSignalSpy failures(m_plot.get(), &FigurePlot::exportFailed);
        m_plot->exportTo(QStringLiteral("plot.doc"));
        QCOMPARE(failures.count(), 1);
        QVERIFY(failures[0][0].toString().contains(QStringLiteral(".svg")));
        m_plot->exportTo(QStringLiteral("/nowhere/at/all/plot.svg"));
        QTRY_COMPARE(failures.count(), 2);
        QVERIFY(failures[1][0].toString().contains(QStringLiteral("plot.svg")));
    }

    void saveAsksForAFile()
    {
        m_plot->actions().save->trigger();
        auto* dialog = m_plot->findChild<QFileDialog*>(QStringLiteral("savePlotDialog"));
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->nameFilters().size(), 6);
        dialog->reject();
    }

private:
    FigureCanvas& canvas() { return m_plot->canvas(); }
    PlotDriver drive() { return PlotDriver(*m_plot); }

    Theme m_theme;
    std::unique_ptr<FigurePlot> m_plot;
};

HEADROOM_UI_TEST(FigureFilesTest)

} // namespace headroom::ui

#include "FigureFilesTest.moc"

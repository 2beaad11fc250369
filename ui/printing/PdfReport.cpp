// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/PdfReport.h"

#include "core/config/Installation.h"
#include "experiments/figures/Palette.h"
#include "experiments/report/TrialTable.h"
#include "ui/printing/PrintedReport.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QThread>

#include <exception>
#include <memory>

namespace headroom::ui {
namespace {

constexpr double kMarginMm = 16;
constexpr double kPxPerMm = 4; ///< 12 px of text are 3 mm high
constexpr double kFooterPx = 40;
constexpr int kDotsPerInch = 1200;
constexpr std::size_t kMostColumnsUpright = 8;

QPageLayout pageLayout(const report::ReportContent& content, const report::Comparison& comparison)
{
    const bool isWide = report::trialTable(content, comparison).columns.size() > kMostColumnsUpright;
    return {QPageSize(QPageSize::A4), isWide ? QPageLayout::Landscape : QPageLayout::Portrait,
        QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm), QPageLayout::Millimeter};
}

void drawFooter(QPainter& painter, const QSizeF& page, const QString& name, const QString& number)
{
    QFont font;
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(QColor(QString::fromStdString(figures::lightPalette().muted)));
    const QRectF area(0, page.height() - kFooterPx, page.width(), kFooterPx);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignBottom, name);
    painter.drawText(area, Qt::AlignRight | Qt::AlignBottom, number);
}

void drawPages(QPdfWriter& writer, const QString& name, const PrintedReport& report, const QSizeF& page)
{
    QPainter painter(&writer);
    const double scale = writer.pageLayout().paintRectPixels(kDotsPerInch).width() / page.width();
    const double height = page.height() - kFooterPx;
    painter.scale(scale, scale);
    for (int number = 0; number < report.pageCount(); ++number) {
        if (number > 0)
            writer.newPage();
        drawFooter(painter, page, name, QStringLiteral("%1 / %2").arg(number + 1).arg(report.pageCount()));
        painter.save();
        painter.translate(0, -number * height);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(0, number * height, page.width(), height);
        context.palette.setColor(QPalette::Text, QColor(QString::fromStdString(figures::lightPalette().ink)));
        painter.setClipRect(context.clip);
        report.document().documentLayout()->draw(&painter, context);
        painter.restore();
    }
}

// Words stay whole where that fits the page.
std::unique_ptr<PrintedReport> printed(
    const report::ReportContent& content, const report::Comparison& comparison, const QSizeF& page)
{
    auto report = std::make_unique<PrintedReport>(content, comparison, page, QTextOption::WordWrap);
    if (report->isWiderThanThePage())
        report = std::make_unique<PrintedReport>(content, comparison, page, QTextOption::WrapAtWordBoundaryOrAnywhere);
    return report;
}

std::string writtenReport(const report::ReportContent& content, const report::Comparison& comparison)
{
    const QPageLayout layout = pageLayout(content, comparison);
    const QSizeF page = layout.paintRect(QPageLayout::Millimeter).size() * kPxPerMm;
    const auto report = printed(content, comparison, {page.width(), page.height() - kFooterPx});
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kDotsPerInch);
        writer.setPageLayout(layout);
        writer.setTitle(QString::fromStdString(content.experiment));
        writer.setCreator(QStringLiteral("Headroom ") + QString::fromStdString(config::version()));
        drawPages(
            writer, QStringLiteral("Headroom report: ") + QString::fromStdString(content.experiment), *report, page);
    }
    return buffer.data().toStdString();
}

} // namespace

// Long documents are laid out by timers, which only a QThread has.
std::string pdfReport(const report::ReportContent& content, const report::Comparison& comparison)
{
    std::string pdf;
    std::exception_ptr failure;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        try {
            pdf = writtenReport(content, comparison);
        } catch (...) { // for the thread that waits
            failure = std::current_exception();
        }
    }));
    thread->start();
    thread->wait();
    if (failure)
        std::rethrow_exception(failure);
    return pdf;
}

} // namespace headroom::ui

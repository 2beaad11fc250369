// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/ReportExporter.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/figures/Palette.h"
#include "experiments/report/Comparison.h"
#include "experiments/report/DetailTables.h"
#include "experiments/report/ReportContent.h"
#include "experiments/report/TrialTable.h"
#include "experiments/report/formats/ReportFormat.h"
#include "ui/printing/PrintedReport.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QThread>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace headroom::ui {
namespace {

constexpr double kMarginMm = 16;
constexpr double kPxPerMm = 4; ///< 12 px of text are 3 mm high
constexpr double kFooterPx = 40;
constexpr int kDotsPerInch = 1200;
constexpr std::size_t kMostColumnsUpright = 8;

QPageLayout pageLayout(const report::ReportContent& content, const report::Comparison& comparison)
{
    const auto columns = report::marked(report::trialTable(content, comparison), comparison).columns.size();
    const bool isWide = columns > kMostColumnsUpright;
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

// Long documents are laid out by timers, which only a QThread has.
/// The report as a PDF file for A4 paper: its words, tables and figures, the figures as lines and words, each page
/// numbered. Lying pages where the table of results is wide. Works on any thread of a program with a QGuiApplication.
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

namespace fs = std::filesystem;

report::ReportFormat reportFormatOf(ExportFormat format)
{
    return report::formatOfFile("report." + endingOf(format).toStdString()).value();
}

void writeReport(const ExportRequest& request, const std::stop_token& stop)
{
    const fs::path file = request.path.toStdString();
    const fs::path source = request.workspace.toStdString();
    std::error_code absent;
    if (fs::equivalent(source, file, absent))
        throw FileError("this is the workspace itself", file.string(), "another file");
    store::Workspace workspace = experiments::openForReading(source);
    const auto experiment = workspace.findExperiment(request.experiment);
    if (!experiment)
        throw FileError("the workspace has no experiment " + std::to_string(request.experiment), source.string());
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    const report::ReportContent content = report::readReport(workspace, *experiment, deviceFit, request.identity);
    if (request.format == ExportFormat::Pdf)
        report::writeReportFile(file, pdfReport(content, report::Comparison(content.trials)), stop);
    else
        report::writeReport(file, reportFormatOf(request.format), content, config::resourceDirectory(), stop);
}

} // namespace

QString endingOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Html:
        return QStringLiteral("html");
    case ExportFormat::Markdown:
        return QStringLiteral("md");
    case ExportFormat::Csv:
        return QStringLiteral("csv");
    case ExportFormat::Json:
        return QStringLiteral("json");
    case ExportFormat::Pdf:
        return QStringLiteral("pdf");
    }
    return {};
}

std::optional<ExportFormat> exportFormatOf(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    for (const ExportFormat format :
        {ExportFormat::Html, ExportFormat::Markdown, ExportFormat::Csv, ExportFormat::Json, ExportFormat::Pdf})
        if (ending == endingOf(format))
            return format;
    return std::nullopt;
}

/// The reports that were written, as they were then: one that somebody has changed since is not replaced unasked.
struct ReportExporter::OwnFiles {
    struct Written {
        QString workspace;
        qint64 experiment = 0;
        fs::file_time_type time;
        std::uintmax_t size = 0;
        bool operator==(const Written&) const = default;
    };

    static fs::path nameOf(const ExportRequest& request) { return fs::absolute(request.path.toStdString()); }
    static Written seen(const ExportRequest& request)
    {
        const fs::path file = nameOf(request);
        return {request.workspace, request.experiment, fs::last_write_time(file), fs::file_size(file)};
    }

    std::map<fs::path, Written> files;
};

ReportExporter::ReportExporter(QObject* parent)
    : QObject(parent)
    , m_own(std::make_shared<OwnFiles>())
    , m_jobs(QStringLiteral("reports"))
{
}

ReportExporter::~ReportExporter() = default;

void ReportExporter::write(const ExportRequest& request)
{
    m_jobs.run(
        this,
        [request, own = m_own](const std::stop_token& stop) {
            writeReport(request, stop);
            if (fs::is_regular_file(OwnFiles::nameOf(request)))
                own->files[OwnFiles::nameOf(request)] = OwnFiles::seen(request);
        },
        [this, path = request.path] { Q_EMIT written(path); },
        [this](const QString& message) { Q_EMIT failed(message); });
}

void ReportExporter::lookAt(
    const ExportRequest& request, QObject* receiver, const std::function<void(bool isOther)>& answer)
{
    m_jobs.run(
        receiver,
        [request, own = m_own](const std::stop_token&) {
            if (!fs::is_regular_file(OwnFiles::nameOf(request)))
                return false;
            const auto written = own->files.find(OwnFiles::nameOf(request));
            return written == own->files.end() || written->second != OwnFiles::seen(request);
        },
        answer, [answer](const QString&) { answer(false); }); // what cannot be looked at cannot be written either
}

} // namespace headroom::ui

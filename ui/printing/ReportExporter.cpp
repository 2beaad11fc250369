// SPDX-License-Identifier: Apache-2.0
#include "ui/printing/ReportExporter.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "experiments/report/formats/ReportFile.h"
#include "experiments/report/formats/ReportFormat.h"
#include "ui/printing/PdfReport.h"

#include <QFileInfo>

namespace headroom::ui {
namespace {

namespace fs = std::filesystem;

std::string textOf(ExportFormat format, const report::ReportContent& content)
{
    const fs::path resources = config::resourceDirectory();
    switch (format) {
    case ExportFormat::Html:
        return report::reportText(report::ReportFormat::Html, content, resources);
    case ExportFormat::Markdown:
        return report::reportText(report::ReportFormat::Markdown, content, resources);
    case ExportFormat::Csv:
        return report::reportText(report::ReportFormat::Csv, content, resources);
    case ExportFormat::Json:
        return report::reportText(report::ReportFormat::Json, content, resources);
    case ExportFormat::Pdf:
        return pdfReport(content, report::Comparison(content.trials));
    }
    return {};
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
    report::writeReportFile(file, textOf(request.format, content), stop);
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

ReportExporter::ReportExporter(QObject* parent)
    : QObject(parent)
    , m_jobs(QStringLiteral("reports"))
{
}

void ReportExporter::write(const ExportRequest& request)
{
    m_jobs.run(
        this, [request](const std::stop_token& stop) { writeReport(request, stop); },
        [this, path = request.path] { Q_EMIT written(path); },
        [this](const QString& message) { Q_EMIT failed(message); });
}

} // namespace headroom::ui

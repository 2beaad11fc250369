// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/ReportReader.h"
#include "ui/jobs/JobThread.h"

#include <QObject>

#include <functional>
#include <memory>

namespace headroom::ui {

enum class ExportFormat { Html, Markdown, Csv, Json, Pdf };

/// "html", "md", ...: the ending of a file of this format.
QString endingOf(ExportFormat format);
/// By the ending of a file, in any case; nothing for another.
std::optional<ExportFormat> exportFormatOf(const QString& path);

struct ExportRequest {
    QString workspace;
    qint64 experiment = 0;
    ExportFormat format = ExportFormat::Html;
    report::Identity identity = report::Identity::Shown;
    QString path;
};

/// Writes reports of experiments in the background, with connections of its own: those of the command line byte for
/// byte, and PDF.
class ReportExporter : public QObject {
    Q_OBJECT

public:
    explicit ReportExporter(QObject* parent = nullptr);
    ~ReportExporter() override;

    void write(const ExportRequest& request);
    /// Answers whether that would replace a file other than the report that this exporter wrote of the same experiment,
    /// as it wrote it.
    void lookAt(const ExportRequest& request, QObject* receiver, const std::function<void(bool isOther)>& answer);
    bool isIdle() const { return m_jobs.isIdle(); }

Q_SIGNALS:
    void written(const QString& path);
    /// The file is as it was.
    void failed(const QString& message);

private:
    struct OwnFiles;

    std::shared_ptr<OwnFiles> m_own; ///< used by the jobs alone
    JobThread m_jobs;
};

} // namespace headroom::ui

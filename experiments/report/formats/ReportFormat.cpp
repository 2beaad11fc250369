// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/ReportFormat.h"

#include "core/base/ReplacedFile.h"
#include "experiments/report/formats/CsvReport.h"
#include "experiments/report/formats/MarkdownReport.h"
#include "experiments/report/html/HtmlReport.h"
#include "experiments/results/ResultsDocument.h"
#include "profiling/store/OpenFiles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <string_view>
#include <utility>

namespace headroom::report {
namespace {

experiments::EachResult resultsOf(const ReportContent& content, bool (*isWanted)(Outcome))
{
    return [&content, isWanted](const std::function<void(const experiments::TrialResult&)>& visit) {
        for (const ReportTrial& trial : content.trials)
            if (isWanted(trial.result.outcome))
                visit(trial.result);
    };
}

/// The results document of the contract, as `headroom run --format json` prints it.
void writeJson(const ReportContent& content, const experiments::TextSink& write)
{
    experiments::ResultsDocument parts;
    parts.experiment = content.experiment;
    parts.environment = content.environment;
    parts.summary = content.summary;
    experiments::writeDocument(parts, resultsOf(content, [](Outcome outcome) { return outcome != Outcome::NotRun; }),
        resultsOf(content, [](Outcome outcome) { return outcome == Outcome::NotRun; }), write);
    write("\n");
}

void open(std::optional<ReplacedFile>& file, const std::filesystem::path& path, const std::stop_token& stop)
{
    store::requireNotOpenHere(path);
    file.emplace(path, stop);
}

experiments::TextSink into(ReplacedFile& file)
{
    return [&file](std::string_view piece) { file.write(piece); };
}

} // namespace

std::optional<ReportFormat> formatOfFile(const std::string& file)
{
    static const std::array<std::pair<const char*, ReportFormat>, 4> kEndings{{{".html", ReportFormat::Html},
        {".md", ReportFormat::Markdown}, {".csv", ReportFormat::Csv}, {".json", ReportFormat::Json}}};
    std::string ending = std::filesystem::path(file).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const auto& [known, format] : kEndings)
        if (ending == known)
            return format;
    return std::nullopt;
}

std::filesystem::path trialsFileBeside(const std::filesystem::path& page)
{
    return std::filesystem::path(page).replace_extension(".trials.csv");
}

bool needsTrialsFile(ReportFormat format, const ReportContent& content)
{
    return format == ReportFormat::Html && content.trials.size() > kMostRows;
}

void writeReport(const std::filesystem::path& file, ReportFormat format, const ReportContent& content,
    const std::filesystem::path& resources, const std::stop_token& stop)
{
    const Comparison comparison(content.trials);
    std::optional<ReplacedFile> trials;
    if (needsTrialsFile(format, content)) {
        open(trials, trialsFileBeside(file), stop);
        csvReport(content, comparison, into(*trials));
    }
    std::optional<ReplacedFile> report;
    open(report, file, stop);
    const auto write = into(*report);
    switch (format) {
    case ReportFormat::Html:
        write(htmlReport(content, comparison, loadPageParts(resources), trialsFileBeside(file).filename().string()));
        break;
    case ReportFormat::Markdown:
        write(markdownReport(content, comparison));
        break;
    case ReportFormat::Csv:
        csvReport(content, comparison, write);
        break;
    case ReportFormat::Json:
        writeJson(content, write);
        break;
    }
    if (trials)
        trials->commit();
    report->commit();
}

void writeReportFile(const std::filesystem::path& file, const std::string& text, std::stop_token stop)
{
    store::requireNotOpenHere(file);
    replaceFile(file, text, std::move(stop));
}

} // namespace headroom::report

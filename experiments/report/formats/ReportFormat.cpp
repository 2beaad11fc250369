// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/ReportFormat.h"

#include "core/base/ReplacedFile.h"
#include "experiments/report/formats/CsvReport.h"
#include "experiments/report/formats/MarkdownReport.h"
#include "experiments/report/html/HtmlReport.h"
#include "profiling/store/OpenFiles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace headroom::report {
namespace {

/// The results document of the contract, as `headroom run --format json` prints it.
std::string jsonReport(const ReportContent& content)
{
    return toJson(content.results).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
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

std::string reportText(ReportFormat format, const ReportContent& content, const std::filesystem::path& resources)
{
    const Comparison comparison(content.trials);
    switch (format) {
    case ReportFormat::Html:
        return htmlReport(content, comparison, loadPageParts(resources));
    case ReportFormat::Markdown:
        return markdownReport(content, comparison);
    case ReportFormat::Csv:
        return csvReport(content, comparison);
    case ReportFormat::Json:
        return jsonReport(content);
    }
    return {};
}

void writeReportFile(const std::filesystem::path& file, const std::string& text, std::stop_token stop)
{
    store::requireNotOpenHere(file);
    replaceFile(file, text, std::move(stop));
}

} // namespace headroom::report

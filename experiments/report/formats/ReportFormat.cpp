// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/ReportFormat.h"

#include "experiments/report/formats/CsvReport.h"
#include "experiments/report/formats/JsonReport.h"
#include "experiments/report/formats/MarkdownReport.h"
#include "experiments/report/html/HtmlReport.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace headroom::report {

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

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace headroom::report {

/// The kinds of text that a report can be.
enum class ReportFormat { Html, Markdown, Csv, Json };

/// By the file's ending (.html, .md, .csv, .json in any case); nothing for another.
std::optional<ReportFormat> formatOfFile(const std::string& file);

/// The whole report. HTML takes its style from the resource folder; throws FileError where that is not there.
std::string reportText(ReportFormat format, const ReportContent& content, const std::filesystem::path& resources);

/// Puts a text in the place of a file, as ReplacedFile does: readers see the old one or the new one, never a part.
/// Throws FileError; the file is then as it was. A file that the store has open is refused.
void writeReportFile(const std::filesystem::path& file, const std::string& text, std::stop_token stop = {});

} // namespace headroom::report

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

/// Where the trials are that a page of very many does not show: "report.trials.csv" beside "report.html".
std::filesystem::path trialsFileBeside(const std::filesystem::path& page);
/// Whether a report in this format leaves trials out, all of which are then in that file.
bool needsTrialsFile(ReportFormat format, const ReportContent& content);

/// Writes the whole report in the place of a file, as writeReportFile() does, and the trials beside it if need be. HTML
/// takes its style from the resource folder; throws FileError, also where that is not there.
void writeReport(const std::filesystem::path& file, ReportFormat format, const ReportContent& content,
    const std::filesystem::path& resources, const std::stop_token& stop = {});

/// Puts a text in the place of a file, as ReplacedFile does: readers see the old one or the new one, never a part.
/// Throws FileError; the file is then as it was. A file that the store has open is refused.
void writeReportFile(const std::filesystem::path& file, const std::string& text, std::stop_token stop = {});

} // namespace headroom::report

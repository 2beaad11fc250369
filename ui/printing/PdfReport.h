// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/Comparison.h"
#include "experiments/report/ReportContent.h"

#include <string>

namespace headroom::ui {

/// The report as a PDF file for A4 paper: its words, tables and figures, the figures as lines and words, each page
/// numbered. Lying pages where the table of results is wide. Works on any thread of a program with a QGuiApplication.
std::string pdfReport(const report::ReportContent& content, const report::Comparison& comparison);

} // namespace headroom::ui

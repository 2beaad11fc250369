// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace headroom::cli {

/// How data is printed on standard output.
enum class OutputFormat { Table, Markdown, Csv, Json, JsonLines };

/// table, md, csv, json, jsonl; throws UsageError at `--format` for anything else.
OutputFormat outputFormatFromText(const std::string& text);

/// Adds `--format F`; the text lands in `target`, which has to outlive the parsing.
void addFormatOption(CLI::App& command, std::string& target);

} // namespace headroom::cli

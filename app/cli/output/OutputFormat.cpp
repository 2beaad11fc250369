// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/OutputFormat.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace headroom::cli {
namespace {

const std::vector<std::string> kNames{"table", "md", "csv", "json", "jsonl"};

} // namespace

OutputFormat outputFormatFromText(const std::string& text)
{
    const auto it = std::find(kNames.begin(), kNames.end(), text);
    if (it == kNames.end())
        throw UsageError("found \"" + text + "\"", "--format", joined(kNames));
    return static_cast<OutputFormat>(it - kNames.begin());
}

void addFormatOption(CLI::App& command, std::string& target)
{
    command.add_option("--format", target, "table, md, csv, json or jsonl (default table)")->type_name("F");
}

} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Csv.h"
#include "app/cli/output/OutputFormat.h"
#include "app/cli/output/Table.h"
#include "experiments/results/OrderedJson.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace headroom::cli {

/// A titled table with lines of text before and after it; each part may be empty.
struct Section {
    std::string title;
    std::string before;
    Table table;
    std::string after;
};

/// What a command prints, for people and for programs.
struct Report {
    std::vector<Section> sections; ///< table and md
    experiments::OrderedJson document; ///< json
    experiments::OrderedJson records = experiments::OrderedJson::array(); ///< csv and jsonl: a row or line each
    /// Where there may be tens of thousands of records: what makes document and records as they are printed, in their
    /// place.
    std::function<void(std::ostream&)> writeDocument{};
    EachRecord eachRecord{};
};

void print(const Report& report, OutputFormat format, std::ostream& out);

/// One line of JSON; bytes that are no UTF-8 are replaced.
std::string jsonLine(const experiments::OrderedJson& json);

} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"
#include "core/config/DeviceSpec.h"

#include <string>
#include <vector>

namespace headroom::report {

enum class CellKind {
    Text,
    Number, ///< right-aligned
};

/// How a value came about, where that has to be said beside it.
enum class Origin { Plain, Rehearsed, Predicted };

Origin originOf(config::Provenance provenance);
/// The letter behind such a value: "p", "r"; empty for a plain one.
const char* markOf(Origin origin);
/// What the letter means: "predicted by simulation, not measured".
const char* meaningOf(Origin origin);

struct ReportCell {
    std::string text = {}; ///< never empty in a table: "-" for what is unknown or does not apply
    Origin origin = Origin::Plain;
    std::string sortKey = {}; ///< a number in full; empty: the text
};

struct ReportColumn {
    std::string title;
    CellKind kind = CellKind::Text;
    std::string help = {}; ///< what is in it, for those who wonder; may be empty
    bool isSetting = false; ///< an axis of the sweep, no result
};

struct ReportRow {
    std::string trial; ///< id; empty for a row that is no trial
    std::vector<ReportCell> cells;
};

/// A table that Markdown and HTML show in their own ways.
struct ReportTable {
    std::vector<ReportColumn> columns;
    std::vector<ReportRow> rows;

    /// Those of its values that have a mark, each once.
    std::vector<Origin> markedOrigins() const;
};

using headroom::kUnknownCell;
/// Between an outcome and the flags behind it.
inline constexpr const char* kFlagSeparator = "; ";

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportTable.h"

#include <string>

namespace headroom::ui {

/// A table as RFC 4180 wants it (lines end with CR LF), the numbers as they are shown, in the units of their titles,
/// with a point whatever the language; nothing where a value is unknown.
std::string csvText(const report::ReportTable& table);

} // namespace headroom::ui

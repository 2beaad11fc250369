// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"

#include <string>

namespace headroom::figures {

/// A cell of a CSV file, in quotes where it has to be. Control characters but line feeds and tabs are spelled out; text
/// that a spreadsheet would take for a formula (it begins with = + - @ or a tab, and is no number) gets a ' in front.
std::string csvCell(const std::string& text);

/// As RFC 4180 wants it: lines end with CR LF.
std::string toCsv(const Table& table);

} // namespace headroom::figures

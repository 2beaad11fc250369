// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <string>
#include <string_view>

namespace headroom::config {

/// A number of bytes as in `budget:SIZE`: "12GiB", "1.5GiB", "800MiB", "123456789". Throws UsageError at `where`,
/// quoting `notation`.
Bytes parseBudgetSize(const std::string& text, const std::string& notation, const std::string& where);

/// The canonical form: in the largest unit that needs no fraction, "12GiB", "1536MiB", "1000001".
std::string budgetSizeText(Bytes bytes);

/// In the reason for which a trial whose steps cannot keep to a budget has failed, after the setting: more would help.
inline constexpr std::string_view kBudgetTooSmall = "a step needs at least ";

/// What a budget became, before what blocks then did: "budget 12 GiB planned as blocks:0-11=all…, with a simulated peak
/// of 11.9 GiB: ".
std::string budgetRemark(Bytes budget, const std::string& planned, Bytes simulatedPeak);

} // namespace headroom::config

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/ParityResult.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// The record of the contract ("headroom.parity/1") and its table.
Report parityReport(const config::Trial& trial, const protocol::ParityResult& result, double tolerance);

/// Why the comparison does not pass, one sentence per reason; empty if it passes.
std::vector<std::string> parityObjections(const protocol::ParityResult& result, double tolerance);

} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Report.h"
#include "experiments/comparison/TrialPairs.h"

#include <string>

namespace headroom::cli {

/// How far two traces are apart over time, as the contract has it; null where that is not known.
experiments::OrderedJson overTimeJson(const experiments::TrialPair& pair);

/// The same in words and a table; for pairs of which it is known.
Section overTimeSection(const experiments::TrialPair& pair, const std::string& name);

} // namespace headroom::cli

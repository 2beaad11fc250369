// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/WorkerAnswer.h"
#include "app/cli/output/Report.h"

namespace headroom::cli {

/// Adds to what `headroom doctor` prints which collectors can look at memory here, why others cannot, and how much a
/// trace tells because of that. Nothing where the worker did not answer.
void addCollectors(Report& report, const WorkerAnswer& worker);

} // namespace headroom::cli

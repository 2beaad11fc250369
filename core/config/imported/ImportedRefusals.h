// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/config/Workload.h"

#include <string>
#include <vector>

namespace headroom::config {

/// Whether a simulated device has no kernel for an operator of ATen ("torch.ops.aten.geqrf.default", "geqrf.out"), or
/// for one that runs with it in such a step: of LibTorch 2.11 with Headroom's kernels. So what cannot be simulated is
/// told without a worker; a test holds the list to what the worker has.
bool lacksKernel(const std::string& op, StepKind step);

/// What would make an archive right that is refused.
inline constexpr const char* kWithout = "an export of the model without it";

/// Operators of ATen in an archive that it may not run (isKnownOperator), in sentences that name module, source line
/// and node.
std::vector<std::string> unknownOperators(const archive::ExportedModel& model);

/// Throws UsageError with the first of them, before anything of the archive is run.
void requireKnownOperators(const archive::ExportedModel& model);

/// What keeps an imported model from running on any device, in sentences that name module and source line as far as the
/// archive has them: unknown operators, operators that are not LibTorch's, graphs that are chosen or repeated by
/// values, an autocast region around the export, no output.
std::vector<std::string> refusalsToRun(const archive::ExportedModel& model);

/// The same for steps with a backward pass: an export in evaluation mode, functions whose own backward the export lost.
std::vector<std::string> refusalsToTrain(const archive::ExportedModel& model);

/// The same for simulated devices, on which tensors have no values: sizes that depend on values, and operators that
/// have no kernel there (lacksKernel).
std::vector<std::string> refusalsToSimulate(const archive::ExportedModel& model, StepKind step = StepKind::Train);

} // namespace headroom::config

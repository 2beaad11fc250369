// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/ReportContent.h"

#include <vector>

namespace headroom::report {

/// Several experiments of a workspace as one, to be shown together: the trials of all, each with its source. A trial
/// that more than one of them has gets an id of its own from the second on ("8ecbba16@5" in experiment 5); its stored
/// id is in its source. Number, state and replay are those of the first. One experiment stays as it is; there must be
/// one at least.
ReportContent together(std::vector<ReportContent> experiments);

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/ghost/GhostCatalogue.h"

#include <string>

namespace headroom::experiments {

/// The configuration file that upstream has for a model of the catalogue, JSON. Throws UsageError for a name that the
/// catalogue does not have, and for a model whose class upstream does not have or `known` does not describe.
std::string upstreamConfigOf(const std::string& model, const GhostCatalogue& known);

} // namespace headroom::experiments

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/GraphReader.h"

#include <string>
#include <vector>

namespace headroom::archive {

/// Keys under which the forward returns its outputs, one for each leaf in their order: "loss", "logits" of a dict or a
/// data class; empty where a leaf has no key of its own. `program` is models/model.json. Empty if it does not say.
std::vector<std::string> outputNamesOf(const Json& program);

} // namespace headroom::archive

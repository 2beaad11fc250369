// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace headroom::experiments {

/// Objects keep the order in which keys were added: that of the contract.
using OrderedJson = nlohmann::ordered_json;

} // namespace headroom::experiments

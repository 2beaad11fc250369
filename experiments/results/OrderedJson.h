// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace headroom::experiments {

/// Objects keep their keys in insertion order, which is the order of the contract.
using OrderedJson = nlohmann::ordered_json;

} // namespace headroom::experiments

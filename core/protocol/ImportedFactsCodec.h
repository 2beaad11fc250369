// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/imported/ImportedFacts.h"
#include "core/protocol/Json.h"

#include <optional>

namespace headroom::protocol {

Json toJson(const config::ImportedFacts& facts);
/// Nothing for null. Throws Json::exception for other types.
std::optional<config::ImportedFacts> importedFactsFromJson(const Json& json);

} // namespace headroom::protocol

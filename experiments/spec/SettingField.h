// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Field.h"

#include <string>
#include <utility>

namespace headroom::experiments {

/// The first word of a full path: "model", "workload", "techniques", "device", "protocol"; and the rest.
std::pair<std::string, std::string> splitPath(const std::string& path);

/// The keys that a table of the spec has for a model: "model" has `name` and the model's fields, "techniques" has every
/// technique key and `KEY.OPTION`, in the order of the sweep.
config::FieldSet tableFields(const std::string& table, const std::string& modelName, const std::string& where);

/// The field behind a full path; throws UsageError at `where` with the closest and all keys of its table.
config::Field settingField(const std::string& path, const std::string& modelName, const std::string& where);

} // namespace headroom::experiments

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// One setting of a spec as it was written, before its meaning is known.
struct SpecSetting {
    /// Dotted path: `model.name`, `model.dim`, `workload.batch`, `techniques.KEY` (the notation),
    /// `techniques.KEY.OPTION`, `device.name`, `protocol.steps`.
    std::string path;
    config::Value value; ///< a list is a sweep axis, unless the field is itself a list
    /// For messages: "spec.toml:12:3: model.dim" or "--set model.dim".
    std::string where;
    std::vector<std::string> elementWhere = {}; ///< the same for each element of a list that stands in a file

    const std::string& whereOf(std::size_t element) const
    {
        return element < elementWhere.size() ? elementWhere[element] : where;
    }
    bool operator==(const SpecSetting&) const = default;
};

/// Settings by path.
using SpecSettings = std::map<std::string, SpecSetting>;

/// The path in full: `ema.decay` is `techniques.ema.decay`, `ema.notation` is `techniques.ema`. Throws UsageError at
/// `where` for a path that no spec has; whether the last word of it exists depends on the model and is not checked.
std::string fullPath(const std::string& path, const std::string& where);

} // namespace headroom::experiments

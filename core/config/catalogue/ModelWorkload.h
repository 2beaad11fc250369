// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"
#include "core/config/Workload.h"

#include <string>
#include <utility>

namespace headroom::config {

/// The workload of these values for a model, whose own loss it has where they name none. `where` is for messages.
/// Throws UsageError as makeWorkload.
inline Workload workloadOf(const ModelDescriptor& model, ValueMap values, const std::string& where)
{
    values.emplace("loss", toText(model.family->defaultLoss));
    return makeWorkload(values, model.shapes, where);
}

} // namespace headroom::config

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/ModelFamily.h"

namespace headroom::config {

/// Bytes of a model's parameters built for a workload's dtype without techniques, by the closed forms. Includes what
/// the family keeps in float32 in a model of a smaller type.
Bytes weightBytes(const ModelFamily& family, const ValueMap& fields, Dtype dtype);

} // namespace headroom::config

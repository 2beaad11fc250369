// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

namespace headroom::archive {

/// Floating-point operations (2 per multiply-add) of the products of one forward: linear, matrix products, convolutions
/// and attention, whose scores and values are counted as whole products.
double forwardFlops(const ExportedModel& model, const SymbolValues& values);

} // namespace headroom::archive

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

namespace headroom::archive {

/// Makes a masked fill of each `x[mask] = number`, which an export writes as index_put of a tensor made of the number:
/// as LibTorch's index_put itself does on a device (canDispatchToMaskedFill,
/// aten/src/ATen/native/TensorAdvancedIndexing), where the number stays on the host. So no size depends on values.
/// Masks of fewer dimensions than x stay as they are.
void makeMaskedFills(Graph& graph);

} // namespace headroom::archive

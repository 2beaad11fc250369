// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

#include <string>
#include <vector>

namespace headroom::archive {

/// A Linear's nodes: a product with the weight of the module that they run in. Where that lies as [in, out]
/// (transformers' Conv1D: addmm), the views that flatten the input to rows and the output back belong to it; where the
/// product is with the weight's transpose (FalconLinear: matmul), so does that.
struct LinearNode {
    std::size_t node = 0; ///< the product; index into Graph::nodes
    std::string path{}; ///< of the module
    std::int64_t rows = 0; ///< out channels
    std::int64_t columns = 0; ///< in channels
    bool isTransposed = false; ///< the weight is [in, out]
    std::size_t first = 0; ///< of its nodes; where it reads its input
    std::size_t last = 0; ///< of its nodes; it makes its output
    std::string input{}; ///< value
    std::string output{}; ///< value
    std::string weight{}; ///< value
    std::string bias{}; ///< value; empty: none
};

/// The Linears' nodes in the order in which they run; a module that is called twice has two.
std::vector<LinearNode> linearNodes(const ExportedModel& model);

} // namespace headroom::archive

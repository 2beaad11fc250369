// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"

namespace headroom::archive {

/// A repeated part of a model: nodes that run one after the other.
struct BlockRange {
    std::string path; ///< of the module
    std::string type; ///< its class, without the Python module
    std::size_t first = 0; ///< indices into Graph::nodes, both inclusive
    std::size_t last = 0;
};

struct Blocks {
    std::vector<BlockRange> ranges; ///< in the order in which they run; they do not overlap
    std::vector<std::string> remarks;
};

/// The repeated blocks of a model, of which checkpointing and offloading speak. `choice` names them: the path of a
/// numbered list ("model.layers"), or a class ("LlamaDecoderLayer"). If it is empty they are what the capture named;
/// else modules of the classes that it names; else elements of numbered lists whose class occurs more than once, the
/// outermost ones. Throws UsageError at `where` for a choice that fits no module, with those that would.
Blocks findBlocks(const ExportedModel& model, const std::string& choice, const std::string& where);

} // namespace headroom::archive

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

namespace headroom::archive {

/// The graph with the nodes of its autocast and gradient mode subgraphs in the place of the nodes that run them, each
/// with the regions around it, so that a module's nodes follow each other as its forward ran. The first of them bears
/// the replaced node's name, by which the capture knows it. Other subgraphs stay. Throws FileError at `where` for a
/// subgraph that does not fit the node that runs it.
Graph spliced(Graph graph, const std::string& where);

} // namespace headroom::archive

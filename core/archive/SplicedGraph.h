// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedGraph.h"

namespace headroom::archive {

/// The graph with the nodes of its autocast and gradient mode subgraphs in the place of the nodes that run them, each
/// with the regions around it, so that a module's nodes follow each other as its forward ran. Their nodes and values
/// are named "SUBGRAPH.NAME", as in the capture's notes; what a subgraph gives has its name outside. Other subgraphs
/// stay. Throws FileError at `where` for a subgraph that does not fit the node that runs it.
Graph spliced(Graph graph, const std::string& where);

} // namespace headroom::archive

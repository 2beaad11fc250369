// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/trace/TraceReport.h"

namespace headroom::cli {

/// {"schema":"headroom.trace/1", ...}
experiments::OrderedJson traceDocument(const TraceFindings& findings, const TreeView& view);

/// One record per node of the tree, down to the view's depth; no node is folded or left out.
experiments::OrderedJson treeRecords(const TraceFindings& findings, const TreeView& view);

} // namespace headroom::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/document/Block.h"
#include "experiments/report/html/Html.h"

namespace headroom::report {

/// The blocks of a section on a page. A figure has its caption, is drawn twice (for wide and for narrow pages), and can
/// be opened as a table.
Html htmlOf(const Blocks& blocks);

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/drawing/Canvas.h"
#include "experiments/figures/layout/SheetLayout.h"

namespace headroom::figures {

/// A sheet with its figures, rules and words.
void drawSheet(const Sheet& sheet, const SheetLayout& layout, Canvas& canvas);

} // namespace headroom::figures

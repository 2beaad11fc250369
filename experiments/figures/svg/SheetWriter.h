// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/SheetLayout.h"

#include <string>

namespace headroom::figures {

/// The sheet as one <svg> element that stands by itself: its colours are in it, light, and dark where the reader
/// prefers that on a screen. No script, nothing external.
std::string toSvg(const Sheet& sheet, double width);

} // namespace headroom::figures

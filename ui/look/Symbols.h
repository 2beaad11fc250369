// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QIcon>

namespace headroom::ui {

/// The icons that the toolbar's buttons show beside their text.
enum class ToolSymbol { Run, Pause, Stop, Fit, Plan, Report };

/// Drawn in the theme's colours, sharp at every scale.
QIcon icon(ToolSymbol symbol, const Theme& theme);

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QIcon>

namespace headroom::ui {

/// What the toolbar's buttons show beside their words.
enum class ToolSymbol { Run, Pause, Stop, Fit, Report };

/// Drawn in the theme's colours, sharp at every scale.
QIcon icon(ToolSymbol symbol, const Theme& theme);

} // namespace headroom::ui

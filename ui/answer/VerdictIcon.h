// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/FitVerdict.h"
#include "ui/look/Theme.h"

#include <QPixmap>

namespace headroom::ui {

/// The colour of a verdict's text and icon.
QColor verdictColour(experiments::FitVerdict::Kind kind, const Theme& theme);

/// A check mark, an exclamation mark, a cross or a question mark, each with its own shape.
QPixmap verdictIcon(experiments::FitVerdict::Kind kind, const Theme& theme, int side, qreal devicePixelRatio);

} // namespace headroom::ui

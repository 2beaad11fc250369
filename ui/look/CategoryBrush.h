// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Palette.h"

#include <QBrush>
#include <QImage>

#include <cstddef>

namespace headroom::ui {

/// The square that fills a category's ground where it repeats: its colour with its texture, at `scale` pixels a px.
QImage categoryTile(const figures::Palette& palette, std::size_t category, double scale);

/// The same to fill shapes with that are given in px.
QBrush categoryBrush(const figures::Palette& palette, std::size_t category, double scale);

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Palette.h"

#include <QBrush>
#include <QImage>

#include <cstddef>

namespace headroom::ui {

/// The tile that fills a category's area by repetition: its colour with its texture, at `scale` pixels per px.
QImage categoryTile(const figures::Palette& palette, std::size_t category, double scale);

/// The same tile as a brush for shapes whose coordinates are in px.
QBrush categoryBrush(const figures::Palette& palette, std::size_t category, double scale);

} // namespace headroom::ui

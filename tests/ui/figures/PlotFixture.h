// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/experiments/figures/ExampleFigures.h"
#include "ui/figures/FigureInk.h"

namespace headroom::ui {

inline FigurePtr shared(figures::Figure figure)
{
    return std::make_shared<const figures::Figure>(std::move(figure));
}

/// Four marks from (9.3 GiB, 1.36 steps/s) to (26.7 GiB, 1.68 steps/s) under a budget of 24 GiB.
inline FigurePtr fourMarks()
{
    return shared(figures::tradeoffFigure(figures::fourPolicies()));
}

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/layout/LegendLayout.h"

#include "experiments/figures/layout/TextMetrics.h"

namespace headroom::figures {
namespace {

constexpr double kLegendSide = 8;
constexpr double kLine = 20;
constexpr double kSymbolWidth = 20;
constexpr double kSymbolHeight = 14;
constexpr double kBetween = 14;

} // namespace

double layOutLegend(const Figure& figure, double top, FigureLayout& layout)
{
    double x = kLegendSide;
    double y = top;
    for (const LegendEntry& entry : figure.legend) {
        const std::string text = elided(entry.text, kFontPx, layout.width - 2 * kLegendSide - kSymbolWidth - 4);
        const double width = kSymbolWidth + 4 + textWidth(text, kFontPx);
        if (x > kLegendSide && x + width > layout.width - kLegendSide) {
            x = kLegendSide;
            y += kLine;
        }
        layout.legend.push_back({{x, y + 3, kSymbolWidth, kSymbolHeight}, {text, x + kSymbolWidth + 4, y + 14}});
        x += width + kBetween;
    }
    return figure.legend.empty() ? top : y + kLine;
}

} // namespace headroom::figures

// SPDX-License-Identifier: Apache-2.0
#include "experiments/figures/Palette.h"

#include <fmt/format.h>

namespace headroom::figures {

Palette lightPalette()
{
    return {"#ffffff", "#1c2128", "#59636e", "#e1e4e8", "#b3261e",
        {"#1461b8", "#c2500a", "#00806c", "#a03c86", "#806300", "#566072"},
        {"#6ca5f6", "#e3610c", "#847ce3", "#acd6ad", "#dda009", "#f9d856", "#6ac5ff", "#c2736c", "#60e7fd", "#a57ba3",
            "#e9ead3", "#aeaeae"},
        "#1c2128"};
}

Palette darkPalette()
{
    return {"#14181f", "#e8ecf1", "#a5b0bd", "#2c333d", "#ff8f85",
        {"#6cb0ff", "#ff9d52", "#3ccdac", "#ef9bd0", "#dcc04a", "#aab5c5"},
        {"#76aafe", "#e0701a", "#7e76d8", "#aed7ae", "#e0b040", "#a3a276", "#5fddff", "#c66846", "#048fa1", "#e3bddc",
            "#868275", "#b2b2b2"},
        "#14181f"};
}

Palette propertyPalette()
{
    Palette palette{"var(--hr-surface)", "var(--hr-ink)", "var(--hr-muted)", "var(--hr-grid)", "var(--hr-budget)", {},
        {}, "var(--hr-on-category)"};
    for (std::size_t i = 0; i < palette.series.size(); ++i)
        palette.series.at(i) = fmt::format("var(--hr-series-{})", i + 1);
    for (std::size_t i = 0; i < palette.categories.size(); ++i)
        palette.categories.at(i) = fmt::format("var(--hr-category-{})", i + 1);
    return palette;
}

} // namespace headroom::figures

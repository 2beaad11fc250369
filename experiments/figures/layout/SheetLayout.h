// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <string>
#include <variant>
#include <vector>

namespace headroom::figures {

/// A table under its title; rows of a tree begin with two blanks for each level.
struct SheetTable {
    std::string title;
    Table table;
};

/// What a view shows, as a picture to be shared: figures, tables and sentences below each other, and a caption that
/// says whose they are.
struct Sheet {
    std::vector<std::variant<Figure, SheetTable, std::string>> parts;
    std::string caption; ///< "ltx-tradeoff: ltx-video-2b on sim:h100-80gb; predicted, not measured"

    bool isEmpty() const { return parts.empty(); }
};

enum class SheetWords { Plain, Strong, Title, Muted };

struct SheetText {
    PlacedText text;
    SheetWords words = SheetWords::Plain;
};

struct SheetFigure {
    std::size_t part = 0; ///< of the sheet
    double y = 0; ///< of its upper edge
    FigureLayout layout;
};

/// Where everything of a sheet stands.
struct SheetLayout {
    double width = 0;
    double height = 0;
    std::vector<SheetFigure> figures;
    std::vector<SheetText> texts;
    std::vector<Segment> rules; ///< below headers of tables, and above the caption
};

/// At least `width` px wide: wider where a table needs it.
SheetLayout layOut(const Sheet& sheet, double width);

} // namespace headroom::figures

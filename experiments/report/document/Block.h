// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Figure.h"
#include "experiments/figures/memory/PeakTree.h"
#include "experiments/report/Facets.h"
#include "experiments/report/ReportTable.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headroom::report {

struct Block;
using Blocks = std::vector<Block>;

/// Whose words they are: in ours backquotes set off code; what a user or a file gave is shown as it is.
enum class Wording { Ours, Given };
/// Whether readers may sort a table by its columns, where a form has a way to.
enum class Sorting { Offered, None };

struct Paragraph {
    enum class Look { Plain, Lead, Note, Task };

    std::string text;
    Look look = Look::Plain;
    Wording wording = Wording::Ours;
};

struct Heading {
    std::string text;
    int level = 3; ///< below the section's, which is 2
};

struct Bullets {
    enum class Look { Findings, Cautions };

    std::vector<std::string> sentences;
    Look look = Look::Findings;
    Wording wording = Wording::Ours;
};

struct TableBlock {
    ReportTable table;
    std::string caption; ///< for those who do not see the heading above
    Sorting sorting = Sorting::None;
};

struct FigureBlock {
    enum class Size {
        Normal,
        Track, ///< low: one of several below each other
        Small ///< one of several beside each other, under its title
    };

    figures::Figure figure;
    std::string id; ///< different for each figure of a report
    Size size = Size::Normal;
    std::optional<figures::Figure> narrow{}; ///< the same with less detail, for narrow pages; else the figure itself
};

/// What was held at a peak.
struct TreeBlock {
    figures::PeakTreeRow root;
    Origin origin = Origin::Plain;
    ReportTable largest; ///< of its rows, for forms in which nothing opens
};

struct CodeBlock {
    std::string source;
    std::string language; ///< "sh", "toml"
    std::string name; ///< what a reader copies: "command", "spec"
};

struct TermsBlock {
    std::vector<Facet> terms;
};

/// What a reader opens by its summary; forms in which nothing opens have it as it is.
struct Folded {
    std::string summary;
    Blocks blocks;
};

/// Blocks that belong together; `kind` names how a page arranges them: "groups", "group", "multiples", "folded".
struct Group {
    std::string kind;
    Blocks blocks;
};

using AnyBlock =
    std::variant<Paragraph, Heading, Bullets, TableBlock, FigureBlock, TreeBlock, CodeBlock, TermsBlock, Folded, Group>;
/// A piece of a report.
struct Block : AnyBlock {
    using AnyBlock::AnyBlock;
};

/// How much of a report a form shows.
struct ReportBounds {
    std::size_t rows = std::numeric_limits<std::size_t>::max(); ///< of a table
    std::string trialsFile = {}; ///< where all trials are beside it; empty: nowhere
    enum class Timelines { All, InFullOnly } timelines = Timelines::All; ///< those of trials that others beat as well
};

} // namespace headroom::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"

#include <QPolygonF>
#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::ui {

enum class TargetKind { Mark, Bar, RowText, Strip, Span };

/// A thing of a figure that a pointer or the keyboard can reach: an index into the whole figure.
struct Target {
    TargetKind kind = TargetKind::Mark;
    std::size_t index = 0;

    bool operator==(const Target&) const = default;
};

/// Which way the keyboard goes from one target to the next.
enum class Way { Left, Right, Up, Down };

/// The targets of a scene and where they are. Marks are found by the plot that shows them.
class PlotTargets {
public:
    explicit PlotTargets(const PlotScene& scene);

    /// The one whose box is there, of those that are no marks.
    std::optional<Target> boxAt(const QPointF& place) const;
    /// The trials of the marks in an area.
    QStringList within(const QPolygonF& area) const;
    /// The next one that way of `from`; of none the first one. The strip lies below the plot.
    std::optional<Target> next(const std::optional<Target>& from, Way way) const;
    /// Whether it lies where the plot shows it now.
    bool isSeen(const Target& target) const;

    /// Trial; empty for what is no trial.
    QString id(const Target& target) const;
    const figures::Hover& hover(const Target& target) const;
    /// What a ring around it encloses.
    figures::Box box(const Target& target) const;

private:
    struct Place {
        figures::Pixel at;
        Target target;
    };

    void addMarks();
    void addRest();

    const PlotScene& m_scene;
    std::vector<Place> m_marks; ///< those that are seen
    std::vector<Target> m_rest; ///< bars, words, strip; spans last
};

/// Where in a figure each trial is, so that a selection of many among many is found at once.
class TrialIndex {
public:
    /// The figure must outlive it.
    explicit TrialIndex(const figures::Figure& figure);

    std::vector<Target> of(const QString& trial) const;

private:
    std::unordered_multimap<std::string_view, Target> m_targets;
};

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/FigurePlot.h"
#include "ui/timeline/TimelineWindow.h"

#include <QWidget>

#include <optional>

namespace headroom::ui {

/// What a lane says above its plot: notes and legend, or less where it is not alone.
enum class LaneWords { NotesAndLegend, Legend, TitleOnly };

/// One track of one trial over time. Its place in the common time of all lanes is its own time less `shiftNs`.
class TimelineLane : public QWidget {
    Q_OBJECT

public:
    explicit TimelineLane(Theme& theme, QWidget* parent = nullptr);

    FigurePlot& plot() { return *m_plot; }
    FigureCanvas& canvas() { return m_plot->canvas(); }

    /// What `visible` (common time) is cut from.
    void setData(const LaneWindow& lane, const TimelineWindow& window, const figures::TimeWindow& visible);
    void setWords(LaneWords words);
    /// A sentence in the place of a timeline.
    void setText(const QString& title, const QString& text);
    void setShift(std::int64_t shiftNs) { m_shiftNs = shiftNs; }
    std::int64_t shiftNs() const { return m_shiftNs; }
    /// Moves what is there; cheap.
    void setWindow(const figures::TimeWindow& visible);
    /// How far the memory axis goes at least, in its own unit: lanes that are compared share one.
    void setTop(double top);
    /// Both in common time.
    void setCursorTime(std::optional<std::int64_t> timeNs);
    void setRange(std::optional<figures::TimeWindow> range);

    bool hasData() const { return m_hasData; }
    const LaneWindow& data() const { return m_lane; }
    double pxOf(std::int64_t timeNs) const;
    std::int64_t timeAt(double px) const;

private:
    void showFigure();
    figures::Window canvasWindow(const figures::TimeWindow& visible) const;
    void paintCursor(QPainter& painter);
    void paintRange(QPainter& painter);
    void replotOverlay();

    Theme& m_theme;
    FigurePlot* m_plot;
    LaneWindow m_lane;
    bool m_hasData = false;
    LaneWords m_words = LaneWords::NotesAndLegend;
    figures::TimeAxis m_axis{{0, 1}};
    std::int64_t m_shiftNs = 0;
    double m_top = 0;
    figures::TimeWindow m_visible;
    std::optional<std::int64_t> m_cursorNs;
    std::optional<figures::TimeWindow> m_range;
};

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/plot/FigurePlot.h"
#include "ui/plot/LayerHighlight.h"
#include "ui/timeline/StepMarks.h"
#include "ui/timeline/TimelineWindow.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ui {

/// What is above a lane's plot besides its title.
struct LaneLabels {
    bool notes = true;
    bool legend = true;
    bool timeName = true; ///< what the axis of time is: a lane below may say it
    std::vector<std::string> explained{}; ///< entries of the legend that something beside the plot explains

    bool operator==(const LaneLabels&) const = default;
};

/// One track of one trial over time. Common time, which all lanes share, is the trial's own time minus `shiftNs`.
class TimelineLane : public QWidget {
    Q_OBJECT

public:
    explicit TimelineLane(Theme& theme, QWidget* parent = nullptr);

    FigurePlot& plot() { return *m_plot; }
    FigureCanvas& canvas() { return m_plot->canvas(); }
    LayerHighlight& highlight() { return *m_highlight; }
    const StepMarks& steps() const { return *m_steps; }

    /// Sets the data from which `visible` (in common time) is cut.
    void setData(const LaneWindow& lane, const TimelineWindow& window, const figures::TimeWindow& visible);
    void setLabels(LaneLabels labels);
    /// Shows a sentence instead of a timeline.
    void setText(const QString& title, const QString& text);
    void setShift(std::int64_t shiftNs) { m_shiftNs = shiftNs; }
    std::int64_t shiftNs() const { return m_shiftNs; }
    /// Moves the existing figure; cheap.
    void setWindow(const figures::TimeWindow& visible);
    /// The minimum upper end of the memory axis, in its own unit: lanes that are compared share one.
    void setTop(double top);
    /// Room to the left of the plot and its axis.
    void setIndent(int px);
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
    LayerHighlight* m_highlight;
    std::unique_ptr<StepMarks> m_steps;
    LaneWindow m_lane;
    bool m_hasData = false;
    LaneLabels m_labels;
    figures::TimeAxis m_axis{{0, 1}};
    std::int64_t m_shiftNs = 0;
    double m_top = 0;
    figures::TimeWindow m_visible;
    std::optional<std::int64_t> m_cursorNs;
    std::optional<figures::TimeWindow> m_range;
};

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/StepBegins.h"
#include "experiments/figures/memory/TimeAxis.h"
#include "ui/plot/FigureCanvas.h"
#include "ui/plot/FigurePlot.h"
#include "ui/plot/LayerHighlight.h"
#include "ui/timeline/TimelineWindow.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ui {

using figures::StepBegin;

/// Lines through a lane's plot where its steps begin, with the steps' numbers in the line of words above the plot.
class StepMarks {
public:
    /// A layer of the canvas, which owns it and calls it back.
    StepMarks(FigureCanvas& canvas, Theme& theme);

    void setSteps(std::vector<StepBegin> steps, const figures::TimeAxis& axis);
    void clear() { m_steps.clear(); }
    const std::vector<StepBegin>& steps() const { return m_steps; }

private:
    void paint(QPainter& painter);
    void paintLine(QPainter& painter, double x) const;
    /// From where to where words stand on the plot at x, from above.
    std::vector<std::pair<double, double>> wordsAcross(double x) const;

    FigureCanvas& m_canvas;
    Theme& m_theme;
    std::vector<StepBegin> m_steps;
    figures::TimeAxis m_axis{{0, 1}};
};

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

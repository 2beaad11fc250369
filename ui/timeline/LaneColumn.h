// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineGestures.h"
#include "ui/timeline/TimelineLane.h"

#include <QSplitter>

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// A vertical splitter of lanes, whose heights can be changed.
class LaneColumn : public QSplitter {
    Q_OBJECT

public:
    LaneColumn(Theme& theme, TimelineNavigator& navigator);

    /// Adds lanes at the end of `lanes` or removes them from there.
    void setCount(std::vector<TimelineLane*>& lanes, std::size_t count);
    /// From top to bottom.
    void arrange(const QList<TimelineLane*>& lanes);
    /// Moves the plots' left edges below each other, however wide the numbers at their axes are.
    static void alignPlots(const QList<TimelineLane*>& lanes);

Q_SIGNALS:
    /// From any lane; see TimelineGestures.
    void cursorMoved(qint64 timeNs);
    void cursorStepped(int px);
    void rangeChanged(const headroom::figures::TimeWindow& range);
    void cleared();

private:
    TimelineLane* makeLane();

    Theme& m_theme;
    TimelineNavigator& m_navigator;
    int m_arranged = 0; ///< number of lanes when their heights were last set; users change them afterwards
};

} // namespace headroom::ui

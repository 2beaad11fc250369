// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineGestures.h"
#include "ui/timeline/TimelineLane.h"

#include <QSplitter>

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// Lanes below each other, whose heights can be changed.
class LaneColumn : public QSplitter {
    Q_OBJECT

public:
    LaneColumn(Theme& theme, TimelineNavigator& navigator);

    /// Makes lanes at the end of `lanes`, or takes them away from there.
    void setCount(std::vector<TimelineLane*>& lanes, std::size_t count);
    /// From top to bottom.
    void arrange(const QList<TimelineLane*>& lanes);

Q_SIGNALS:
    /// Of any lane, as TimelineGestures has them.
    void cursorMoved(qint64 timeNs);
    void cursorStepped(int px);
    void rangeChanged(const headroom::figures::TimeWindow& range);
    void cleared();

private:
    TimelineLane* makeLane();

    Theme& m_theme;
    TimelineNavigator& m_navigator;
    int m_arranged = 0; ///< lanes when their heights were chosen last; people change them
};

} // namespace headroom::ui

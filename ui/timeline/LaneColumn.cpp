// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/LaneColumn.h"

#include <algorithm>

namespace headroom::ui {
namespace {

// A share of the height; QSplitter scales the shares to fill it.
constexpr int kShare = 1'000;
constexpr int kWitnessShare = 400;

} // namespace

LaneColumn::LaneColumn(Theme& theme, TimelineNavigator& navigator)
    : QSplitter(Qt::Vertical)
    , m_theme(theme)
    , m_navigator(navigator)
{
    setObjectName(QStringLiteral("timelineLanes"));
    setChildrenCollapsible(false);
}

TimelineLane* LaneColumn::makeLane()
{
    auto* lane = new TimelineLane(m_theme);
    auto* gestures = new TimelineGestures(*lane, m_navigator);
    connect(gestures, &TimelineGestures::cursorMoved, this, &LaneColumn::cursorMoved);
    connect(gestures, &TimelineGestures::cursorStepped, this, &LaneColumn::cursorStepped);
    connect(gestures, &TimelineGestures::rangeChanged, this, &LaneColumn::rangeChanged);
    connect(gestures, &TimelineGestures::cleared, this, &LaneColumn::cleared);
    addWidget(lane);
    return lane;
}

void LaneColumn::setCount(std::vector<TimelineLane*>& lanes, std::size_t count)
{
    for (; lanes.size() > count; lanes.pop_back()) {
        lanes.back()->hide();
        lanes.back()->deleteLater();
    }
    while (lanes.size() < count)
        lanes.push_back(makeLane());
}

void LaneColumn::alignPlots(const QList<TimelineLane*>& lanes)
{
    double left = 0;
    for (TimelineLane* lane : lanes)
        if (lane->hasData())
            left = std::max(left, lane->canvas().scene().layout.plot.x);
    for (TimelineLane* lane : lanes)
        lane->setIndent(lane->hasData() ? static_cast<int>(left - lane->canvas().scene().layout.plot.x) : 0);
}

void LaneColumn::arrange(const QList<TimelineLane*>& lanes)
{
    for (int i = 0; i < lanes.size(); ++i) {
        insertWidget(i, lanes[i]);
        lanes[i]->setObjectName(QStringLiteral("timelineLane%1").arg(i));
    }
    if (lanes.size() == m_arranged)
        return;
    m_arranged = static_cast<int>(lanes.size());
    QList<int> shares;
    for (const TimelineLane* lane : lanes)
        shares.append(lane->data().isWitness ? kWitnessShare : kShare);
    setSizes(shares);
}

} // namespace headroom::ui

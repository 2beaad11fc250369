// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/TimelineNavigator.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr std::int64_t kShortestNs = 100; ///< shortest window
constexpr std::chrono::milliseconds kRest{300};
constexpr double kLevelFactor = 1.5; ///< by which a level of the trail is longer than the next
constexpr std::size_t kMostLevels = 5; ///< of the trail: the outermost and the innermost ones are kept

bool holdsMore(const figures::TimeWindow& outer, const figures::TimeWindow& inner)
{
    return outer.beginNs <= inner.beginNs && outer.endNs >= inner.endNs
        && static_cast<double>(outer.lengthNs()) >= kLevelFactor * static_cast<double>(inner.lengthNs());
}

} // namespace

TimelineNavigator::TimelineNavigator(QObject* parent)
    : QObject(parent)
{
    m_resting.setSingleShot(true);
    m_resting.setInterval(kRest);
    connect(&m_resting, &QTimer::timeout, this, &TimelineNavigator::visit);
}

void TimelineNavigator::setWhole(const figures::TimeWindow& whole)
{
    if (whole == m_whole)
        return;
    const bool sawAll = isWhole();
    m_whole = whole;
    if (sawAll)
        return restart(whole);
    move(m_window.beginNs, m_window.lengthNs());
}

std::vector<figures::TimeWindow> TimelineNavigator::trail() const
{
    std::vector<figures::TimeWindow> trail{m_window};
    for (std::size_t i = m_current + 1; i-- > 0 && trail.size() + 1 < kMostLevels;)
        if (m_visited[i] != m_whole && holdsMore(m_visited[i], trail.back()))
            trail.push_back(m_visited[i]);
    if (m_window != m_whole)
        trail.push_back(m_whole);
    std::ranges::reverse(trail);
    return trail;
}

void TimelineNavigator::restart(const figures::TimeWindow& whole)
{
    m_resting.stop();
    m_whole = m_window = whole;
    m_visited = {whole};
    m_current = 0;
    Q_EMIT windowChanged();
}

void TimelineNavigator::zoom(std::int64_t atNs, double factor)
{
    const auto length = static_cast<double>(m_window.lengthNs());
    const double least = static_cast<double>(std::min(kShortestNs, m_whole.lengthNs()));
    const double wanted = std::clamp(length / factor, least, static_cast<double>(m_whole.lengthNs()));
    const double share = static_cast<double>(atNs - m_window.beginNs) / length;
    m_resting.start();
    move(atNs - std::llround(share * wanted), std::llround(wanted));
}

void TimelineNavigator::pan(std::int64_t byNs)
{
    m_resting.start();
    move(m_window.beginNs + byNs, m_window.lengthNs());
}

// Shifts the window into the whole range, and clips it only if it is longer than that.
void TimelineNavigator::move(std::int64_t beginNs, std::int64_t lengthNs)
{
    const std::int64_t length = std::clamp(lengthNs, std::min(kShortestNs, m_whole.lengthNs()), m_whole.lengthNs());
    const std::int64_t begin = std::clamp(beginNs, m_whole.beginNs, m_whole.endNs - length);
    const figures::TimeWindow window{begin, begin + length};
    if (window == m_window)
        return;
    m_window = window;
    Q_EMIT windowChanged();
}

void TimelineNavigator::show(const figures::TimeWindow& window)
{
    visit();
    move(window.beginNs, window.lengthNs());
    visit();
}

void TimelineNavigator::centre(std::int64_t atNs)
{
    show({atNs - m_window.lengthNs() / 2, atNs + m_window.lengthNs() - m_window.lengthNs() / 2});
}

void TimelineNavigator::visit()
{
    m_resting.stop();
    if (m_visited[m_current] == m_window)
        return;
    m_visited.resize(m_current + 1);
    m_visited.push_back(m_window);
    ++m_current;
    Q_EMIT windowChanged();
}

void TimelineNavigator::back()
{
    visit();
    if (m_current == 0)
        return;
    --m_current;
    move(m_visited[m_current].beginNs, m_visited[m_current].lengthNs());
}

void TimelineNavigator::forward()
{
    visit();
    if (m_current + 1 >= m_visited.size())
        return;
    ++m_current;
    move(m_visited[m_current].beginNs, m_visited[m_current].lengthNs());
}

} // namespace headroom::ui

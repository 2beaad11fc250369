// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimeAxis.h"

#include <QObject>
#include <QTimer>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headroom::ui {

/// What both windows span.
inline figures::TimeWindow united(const figures::TimeWindow& a, const figures::TimeWindow& b)
{
    return {std::min(a.beginNs, b.beginNs), std::max(a.endNs, b.endNs)};
}

/// The time window that all lanes show, and its history, in the lanes' common time.
class TimelineNavigator : public QObject {
    Q_OBJECT

public:
    explicit TimelineNavigator(QObject* parent = nullptr);

    const figures::TimeWindow& whole() const { return m_whole; }
    const figures::TimeWindow& window() const { return m_window; }
    bool isWhole() const { return m_window == m_whole; }
    /// The windows that were visited on the way into the current one, each within the one before: the whole range
    /// first, the current window last. Those that hardly differ in length are one.
    std::vector<figures::TimeWindow> trail() const;
    /// Sets the whole range. If all of it was visible before, all of it stays visible.
    void setWhole(const figures::TimeWindow& whole);
    /// Clears the history and shows everything.
    void restart(const figures::TimeWindow& whole);

    /// A factor above 1 zooms in. `atNs` keeps its place.
    void zoom(std::int64_t atNs, double factor);
    void pan(std::int64_t byNs);
    /// Each of these adds a step to the history.
    void show(const figures::TimeWindow& window);
    void centre(std::int64_t atNs);
    void fit() { show(m_whole); }
    void back();
    void forward();
    bool canGoBack() const { return m_current > 0 || m_resting.isActive(); }
    bool canGoForward() const { return m_current + 1 < m_visited.size() && !m_resting.isActive(); }

Q_SIGNALS:
    void windowChanged();

private:
    void move(std::int64_t beginNs, std::int64_t lengthNs);
    void visit();

    figures::TimeWindow m_whole{0, 1};
    figures::TimeWindow m_window{0, 1};
    std::vector<figures::TimeWindow> m_visited{{0, 1}};
    std::size_t m_current = 0;
    QTimer m_resting; ///< a turn of the wheel is one step of the history
};

} // namespace headroom::ui

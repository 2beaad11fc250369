// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/memory/TimeAxis.h"

#include <QObject>
#include <QTimer>

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// Which stretch of time all lanes show, and those they showed before. Time is the lanes' common one.
class TimelineNavigator : public QObject {
    Q_OBJECT

public:
    explicit TimelineNavigator(QObject* parent = nullptr);

    const figures::TimeWindow& whole() const { return m_whole; }
    const figures::TimeWindow& window() const { return m_window; }
    bool isWhole() const { return m_window == m_whole; }
    /// What there is to see. Who saw all of it goes on to see all of it.
    void setWhole(const figures::TimeWindow& whole);
    /// Forgets where it was and shows everything.
    void restart(const figures::TimeWindow& whole);

    /// Above 1: nearer. `atNs` keeps its place.
    void zoom(std::int64_t atNs, double factor);
    void pan(std::int64_t byNs);
    /// A step of the history each.
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
    QTimer m_resting; ///< a wheel's turn is one step of the history
};

} // namespace headroom::ui

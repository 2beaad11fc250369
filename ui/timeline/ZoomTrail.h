// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/TimelineNavigator.h"

#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <vector>

namespace headroom::ui {

/// The way from the whole range to the visible window, as a breadcrumb: each level is a button that goes back to it.
class ZoomTrail : public QWidget {
    Q_OBJECT

public:
    explicit ZoomTrail(TimelineNavigator& navigator, QWidget* parent = nullptr);

    QSize sizeHint() const override { return minimumSizeHint(); }

private:
    void showTrail();
    void showLevel(std::size_t level, std::size_t levels);
    QToolButton* makeButton();

    TimelineNavigator& m_navigator;
    std::vector<figures::TimeWindow> m_trail;
    std::vector<QToolButton*> m_buttons;
    QTimer m_resting; ///< buttons that change with every frame would cost a layout of the window each
};

} // namespace headroom::ui

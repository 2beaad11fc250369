// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QBrush>

namespace headroom::ui {

/// What free memory is filled with: apart by pattern, not by colour alone.
class SegmentInk {
public:
    static constexpr float kPendingOpacity = 0.45F;

    explicit SegmentInk(const Theme& theme)
        : m_theme(theme)
    {
    }

    /// Gaps in segments that something keeps alive.
    QBrush stuck() const
    {
        QColor colour = m_theme.alarm();
        colour.setAlphaF(0.55F);
        return {colour, Qt::BDiagPattern};
    }
    /// Stands for all blocks that were given back and wait for a stream: each has the paler colour of its category.
    QBrush pending() const
    {
        QColor colour = m_theme.muted();
        colour.setAlphaF(kPendingOpacity);
        return colour;
    }
    /// Segments that are wholly free.
    QBrush releasable() const { return {m_theme.grid(), Qt::SolidPattern}; }

private:
    const Theme& m_theme;
};

} // namespace headroom::ui

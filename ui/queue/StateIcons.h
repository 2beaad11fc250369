// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/runs/QueuedRun.h"

#include <QIcon>

#include <map>

class QPainter;

namespace headroom::ui {

/// The icons of the queue's states and actions: their shapes can be told apart without colours.
enum class Glyph {
    Clock,
    Play,
    Pause,
    Check,
    Full,
    Cross,
    TimedOut,
    Stop,
    Skip,
    Dash,
    Up,
    Down,
    Top,
    Remove,
    Retry,
    RetryAll,
    StopOne
};

/// Icons in the colours of the theme.
class StateIcons {
public:
    explicit StateIcons(const Theme& theme)
        : m_theme(theme)
    {
    }

    QIcon icon(TrialState state) const;
    QIcon icon(RunState state) const;
    /// In the text colour, for actions.
    QIcon icon(Glyph glyph) const;
    /// To be called when the theme changes.
    void clear() { m_icons.clear(); }

private:
    QIcon icon(Glyph glyph, const QColor& colour) const;
    QColor colourOf(TrialState state) const;

    const Theme& m_theme;
    mutable std::map<std::pair<Glyph, QRgb>, QIcon> m_icons;
};

} // namespace headroom::ui

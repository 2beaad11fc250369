// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/runs/QueuedRun.h"

#include <QIcon>

#include <map>

class QPainter;

namespace headroom::ui {

/// What a state or an action of the queue looks like: shapes that can be told apart without their colours.
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
    /// In the colour of text, for actions.
    QIcon icon(Glyph glyph) const;
    /// After a change of the theme.
    void clear() { m_icons.clear(); }

private:
    QIcon icon(Glyph glyph, const QColor& colour) const;
    QColor colourOf(TrialState state) const;

    const Theme& m_theme;
    mutable std::map<std::pair<Glyph, QRgb>, QIcon> m_icons;
};

} // namespace headroom::ui

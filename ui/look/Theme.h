// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/Palette.h"

#include <QColor>
#include <QObject>
#include <QPalette>

namespace headroom::ui {

enum class ColourScheme { System, Light, Dark };

/// The colours of everything on the screen, widgets and plots alike, from the palettes that reports use. The program
/// has one object of this class; views repaint on `changed`.
class Theme : public QObject {
    Q_OBJECT

public:
    explicit Theme(QObject* parent = nullptr);

    ColourScheme scheme() const { return m_scheme; }
    /// Sets the application's style (Fusion) and palette.
    void setScheme(ColourScheme scheme);
    /// Also resolves `System`.
    bool isDark() const { return m_isDark; }

    const figures::Palette& palette() const { return m_palette; }
    QColor surface() const { return colour(m_palette.surface); }
    QColor ink() const { return colour(m_palette.ink); }
    QColor muted() const { return colour(m_palette.muted); }
    QColor grid() const { return colour(m_palette.grid); }
    /// For limits, errors and trials that do not fit.
    QColor alarm() const { return colour(m_palette.budget); }
    QColor series(std::size_t index) const;
    QColor good() const { return series(2); }
    QColor warning() const { return series(1); }
    QColor accent() const { return series(0); }

    static QColor colour(const std::string& hex) { return QColor(QString::fromStdString(hex)); }

Q_SIGNALS:
    void changed();

private:
    bool systemIsDark() const;

    ColourScheme m_scheme = ColourScheme::System;
    bool m_isDark = false;
    figures::Palette m_palette;
    QPalette m_systemPalette; ///< the platform's palette
};

} // namespace headroom::ui

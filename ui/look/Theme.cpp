// SPDX-License-Identifier: Apache-2.0
#include "ui/look/Theme.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>

namespace headroom::ui {
namespace {

/// Fusion with outlines that are also visible on dark surfaces: Fusion makes them darker than the window.
class WorkbenchStyle : public QProxyStyle {
public:
    WorkbenchStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
};

bool hasDarkWindows(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

// Drawn over Fusion's own outline, which is almost invisible there.
void drawOutline(const QStyleOption& option, QPainter& painter, double radius)
{
    QColor colour = option.palette.color(QPalette::PlaceholderText);
    colour.setAlphaF(option.state & QStyle::State_Enabled ? 0.65F : 0.3F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

// The combo box or spin box around such a part already has a frame.
bool isPartOfAField(const QWidget* widget)
{
    const QWidget* parent = widget ? widget->parentWidget() : nullptr;
    return qobject_cast<const QComboBox*>(parent) || qobject_cast<const QAbstractSpinBox*>(parent);
}

WorkbenchStyle::WorkbenchStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void WorkbenchStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (!hasDarkWindows(option->palette))
        return;
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck)
        drawOutline(*option, *painter, 1);
    else if (element == PE_PanelLineEdit && !(option->state & State_HasFocus) && !isPartOfAField(widget))
        drawOutline(*option, *painter, 2);
}

QColor between(const QColor& from, const QColor& to, double share)
{
    const auto mix = [&](double a, double b) { return static_cast<float>(a + (b - a) * share); };
    return QColor::fromRgbF(
        mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()), mix(from.blueF(), to.blueF()));
}

QPalette widgetPalette(const Theme& theme)
{
    const QColor window = between(theme.surface(), theme.grid(), 0.35);
    const QColor button = between(theme.surface(), theme.grid(), 0.6);
    const QColor selected = between(theme.surface(), theme.accent(), 0.3);
    QPalette palette(theme.ink(), button, between(button, theme.surface(), 0.6), between(button, theme.ink(), 0.45),
        between(button, theme.ink(), 0.25), theme.ink(), theme.ink(), theme.surface(), window);
    palette.setColor(QPalette::AlternateBase, between(theme.surface(), theme.grid(), 0.3));
    palette.setColor(QPalette::ToolTipBase, window);
    palette.setColor(QPalette::ToolTipText, theme.ink());
    palette.setColor(QPalette::PlaceholderText, theme.muted());
    palette.setColor(QPalette::Link, theme.accent());
    palette.setColor(QPalette::LinkVisited, theme.series(3));
    palette.setColor(QPalette::Highlight, selected);
    palette.setColor(QPalette::HighlightedText, theme.ink());
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, between(theme.muted(), window, 0.35));
    return palette;
}

} // namespace

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_palette(figures::lightPalette())
    , m_systemPalette(QApplication::palette())
{
    setScheme(ColourScheme::System);
}

// Qt 6.4 does not report the desktop's colour scheme; its palette shows it.
bool Theme::systemIsDark() const
{
    return hasDarkWindows(m_systemPalette);
}

void Theme::setScheme(ColourScheme scheme)
{
    m_scheme = scheme;
    m_isDark = scheme == ColourScheme::Dark || (scheme == ColourScheme::System && systemIsDark());
    m_palette = m_isDark ? figures::darkPalette() : figures::lightPalette();
    QApplication::setStyle(new WorkbenchStyle);
    QApplication::setPalette(widgetPalette(*this));
    Q_EMIT changed();
}

QColor Theme::series(std::size_t index) const
{
    return colour(m_palette.series.at(index % m_palette.series.size()));
}

} // namespace headroom::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/look/Veil.h"

#include <QEvent>
#include <QPainter>

namespace headroom::ui {
namespace {

constexpr float kOpacity = 0.5F; ///< words below can still be read

} // namespace

Veil::Veil(Theme& theme, QWidget& covered)
    : QWidget(&covered)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("veil"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    covered.installEventFilter(this);
    hide();
}

void Veil::setDrawn(bool isDrawn)
{
    setGeometry(parentWidget()->rect());
    setVisible(isDrawn);
    raise();
}

bool Veil::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    if (event->type() == QEvent::ChildPolished && isVisible())
        raise();
    return QWidget::eventFilter(watched, event);
}

void Veil::paintEvent(QPaintEvent*)
{
    QColor ground = m_theme.surface();
    ground.setAlphaF(kOpacity);
    QPainter(this).fillRect(rect(), ground);
}

} // namespace headroom::ui

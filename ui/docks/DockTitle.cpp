// SPDX-License-Identifier: Apache-2.0
#include "ui/docks/DockTitle.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QStyle>
#include <QToolButton>

namespace headroom::ui {

DockTitle::DockTitle(QDockWidget& dock)
    : QWidget(&dock)
    , m_dock(dock)
    , m_name(new QLabel(dock.windowTitle(), this))
{
    const int space = fontMetrics().averageCharWidth();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space, 0, space / 2, 0);
    layout->setSpacing(0);
    m_name->setMinimumWidth(0);
    layout->addWidget(m_name, 1);
    QToolButton* enlarge = addButton(QStringLiteral("enlarge"),
        QStringLiteral("Maximise this view, or bring the others back (F12)"), QStyle::SP_TitleBarMaxButton);
    connect(enlarge, &QToolButton::clicked, this, &DockTitle::enlargeWanted);
    QToolButton* separate =
        addButton(QStringLiteral("float"), QStringLiteral("Into a window of its own"), QStyle::SP_TitleBarNormalButton);
    connect(separate, &QToolButton::clicked, this, [this] { m_dock.setFloating(true); });
    QToolButton* close = addButton(QStringLiteral("close"), QStringLiteral("Close"), QStyle::SP_TitleBarCloseButton);
    connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
    connect(&dock, &QDockWidget::windowTitleChanged, m_name, &QLabel::setText);
}

QToolButton* DockTitle::addButton(const QString& name, const QString& words, int standardIcon)
{
    auto* button = new QToolButton(this);
    button->setObjectName(m_dock.objectName() + QLatin1Char('.') + name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setIcon(style()->standardIcon(static_cast<QStyle::StandardPixmap>(standardIcon)));
    button->setIconSize(QSize(1, 1) * (fontMetrics().height() * 3 / 4));
    button->setAccessibleName(words);
    button->setToolTip(words);
    layout()->addWidget(button);
    return button;
}

void DockTitle::setPlace(Place place)
{
    if (place == m_place)
        return;
    m_place = place;
    for (QWidget* child : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        child->setVisible(place == Place::Alone);
    updateGeometry();
}

QSize DockTitle::sizeHint() const
{
    return m_place == Place::Tab ? QSize(0, 0) : QSize(0, layout()->sizeHint().height());
}

// Qt would float the dock.
void DockTitle::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
    Q_EMIT enlargeWanted();
}

} // namespace headroom::ui

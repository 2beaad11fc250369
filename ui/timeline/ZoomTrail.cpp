// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/ZoomTrail.h"

#include "core/base/Quantities.h"

#include <QHBoxLayout>

#include <chrono>

namespace headroom::ui {
namespace {

constexpr std::chrono::milliseconds kTrailRest{150};

QString lengthOf(const figures::TimeWindow& window)
{
    return QString::fromStdString(timeText(window.lengthNs()));
}

QString placeOf(const figures::TimeWindow& window)
{
    return QStringLiteral("%1 to %2")
        .arg(QString::fromStdString(timeText(window.beginNs)), QString::fromStdString(timeText(window.endNs)));
}

} // namespace

ZoomTrail::ZoomTrail(TimelineNavigator& navigator, QWidget* parent)
    : QWidget(parent)
    , m_navigator(navigator)
{
    setObjectName(QStringLiteral("zoomTrail"));
    setAccessibleName(QStringLiteral("Levels of zoom"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    m_resting.setSingleShot(true);
    m_resting.setInterval(kTrailRest);
    connect(&m_resting, &QTimer::timeout, this, &ZoomTrail::showTrail);
    connect(&navigator, &TimelineNavigator::windowChanged, this, [this] {
        if (!m_resting.isActive())
            m_resting.start();
    });
    showTrail();
}

QToolButton* ZoomTrail::makeButton()
{
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    const auto level = m_buttons.size();
    button->setObjectName(QStringLiteral("zoomTrail%1").arg(level));
    connect(button, &QToolButton::clicked, this, [this, level] {
        if (level < m_trail.size())
            m_navigator.show(m_trail[level]);
    });
    layout()->addWidget(button);
    return button;
}

// Of a range that is seen as a whole nothing has to be said.
void ZoomTrail::showTrail()
{
    m_trail = m_navigator.trail();
    const std::size_t levels = m_trail.size() > 1 ? m_trail.size() : 0;
    while (m_buttons.size() < levels)
        m_buttons.push_back(makeButton());
    for (std::size_t level = 0; level < m_buttons.size(); ++level) {
        m_buttons[level]->setVisible(level < levels);
        if (level < levels)
            showLevel(level, levels);
    }
}

void ZoomTrail::showLevel(std::size_t level, std::size_t levels)
{
    QToolButton& button = *m_buttons[level];
    const QString length = lengthOf(m_trail[level]);
    button.setText(level == 0 ? QStringLiteral("All %1").arg(length) : QStringLiteral("\u203a %1").arg(length));
    button.setToolTip(placeOf(m_trail[level]));
    button.setAccessibleName(
        QStringLiteral("Zoom level %1 of %2: %3").arg(level + 1).arg(levels).arg(placeOf(m_trail[level])));
    button.setEnabled(level + 1 < levels);
}

} // namespace headroom::ui

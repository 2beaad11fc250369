// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/RepairBar.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace headroom::ui {

RepairBar::RepairBar(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
{
    const int space = fontMetrics().averageCharWidth() / 2;
    m_layout->setContentsMargins(0, space, 0, space);
    m_layout->setSpacing(space);
    m_layout->addStretch(1);
    hide();
}

// Buttons stay where the repairs are the same: one of them may have the focus.
void RepairBar::offer(const std::vector<config::Repair>& repairs)
{
    if (repairs == m_repairs)
        return;
    m_repairs = repairs;
    for (QPushButton* button : findChildren<QPushButton*>()) {
        m_layout->removeWidget(button);
        button->hide();
        button->deleteLater(); // it may be the one that was clicked
    }
    for (const config::Repair& repair : m_repairs)
        add(repair);
    setVisible(!m_repairs.empty());
}

void RepairBar::add(const config::Repair& repair)
{
    auto* button = new QPushButton(QString::fromStdString(repair.label), this);
    const QString path = QString::fromStdString(repair.path);
    const QString value = QString::fromStdString(config::toToml(repair.value));
    button->setObjectName(QStringLiteral("repair.") + path);
    button->setAutoDefault(false);
    button->setToolTip(tr("Sets %1 = %2").arg(path, value));
    connect(button, &QPushButton::clicked, this, [this, path, value] { Q_EMIT chosen(path, value); });
    m_layout->insertWidget(m_layout->count() - 1, button);
}

} // namespace headroom::ui

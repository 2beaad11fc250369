// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/ValueChecklist.h"

#include <QLabel>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

constexpr int kMostRows = 14; ///< visible at once

} // namespace

ValueChecklist::ValueChecklist(const QString& owner, const std::vector<Item>& items, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_list(new QListWidget(this))
    , m_outcome(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(QStringLiteral("Values of %1 to sweep over").arg(owner));
    m_list->setObjectName(QStringLiteral("checklist"));
    m_list->setAccessibleName(accessibleName());
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_outcome->setObjectName(QStringLiteral("checklistOutcome"));
    for (const Item& item : items)
        add(item);
    auto* heading = new QLabel(QStringLiteral("Try %1 with each value that is checked").arg(owner), this);
    auto* layout = new QVBoxLayout(this);
    const int space = fontMetrics().averageCharWidth();
    layout->setContentsMargins(space, space, space, space);
    layout->setSpacing(space / 2);
    layout->addWidget(heading);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_outcome);
    setFocusProxy(m_list);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        Q_EMIT toggled(item->data(Qt::UserRole).toString(), item->checkState() == Qt::Checked);
    });
}

void ValueChecklist::add(const Item& item)
{
    auto* row = new QListWidgetItem(item.text, m_list);
    row->setData(Qt::UserRole, item.value);
    row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    row->setCheckState(item.isChecked ? Qt::Checked : Qt::Unchecked);
    if (item.isChecked && m_list->currentItem() == nullptr)
        m_list->setCurrentItem(row);
}

void ValueChecklist::setChecked(const QString& value, bool isChecked)
{
    const QSignalBlocker quiet(m_list);
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole) == value)
            m_list->item(row)->setCheckState(isChecked ? Qt::Checked : Qt::Unchecked);
}

void ValueChecklist::showOutcome(const QString& text)
{
    m_outcome->setText(text);
}

QSize ValueChecklist::fittingSize() const
{
    const int rows = std::min(m_list->count(), kMostRows);
    const int bar = m_list->count() > kMostRows ? m_list->verticalScrollBar()->sizeHint().width() : 0;
    const int margin = fontMetrics().averageCharWidth();
    const QSize around = layout()->sizeHint() - m_list->sizeHint();
    return {std::max(layout()->minimumSize().width(), m_list->sizeHintForColumn(0) + bar + 4 * margin),
        around.height() + rows * std::max(1, m_list->sizeHintForRow(0)) + margin};
}

void ValueChecklist::openAt(const QWidget& field)
{
    const QRect screen = field.screen()->availableGeometry();
    const QSize size = fittingSize().boundedTo(screen.size());
    QPoint corner = field.mapToGlobal(QPoint(0, field.height()));
    if (corner.y() + size.height() > screen.bottom())
        corner.setY(std::max(screen.top(), field.mapToGlobal(QPoint()).y() - size.height()));
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - size.width())));
    setGeometry(QRect(corner, size));
    show();
    m_list->setFocus(Qt::PopupFocusReason);
}

} // namespace headroom::ui

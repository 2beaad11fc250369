// SPDX-License-Identifier: Apache-2.0
#include "ui/results/TrialsDelegate.h"

#include "ui/results/TrialsModel.h"

#include <QPainter>

namespace headroom::ui {

TrialsDelegate::TrialsDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
    makeIcons();
    connect(&theme, &Theme::changed, this, &TrialsDelegate::makeIcons);
}

void TrialsDelegate::makeIcons()
{
    for (const Sign sign : {Sign::Done, Sign::Warning, Sign::Bad, Sign::Paused, Sign::Open})
        m_icons[static_cast<int>(sign)] = signIcon(m_theme, sign);
}

void TrialsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    if (!isSelected && !m_hovered.isEmpty() && index.data(TrialsModel::TrialIdRole).toString() == m_hovered) {
        QColor tint = m_theme.accent();
        tint.setAlphaF(0.14F);
        painter->fillRect(option.rect, tint);
    }
    QStyledItemDelegate::paint(painter, option, index);
}

void TrialsDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(TrialsModel::IsPredictedRole).toBool())
        option->font.setItalic(true);
    if (index.data(TrialsModel::IsOnFrontRole).toBool())
        option->font.setBold(true);
    if (index.data(TrialsModel::IsUnknownRole).toBool() || index.data(TrialsModel::IsIdleRole).toBool())
        option->palette.setColor(QPalette::Text, m_theme.muted());
    if (index.column() != m_outcomeColumn)
        return;
    const Sign sign = signOf(index.data(TrialsModel::OutcomeRole).toString());
    const bool isFlagged = sign == Sign::Done && option->text.contains(QLatin1Char(';'));
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = m_icons.value(static_cast<int>(isFlagged ? Sign::Warning : sign));
    const int size = option->fontMetrics.height();
    option->decorationSize = QSize(size, size);
}

} // namespace headroom::ui

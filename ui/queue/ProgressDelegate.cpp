// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/ProgressDelegate.h"

#include "ui/queue/QueueModel.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

namespace headroom::ui {

ProgressDelegate::ProgressDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = std::exchange(cell.text, {});
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, option.widget);
    const QVariant share = index.data(QueueModel::ShareRole);
    if (!share.isValid())
        return;
    const int label = option.fontMetrics.horizontalAdvance(QStringLiteral("100 % "));
    const int height = option.fontMetrics.xHeight();
    const int gap = option.fontMetrics.averageCharWidth() / 2;
    const QRectF bar(option.rect.left() + gap, option.rect.center().y() - height / 2.0,
        std::max(0, option.rect.width() - label - 2 * gap), height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_theme.grid());
    painter->drawRoundedRect(bar, height / 2.0, height / 2.0);
    painter->setClipRect(QRectF(bar.topLeft(), QSizeF(bar.width() * share.toDouble(), bar.height())));
    painter->setBrush(share.toDouble() < 1 ? m_theme.accent() : m_theme.good());
    painter->drawRoundedRect(bar, height / 2.0, height / 2.0);
    painter->setClipping(false);
    painter->setPen(m_theme.ink());
    painter->drawText(option.rect.adjusted(0, 0, -gap, 0), Qt::AlignRight | Qt::AlignVCenter, text);
    painter->restore();
}

} // namespace headroom::ui
